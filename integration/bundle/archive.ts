// A zip as a list of entries that can be read: in place up to 64 MB, streamed from disk above.
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { inflateRawSync } from 'node:zlib';
import AdmZip from 'adm-zip';
import { openPromise, type Entry as YauzlEntry } from 'yauzl';
import { ExportError } from '../errors.ts';
import { defaultLimits } from './check-entries.ts';

export interface Archive {
  /** In the order of the archive, names as they stand in it; whether they are harmless is for `checkEntries` to say. */
  entries: ArchiveEntry[];
  /** The bytes of an entry, at most as many as it declares. Fails where it holds others. */
  read(entry: ArchiveEntry): Promise<AsyncIterable<Uint8Array>>;
  close(): void;
}

export interface ArchiveEntry {
  name: string;
  /** Unpacked, as declared. */
  size: number;
  isFolder: boolean;
  isLink: boolean;
}

const largestInPlace = 64 * 1024 * 1024;

/** Throws `ExportError`: `BundleNotFound`, `BundleNotReadable`. */
export async function openArchive(file: string, inPlaceUpTo = largestInPlace): Promise<Archive> {
  const entry = await stat(file).catch(() => undefined);
  if (!entry) throw new ExportError('BundleNotFound', `There is no bundle "${file}".`, 'Check the path.');
  try {
    return entry.size <= inPlaceUpTo ? openInPlace(await readFile(file)) : await openStreamed(file);
  } catch (cause) {
    throw notReadable(file, cause);
  }
}

export function notReadable(file: string, cause: unknown): ExportError {
  return new ExportError(
    'BundleNotReadable',
    `"${file}" is no zip that can be read: ${(cause as Error).message}.`,
    'Copy it again from where it was made.',
    { cause },
  );
}

function openInPlace(bytes: Buffer): Archive {
  const found = new Map<ArchiveEntry, AdmZip.IZipEntry>();
  for (const entry of new AdmZip(bytes, { noSort: true }).getEntries()) {
    found.set(describe(entry.entryName, entry.header.size, entry.header.attr), entry);
  }
  return {
    entries: [...found.keys()],
    async read(entry) {
      const packed = found.get(entry)!;
      const compressed = packed.getCompressedData();
      const isStored = packed.header.method === 0;
      const data = isStored ? compressed : inflateRawSync(compressed, { maxOutputLength: Math.max(entry.size, 1) });
      return Readable.from([data]) as AsyncIterable<Uint8Array>;
    },
    close() {},
  };
}

async function openStreamed(file: string): Promise<Archive> {
  const zip = await openPromise(file, { autoClose: false, lazyEntries: true, decodeStrings: false });
  // Told before the list is read, which would fill the memory.
  if (zip.entryCount > defaultLimits.files) {
    zip.close();
    throw new Error(`it lists ${zip.entryCount} files; ${defaultLimits.files} are the limit`);
  }
  const found = new Map<ArchiveEntry, YauzlEntry>();
  for await (const entry of zip.eachEntry()) {
    found.set(describe(entry.fileNameRaw.toString('utf8'), entry.uncompressedSize, entry.externalFileAttributes), entry);
  }
  return {
    entries: [...found.keys()],
    read: async (entry) => (await zip.openReadStreamPromise(found.get(entry)!)) as AsyncIterable<Uint8Array>,
    close: () => zip.close(),
  };
}

function describe(name: string, size: number, attributes: number): ArchiveEntry {
  const type = (attributes >>> 16) & 0o170000;
  return { name, size, isFolder: name.endsWith('/'), isLink: type === 0o120000 };
}

/** The bytes of a file on disk, as an entry's are read. */
export function readFromDisk(file: string): AsyncIterable<Uint8Array> {
  return createReadStream(file) as AsyncIterable<Uint8Array>;
}
