import { realpath, stat, readFile } from 'node:fs/promises';
import path from 'node:path';
import { clashes, defaultRules, type BundleRules } from '../../integration/output/check-entries.ts';
import { unlisted, type Deployment, type Manifest } from '../../integration/manifest.ts';
import { ExportError } from '../../integration/errors.ts';
import type { Problem } from '../../integration/diagnostics.ts';
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { openBundle, type Bundle } from '../../integration/output/open-bundle.ts';
import { createOneSecondCache } from '../platform/one-second-cache.ts';
import { parseManifest } from '../storage/read-manifest.ts';
import { createReadStream } from 'node:fs';

/** An opened site: an export folder, or its archive. */
export interface OpenedSite {
  name: string;
  deployment: Deployment;
  /** Only for an existing site: the hosts that its pages may load from. */
  guest?: Manifest['guest'];
  /** The file at a path from `sitePath`; undefined if there is none, also for strange paths. */
  file(path: string): Promise<SiteFile | undefined>;
  /** Only for an archive, or with keys: reads every file and returns the problems. */
  verify?(): Promise<Problem[]>;
}

export interface SiteFile {
  path: string;
  size: number;
  /** Changes whenever the bytes do; without quotes. */
  tag: string;
  /** Whether it contains what expires, so that no cache may store it. */
  expires?: true;
  /** The bytes from `start` to `end`, both included; a large file is a stream. */
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>>;
}

export function fileInMemory(path: string, bytes: Uint8Array<ArrayBuffer>, tag = hash('sha256', bytes).slice(0, 16)): SiteFile {
  return { path, size: bytes.length, tag, read: async (start, end) => bytes.subarray(start, end + 1) };
}

export async function textOf(file: SiteFile): Promise<string> {
  return file.size === 0 ? '' : new Response(await file.read(0, file.size - 1)).text();
}

/** Where the files of a site are. */
export type SiteFiles = Pick<OpenedSite, 'file'>;

/**
 * Opens an export folder or a bundle for reading. With keys, every file is checked whenever it is read, also that of a folder.
 * Throws `ExportError`: `SiteNotFound`, `NotASite` (a folder that is not an export), `ManifestInvalid`, `BundleUnsafe`, and what `openBundle` throws for an archive.
 */
export async function openSite(source: string, keys?: BundleRules['keys']): Promise<OpenedSite> {
  const root = await realpath(source).catch(() => undefined);
  if (root === undefined) throw new ExportError('SiteNotFound', `There is no folder or archive "${source}".`, 'Check the path.');
  if (keys || !(await stat(root)).isDirectory()) {
    const { manifest, file, verify } = await openBundleFiles(keys ? root : source, keys && { ...defaultRules, keys });
    return { name: manifest.site, deployment: manifest.deployment, guest: manifest.guest, file, verify };
  }
  const files = openFolder(root);
  const manifest = await readManifest(files, source);
  if (!manifest && !(await files.file('index.html'))) throw await notASite(source, files);
  const [clash] = clashes(Object.keys(manifest?.files ?? {}));
  if (clash) throw new ExportError('BundleUnsafe', `"${source}" was not opened. ${clash}`, 'Export the site again.');
  const { site = path.basename(root), deployment = 'client-hosted', guest } = manifest ?? {};
  return { name: site, deployment, guest, file: files.file };
}

async function readManifest(files: SiteFiles, source: string): Promise<Manifest | undefined> {
  const file = await files.file('carrel.json');
  if (!file) return undefined;
  const hint = 'Export the site again, or serve it with the version of Carrel that exported it.';
  return parseManifest(await textOf(file), `in "${source}"`, hint);
}

async function notASite(source: string, files: SiteFiles): Promise<ExportError> {
  const isDocsFolder = (await files.file('docs.json')) ?? (await files.file('mint.json'));
  return new ExportError(
    'NotASite',
    `"${source}" is not an export: it has neither carrel.json nor index.html.`,
    isDocsFolder
      ? `It is a docs folder. Export it first: carrel export "${source}" --out site && carrel serve site`
      : 'Specify the folder or the archive that "carrel export" wrote.',
  );
}

/**
 * The files of a bundle, read in place: only requested files are unpacked, and nothing is written to disk. Each file is checked by its
 * hash; a large one is a stream, so only the CRC-32 at its end is checked, unless `verify` has read it before.
 * Throws what `openBundle` throws.
 */
async function openBundleFiles(archive: string, rules?: BundleRules): Promise<SiteFiles & Pick<Bundle, 'manifest' | 'verify'>> {
  const bundle = await openBundle(archive, rules);
  const { files } = bundle.manifest;
  const read = async (path: string) => new Uint8Array(await bundle.read(path));

  return {
    manifest: bundle.manifest,
    verify: () => bundle.verify(),
    async file(path): Promise<SiteFile | undefined> {
      const listed = Object.hasOwn(files, path) ? files[path] : undefined;
      if (listed) {
        const part = async (start: number, end: number) =>
          listed.size > largestInMemory
            ? (Readable.toWeb(Readable.from(bundle.stream(path, start, end + 1))) as ReadableStream<Uint8Array>)
            : (await read(path)).subarray(start, end + 1);
        return { path, size: listed.size, tag: listed.sha256.slice(0, 16), read: part };
      }
      if (!unlisted.has(path)) return undefined;
      const bytes = await read(path).catch(() => undefined);
      return bytes && fileInMemory(path, bytes);
    },
  };
}

// Larger files (videos, archives) are streamed instead of read into memory.
const largestInMemory = 4 * 1024 * 1024;

/**
 * The files below `root`, which must be a real path. A symbolic link out of `root` is not followed. What a file is like is asked once a second
 * at most: for a page that many read, that is most of the work.
 */
export function openFolder(root: string): SiteFiles {
  const files = createOneSecondCache((name) => openFile(root, name, () => files.forget(name)), performance.now.bind(performance));
  return {
    async file(name) {
      const file = await files.get(name);
      // A stream cannot tell that its file was replaced.
      if (file && file.size > largestInMemory) files.forget(name);
      return file;
    },
  };
}

/** A file has another size than when it was looked up: look it up again. */
export class FileChanged extends Error {
  override name = 'FileChanged';
}

async function openFile(root: string, name: string, forget: () => void): Promise<SiteFile | undefined> {
  const file = await realpath(path.join(root, name)).catch(() => undefined);
  if (file === undefined || !file.startsWith(root + path.sep)) return undefined;
  const status = await stat(file).catch(() => undefined);
  if (!status?.isFile()) return undefined;
  return {
    path: name,
    size: status.size,
    tag: `${status.size.toString(36)}-${Math.round(status.mtimeMs * 1000).toString(36)}`,
    async read(start, end) {
      if (status.size > largestInMemory)
        return Readable.toWeb(createReadStream(file, { start, end })) as ReadableStream<Uint8Array>;
      const bytes = new Uint8Array(await readFile(file));
      // Another file took its place since: its beginning would be half a page.
      if (bytes.length !== status.size) {
        forget();
        throw new FileChanged(`"${name}" was changed while it was read.`);
      }
      return bytes.subarray(start, end + 1);
    },
  };
}
