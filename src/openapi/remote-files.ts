// Specifications from external origins: downloaded when the site is exported, and stored for exports without a network.
import { errorMessage } from '../../integration/errors.ts';
import { createProblem, type Problem } from '../../integration/diagnostics.ts';
import { SpecificationFault } from './specification-file.ts';

export interface RemoteOptions {
  /** Throws an `Error` whose message is the end of a sentence. Without it, only stored copies are used. */
  download?: (url: URL) => Promise<Uint8Array>;
  cache?: { get(key: string): string | undefined; set(key: string, value: string): void };
}

/** A file from an external origin, as the report lists it. */
export interface RemoteFile {
  url: string;
  /** SHA-256 (hex) of its bytes. */
  sha256: string;
  /** Whether it is the copy that an earlier export stored. */
  stored: boolean;
}

/** Reads a file; `digest` is that of its bytes. */
export type ParseFile<File> = (location: string, bytes: Uint8Array) => File;

export interface RemoteFiles {
  /** Throws `SpecificationFault`, as `parse` does. */
  read<File extends { digest: string }>(url: string, parse: ParseFile<File>): Promise<File>;
  /** What was read, sorted by URL. */
  files(): RemoteFile[];
  problems(): Problem[];
}

/** A docs folder can be a stranger's, and each file takes a request. */
const mostFiles = 200;

export function createRemoteFiles({ download, cache }: RemoteOptions): RemoteFiles {
  const files = new Map<string, RemoteFile>();
  const problems: Problem[] = [];
  let asked = 0;

  const fromCache = (url: string, reason: string): Uint8Array => {
    const stored = cache?.get(keyOf(url));
    if (stored === undefined) throw new SpecificationFault(reason);
    problems.push(
      createProblem({
        kind: 'specification-from-cache',
        page: url,
        message: `"${url}" is the copy of an earlier export: ${reason}.`,
        hint: 'Export again with a network, or put a copy of the specification into the docs folder.',
      }),
    );
    return Buffer.from(stored);
  };

  const bytesOf = async (url: string): Promise<{ bytes: Uint8Array; stored: boolean }> => {
    if (!URL.canParse(url) || !/^https:/i.test(url)) throw new SpecificationFault('only https: is downloaded');
    if (!download) return { bytes: fromCache(url, 'this export downloads nothing'), stored: true };
    if (++asked > mostFiles) throw new SpecificationFault(`the site has more than ${mostFiles} files from external origins`);
    try {
      return { bytes: await download(new URL(url)), stored: false };
    } catch (error) {
      return { bytes: fromCache(url, `it could not be downloaded: ${errorMessage(error)}`), stored: true };
    }
  };

  return {
    async read(url, parse) {
      const { bytes, stored } = await bytesOf(url);
      const file = parse(url, bytes);
      if (!stored) cache?.set(keyOf(url), Buffer.from(bytes).toString());
      files.set(url, { url, sha256: file.digest, stored });
      return file;
    },
    files: () => [...files.values()].sort((a, b) => (a.url < b.url ? -1 : 1)),
    problems: () => problems,
  };
}

function keyOf(url: string): string {
  return `specification/${url}`;
}
