import { createHash, hash } from 'node:crypto';
import { ExportError } from '../../integration/errors.ts';
import { shownName } from '../../integration/text/escape.ts';

/** Where an export is published: a bucket, a folder or a branch. Paths are those of the export. */
export interface Target {
  /** For messages: without a password. */
  shown: string;
  /** How many files are written at a time. */
  lanes: number;
  /** The whole content of a small file; undefined if there is none. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Whether there is a file, and the SHA-256 of its content if the target knows it; undefined if there is none. */
  find(path: string): Promise<{ sha256?: string } | undefined>;
  /** Writes a file, which appears whole or not at all. */
  put(file: FileToPublish, signal?: AbortSignal): Promise<void>;
  /**
   * Makes a file of another one at the target, where that is faster than to write it. False, and nothing has happened, when the other one
   * does not have the same content.
   */
  copy?(file: FileToPublish, from: string, signal?: AbortSignal): Promise<boolean>;
  /** A missing file is not an error. */
  remove(path: string): Promise<void>;
  /** Publishes the changes of a target that changes as a whole. */
  finish?(): Promise<void>;
  close(): Promise<void>;
}

/** A file whose content is checked while it is read: both throw `ExportError` `BundleFileChanged`. */
export interface FileToPublish {
  path: string;
  /** In hex. */
  sha256: string;
  size: number;
  read(): Promise<Uint8Array>;
  stream(): AsyncIterable<Uint8Array>;
}

export function fileOfBytes(path: string, bytes: Uint8Array): FileToPublish {
  return {
    path,
    sha256: hash('sha256', bytes),
    size: bytes.length,
    read: () => Promise.resolve(bytes),
    async *stream() {
      yield bytes;
    },
  };
}

/** The same pieces. Throws at their end when they are not the file that was verified. */
export async function* checkedStream(pieces: AsyncIterable<Uint8Array>, path: string, sha256: string) {
  const digest = createHash('sha256');
  for await (const piece of pieces) {
    digest.update(piece);
    yield piece;
  }
  if (digest.digest('hex') === sha256) return;
  throw new ExportError(
    'BundleFileChanged',
    `"${shownName(path)}" changed while it was published.`,
    'Publish an export that nothing writes to.',
  );
}

/** `where` is "the branch …" or the path of a folder, as the beginning of a sentence. */
export function notAnExport(where: string, names: string[], hint: string): ExportError {
  const some = `${names.slice(0, 3).join(', ')}${names.length > 3 ? ', …' : ''}`;
  return new ExportError(
    'TargetNotExport',
    `${where} contains files (${some}), but no carrel.json: no export was published there. Nothing was changed.`,
    hint,
  );
}
