// The entries' own headers in front of their data. Programs that read an archive from a pipe use these alone, and others the list at its end.
import { errorMessage } from '../errors.ts';
import { shownName } from '../text/escape.ts';
import { extraFieldFault, wholeNumbers } from './extra-fields.ts';
import { descriptorFlag, readInto, unreadableFlags, type ZipDirectory, type ZipEntry } from './zip-directory.ts';

/** Bytes of the archive; valid until the next call. */
export type BytesAt = (start: number, length: number) => Buffer | Promise<Buffer>;

/** Reads bytes of the archive, at least `ahead` at a time. What it returns is valid until the next call. */
export function archiveReader(fd: number, directory: ZipDirectory, ahead: number): BytesAt {
  let buffer = Buffer.alloc(0);
  let known = { start: 0, end: 0 };
  const fill = async (start: number, length: number): Promise<Buffer> => {
    if (start + length > directory.start) throw new Error('its data is not where the archive says');
    const end = Math.min(start + Math.max(length, ahead), directory.start);
    known = { start: 0, end: 0 };
    if (buffer.length < end - start) buffer = Buffer.allocUnsafeSlow(end - start);
    await readInto(fd, start, buffer.subarray(0, end - start));
    known = { start, end };
    return buffer.subarray(0, length);
  };
  return (start, length) =>
    start >= known.start && start + length <= known.end
      ? buffer.subarray(start - known.start, start - known.start + length)
      : fill(start, length);
}

interface DataRange {
  start: number;
  end: number;
  /** False where only a record after the data has them. */
  hasSizes: boolean;
}

/** Where the data of an entry is. Throws when its own header says something else than the list. */
export async function dataRange(entry: ZipEntry, directory: ZipDirectory, bytesAt: BytesAt): Promise<DataRange> {
  const header = await bytesAt(entry.offset, 30);
  const [nameLength, extraLength] = [header.readUInt16LE(26), header.readUInt16LE(28)];
  const flags = header.readUInt16LE(6);
  const isSame =
    header.readUInt32LE(0) === 0x04034b50 &&
    (flags & unreadableFlags) === 0 &&
    ((flags & descriptorFlag) !== 0) === entry.hasDescriptor &&
    header.readUInt16LE(8) === entry.method;
  const crc = header.readUInt32LE(14);
  const sizes = [header.readUInt32LE(22), header.readUInt32LE(18)];
  const rest = isSame ? await bytesAt(entry.offset + 30, nameLength + extraLength) : undefined;
  const name = rest?.subarray(0, nameLength);
  if (!rest || !name?.equals(Buffer.from(entry.name))) throw otherHeaderError();
  const extra = rest.subarray(nameLength);
  const fault = extraFieldFault(extra, name);
  if (fault) throw new Error(`its header ${fault}`);
  const [size, compressedSize] = wholeNumbers(extra, sizes);
  const isEither = (own: number | undefined, listed: number) => own === listed || (entry.hasDescriptor && own === 0);
  if (!isEither(crc, entry.crc) || !isEither(size, entry.size) || !isEither(compressedSize, entry.compressedSize))
    throw otherHeaderError();
  const start = entry.offset + 30 + nameLength + extraLength;
  const end = start + entry.compressedSize;
  if (end > directory.start) throw new Error('its data is not where the archive says');
  return { start, end, hasSizes: size === entry.size && compressedSize === entry.compressedSize };
}

function otherHeaderError(): Error {
  return new Error('its header is not the one that the archive lists');
}

/**
 * What a program that reads the archive from a pipe would read differently: bytes that belong to no listed entry, which can be entries that the
 * list does not have.
 */
export async function layoutFault(entries: ZipEntry[], directory: ZipDirectory, bytesAt: BytesAt): Promise<string | undefined> {
  const sorted = entries.toSorted((one, other) => one.offset - other.offset);
  if ((sorted[0]?.offset ?? directory.start) > 0)
    return 'It does not begin with an entry that it lists; other programs can unpack what is there.';
  for (const [index, entry] of sorted.entries()) {
    const name = `The entry "${shownName(entry.name)}"`;
    const next = sorted[index + 1]?.offset ?? directory.start;
    try {
      const { end, hasSizes } = await dataRange(entry, directory, bytesAt);
      if (entry.hasDescriptor && entry.method === 0 && !hasSizes)
        return `${name} is stored without its length before it, so other programs can find another end of it.`;
      const isExact = entry.hasDescriptor ? isDescriptor(await bytesAt(end, Math.max(0, next - end)), entry) : end === next;
      if (!isExact) return `${name} is followed by bytes that belong to no listed entry; other programs can unpack them.`;
    } catch (error) {
      return `${name} cannot be read: ${errorMessage(error)}.`;
    }
  }
  return undefined;
}

/** Whether these are the record after the data of an entry: CRC-32 and sizes, of 32 or 64 bits, with or without a signature before them. */
function isDescriptor(bytes: Buffer, { crc, compressedSize, size }: ZipEntry): boolean {
  if (![12, 16, 20, 24].includes(bytes.length)) return false;
  const isSigned = bytes.length % 8 === 0;
  if (isSigned && bytes.readUInt32LE(0) !== 0x08074b50) return false;
  const own = isSigned ? bytes.subarray(4) : bytes;
  const sizes =
    own.length === 20
      ? [Number(own.readBigUInt64LE(4)), Number(own.readBigUInt64LE(12))]
      : [own.readUInt32LE(4), own.readUInt32LE(8)];
  return own.readUInt32LE(0) === crc && sizes[0] === compressedSize && sizes[1] === size;
}
