// A zip as a list of readable entries. Memory use does not grow with its size.
import { closeSync, open } from 'node:fs';
import { promisify } from 'node:util';
import { errorMessage, ExportError } from '../errors.ts';
import { defaultRules, type BundleRules } from './check-entries.ts';
import { zipContents, type EntryContent } from './zip-contents.ts';
import { findDirectory, listEntries, type ZipEntry, type ArchiveEntry } from './zip-directory.ts';

export interface Archive {
  /** Number of entries that the archive declares. */
  count: number;
  /** In the order of the archive, names verbatim; `checkEntries` finds unsafe ones. Empty above the limit. */
  entries: ArchiveEntry[];
  /** The bytes of an entry from `start` up to `end`, all by default. Throws if they differ from what the entry declares. */
  read(entry: ArchiveEntry, start?: number, end?: number): AsyncIterable<Uint8Array>;
  /**
   * The contents of many entries in their order, at a fraction of the cost of reading each. A content is valid until you request
   * the next one; the pieces of an unreadable entry throw.
   */
  readAll(entries: ArchiveEntry[]): AsyncIterable<EntryContent>;
  /** Why other programs can unpack other files, though each entry is what it declares: a sentence. Reads the archive once more. */
  layoutFault(): Promise<string | undefined>;
  close(): void;
}

/** Throws `ExportError`: `BundleNotFound`, `BundleNotReadable`. */
export async function openArchive(file: string, { files: most }: BundleRules = defaultRules): Promise<Archive> {
  const fd = await promisify(open)(file, 'r').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT' && cause.code !== 'ENOTDIR') throw bundleNotReadableError(file, cause);
    throw new ExportError('BundleNotFound', `There is no bundle "${file}".`, 'Check the path.', { cause });
  });
  try {
    const directory = await findDirectory(fd);
    const entries = directory.count <= most ? await listEntries(fd, directory) : [];
    const contents = zipContents(fd, directory);
    return {
      count: directory.count,
      entries,
      read: (entry, start, end) => contents.read(entry as ZipEntry, start, end),
      readAll: (wanted) => contents.readAll(wanted as ZipEntry[]),
      layoutFault: () => contents.layoutFault(entries),
      close: () => closeSync(fd),
    };
  } catch (cause) {
    closeSync(fd);
    throw bundleNotReadableError(file, cause);
  }
}

function bundleNotReadableError(file: string, cause: unknown): ExportError {
  return new ExportError(
    'BundleNotReadable',
    `"${file}" is not a readable zip: ${errorMessage(cause)}.`,
    'Copy it again from where it was made.',
    { cause },
  );
}
