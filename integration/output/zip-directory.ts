// The list of files at the end of a zip (its central directory). It is read in pieces, so that neither the archive nor all of its
// list is in memory at a time; adm-zip lists the entries of each.
import { isUtf8 } from 'node:buffer';
import { fstat, read } from 'node:fs';
import { promisify } from 'node:util';
import AdmZip from 'adm-zip';
import { extraFieldFault, isExact64, wholeNumbers } from './extra-fields.ts';

/** A file or folder in an archive. */
export interface ArchiveEntry {
  name: string;
  /** Declared size when unpacked. */
  size: number;
  isFolder: boolean;
  isLink: boolean;
  /** Why it cannot be read: "is encrypted". */
  fault?: string | undefined;
}

export interface ZipEntry extends ArchiveEntry {
  /** 0 is stored, 8 is deflated; others have a `fault`. */
  method: number;
  crc: number;
  compressedSize: number;
  /** Position of the entry's own header. */
  offset: number;
  /** Whether a record after the data repeats its CRC-32 and sizes. */
  hasDescriptor: boolean;
}

export interface ZipDirectory {
  /** Of all entries, as the archive declares it. */
  count: number;
  start: number;
  end: number;
}

const endRecord = 0x06054b50;
const endRecord64 = 0x06064b50;
const locator64 = 0x07064b50;
const listRecord = 0x02014b50;

const longestDirectory = 256 * 1024 * 1024;
// Longer than the longest record: three fields of 65,535 bytes.
const pieceLength = 256 * 1024;
const mostInPiece = 100;
// adm-zip needs several KB and 30 µs per entry, so longer lists are parsed here.
const mostByAdmZip = 5000;

/**
 * Finds the list of files. Throws when the file is not a zip, is cut off, has bytes after its end, is a part of several, or when
 * its list takes more than 256 MiB.
 */
export async function findDirectory(fd: number): Promise<ZipDirectory> {
  const { size } = await promisify(fstat)(fd);
  const tail = await readAt(fd, Math.max(0, size - 22 - 0xffff), Math.min(size, 22 + 0xffff));
  const at = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (at < 0 || at + 22 > tail.length) throw new Error('it has no list of files at its end');
  const comment = tail.readUInt16LE(at + 20);
  const rest = tail.length - at - 22;
  if (rest !== comment) throw new Error(`its end is followed by ${rest} bytes, but its comment is ${comment} bytes long`);
  const position = size - tail.length + at;
  const narrow = readEnd(tail.subarray(at, at + 22), position);
  const wide = await findDirectory64(fd, position);
  if (wide && !agree(narrow, wide)) throw new Error('its two ends name different lists of files');
  const { isPart, count, length, start, end } = wide ?? narrow;
  if (isPart) throw new Error('it is one of several parts');
  if (start + length !== end) throw new Error('its list of files is not where it should be');
  if (length > longestDirectory) throw new Error(`its list of files is ${length} bytes long; the limit is ${longestDirectory}`);
  return { count, start, end };
}

interface End extends ZipDirectory {
  isPart: boolean;
  length: number;
}

function readEnd(record: Buffer, end: number): End {
  const [listed, count] = [record.readUInt16LE(8), record.readUInt16LE(10)];
  const isPart = record.readUInt32LE(4) !== 0 || listed !== count;
  return { isPart, count, length: record.readUInt32LE(12), start: record.readUInt32LE(16), end };
}

/** Whether programs that ignore the end of Zip64 find the same list, or none. */
function agree(narrow: End, wide: End): boolean {
  const fits = (number: number, own: number, most: number) => number === own || number === most;
  return (
    fits(narrow.count, wide.count, 0xffff) &&
    fits(narrow.length, wide.length, 0xffffffff) &&
    fits(narrow.start, wide.start, 0xffffffff)
  );
}

/** The end record of an archive with more than 65,535 files or 4 GiB; undefined if the archive is not Zip64. */
async function findDirectory64(fd: number, position: number): Promise<End | undefined> {
  if (position < 20 + 56) return undefined;
  const locator = await readAt(fd, position - 20, 20);
  if (locator.readUInt32LE(0) !== locator64) return undefined;
  const end = Number(locator.readBigUInt64LE(8));
  if (end > position - 20 - 56) throw new Error('its end is damaged');
  const record = await readAt(fd, end, 56);
  if (record.readUInt32LE(0) !== endRecord64 || end + 12 + Number(record.readBigUInt64LE(4)) !== position - 20) {
    throw new Error('its end is damaged');
  }
  const read = (at: number) => Number(record.readBigUInt64LE(at));
  const isPart = record.readUInt32LE(16) !== 0 || record.readUInt32LE(20) !== 0 || read(24) !== read(32);
  return { isPart, count: read(32), length: read(40), start: read(48), end };
}

