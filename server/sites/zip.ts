import AdmZip from 'adm-zip';
import { ExportError } from '../../integration/errors.ts';
import type { SiteFiles } from './open-site.ts';

/**
 * The files of an archive, read in place: only what is asked for is unpacked, and nothing is written to disk.
 * Throws `ExportError` `NotAnArchive`.
 */
export function openZip(bytes: Buffer, source: string): SiteFiles {
  const entries = new Map(readEntries(bytes, source).map((entry) => [entry.entryName, entry]));
  return {
    async file(path) {
      const entry = entries.get(path);
      if (!entry) return undefined;
      const { size, crc } = entry.header;
      return {
        path,
        size,
        tag: `${size.toString(36)}-${(crc >>> 0).toString(36)}`,
        read: async (start, end) => new Uint8Array(entry.getData()).subarray(start, end + 1),
      };
    },
  };
}

function readEntries(bytes: Buffer, source: string): AdmZip.IZipEntry[] {
  try {
    return new AdmZip(bytes).getEntries().filter((entry) => !entry.isDirectory);
  } catch (cause) {
    const hint = 'Name the folder or the zip that "carrel export" wrote; if it is a zip, copy it again.';
    throw new ExportError('NotAnArchive', `"${source}" is neither a folder nor a zip that can be read.`, hint, { cause });
  }
}