/** The entries, in the order of the list, names unchecked. Throws when the list is damaged. */
export async function listEntries(fd: number, { count, start, end }: ZipDirectory): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = [];
  for (let position = start; position < end;) {
    const bytes = await readAt(fd, position, Math.min(pieceLength, end - position));
    let at = 0;
    for (const records of recordsOf(bytes)) {
      const listed = count <= mostByAdmZip ? entriesOf(records) : records.map(entryOf);
      for (const [index, record] of records.entries()) {
        entries.push(describe(listed[index]!, record));
        at += record.length;
      }
    }
    if (at === 0) throw damagedListError();
    position += at;
  }
  if (entries.length !== count) throw new Error(`it lists ${entries.length} files but declares ${count}`);
  return entries;
}

/** The complete records, in batches. */
function* recordsOf(bytes: Buffer): Generator<Buffer[]> {
  let records: Buffer[] = [];
  for (let at = 0; at + 46 <= bytes.length;) {
    if (bytes.readUInt32LE(at) !== listRecord) throw damagedListError();
    const next = at + 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    if (next > bytes.length) break;
    records.push(bytes.subarray(at, next));
    at = next;
    if (records.length < mostInPiece) continue;
    yield records;
    records = [];
  }
  if (records.length > 0) yield records;
}

function damagedListError(): Error {
  return new Error('its list of files is damaged');
}

/** The entries of records, read by adm-zip. It refuses a list with a duplicate name, which `checkEntries` reports instead. */
function entriesOf(records: Buffer[]): AdmZip.IZipEntry[] {
  const list = Buffer.concat(records);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(endRecord, 0);
  end.writeUInt16LE(records.length, 8);
  end.writeUInt16LE(records.length, 10);
  end.writeUInt32LE(list.length, 12);
  try {
    return new AdmZip(Buffer.concat([list, end]), { noSort: true }).getEntries();
  } catch (error) {
    if (records.length === 1) throw error;
    return records.flatMap((record) => entriesOf([record]));
  }
}

interface Listed {
  rawEntryName: Buffer;
  header: Pick<AdmZip.IZipEntry['header'], 'flags' | 'method' | 'crc' | 'attr'>;
  extra: Buffer;
}

/** The entry of a record, as adm-zip reads it. */
function entryOf(record: Buffer): Listed {
  const endOfName = 46 + record.readUInt16LE(28);
  return {
    rawEntryName: record.subarray(46, endOfName),
    header: {
      flags: record.readUInt16LE(8),
      method: record.readUInt16LE(10),
      crc: record.readUInt32LE(16),
      attr: record.readUInt32LE(38),
    },
    extra: record.subarray(endOfName, endOfName + record.readUInt16LE(30)),
  };
}

// adm-zip reads the numbers of Zip64 only where all of them are there, so they come from the record.
function describe(listed: Listed, record: Buffer): ZipEntry {
  const { rawEntryName, header, extra } = listed;
  const name = rawEntryName.toString('utf8');
  const narrow = [record.readUInt32LE(24), record.readUInt32LE(20), record.readUInt32LE(42)];
  const [size = 0, compressedSize = 0, offset = 0] = wholeNumbers(extra, narrow);
  const isFolder = name.endsWith('/');
  const fault = isExact64(extra, narrow) ? faultOf(listed, isFolder, size) : 'has sizes that programs read differently';
  return {
    name,
    size,
    compressedSize,
    method: header.method,
    crc: header.crc,
    offset,
    hasDescriptor: (header.flags & descriptorFlag) !== 0,
    isFolder,
    isLink: fileType(header.attr) === 0o120000,
    fault,
  };
}

/** Encryption of data or header. */
export const unreadableFlags = 0b10_0000_0100_0001;
export const descriptorFlag = 0b1000;

function faultOf({ rawEntryName, header, extra }: Listed, isFolder: boolean, size: number): string | undefined {
  const { flags, method, attr } = header;
  if (!isUtf8(rawEntryName)) return 'has a name that is not UTF-8';
  if ((flags & unreadableFlags) !== 0) return 'is encrypted';
  if (method !== 0 && method !== 8) return `is compressed by the method ${method}; only 0 (stored) and 8 (deflated) are read`;
  if (isFolder && size > 0) return 'is a folder with content';
  if (!isFolder && !fileTypes.has(fileType(attr))) return 'is a folder or device by its type';
  return extraFieldFault(extra, rawEntryName);
}

/** None, as of programs that are not of Unix; a file; a symbolic link, which is reported as such. */
const fileTypes = new Set([0, 0o100000, 0o120000]);

function fileType(attributes: number): number {
  return (attributes >>> 16) & 0o170000;
}

/** Reads exactly `length` bytes of a file. */
export function readAt(fd: number, position: number, length: number): Promise<Buffer> {
  return readInto(fd, position, Buffer.allocUnsafe(length));
}

/** Fills the buffer with bytes of a file, and returns it. */
export async function readInto(fd: number, position: number, bytes: Buffer): Promise<Buffer> {
  for (let at = 0; at < bytes.length;) {
    const { bytesRead } = await promisify(read)(fd, bytes, at, bytes.length - at, position + at);
    if (bytesRead === 0) throw new Error('it is cut off');
    at += bytesRead;
  }
  return bytes;
}
