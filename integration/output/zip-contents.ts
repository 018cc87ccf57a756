// The contents of a zip's entries: small ones whole and many at a time, large ones as streams.
import { pipeline } from 'node:stream';
import { crc32, createInflateRaw, gunzipSync, inflateRawSync } from 'node:zlib';
import { errorCode } from '../errors.ts';
import { freeBuffer } from './free-buffer.ts';
import { archiveReader, dataRange, layoutFault } from './local-headers.ts';
import { readAt, type ArchiveEntry, type ZipDirectory, type ZipEntry } from './zip-directory.ts';

// A larger entry is streamed.
const largestWhole = 1024 * 1024;
const pieceLength = 32 * 1024;
const readAhead = 256 * 1024;
const unpackedTogether = 128 * 1024;
// Room for what is unpacked together, compressed.
const packedTogether = 256 * 1024;
// What an entry's own header takes without its name; extra fields are seldom longer.
const headerRoom = 30 + 128;

export interface EntryContent {
  entry: ArchiveEntry;
  /** A small entry comes whole. */
  content: Uint8Array | AsyncIterable<Uint8Array>;
}

/** Reads the entries of an opened zip. Every content that is read to its end has the size and the CRC-32 that its entry declares. */
export function zipContents(fd: number, directory: ZipDirectory) {
  const reader = (ahead: number) => archiveReader(fd, directory, ahead);
  const startOf = async (entry: ZipEntry, bytesAt = reader(headerRoom)) => (await dataRange(entry, directory, bytesAt)).start;

  async function* packedPieces(start: number, end: number): AsyncGenerator<Uint8Array> {
    for (let at = start; at < end; at += pieceLength) yield await readAt(fd, at, Math.min(pieceLength, end - at));
  }

  /** All bytes of an entry; checks size and CRC-32 at their end. */
  async function* checkedPieces(entry: ZipEntry): AsyncGenerator<Uint8Array> {
    const start = await startOf(entry);
    const packed = packedPieces(start, start + entry.compressedSize);
    const inflate = entry.method === 0 ? undefined : createInflateRaw({ chunkSize: pieceLength });
    // Errors come out of the loop below.
    const pieces = inflate ? pipeline(packed, inflate, () => {}) : packed;
    let [length, crc] = [0, 0];
    for await (const piece of pieces as AsyncIterable<Uint8Array>) {
      length += piece.length;
      // An archive can contain more than it declares.
      if (length > entry.size) throw entryTooLongError(entry);
      crc = crc32(piece, crc);
      yield piece;
    }
    if (inflate && inflate.bytesWritten !== entry.compressedSize) throw trailingBytesError();
    checkWhole(entry, length, crc);
  }

  async function* read(entry: ZipEntry, start = 0, end = entry.size): AsyncGenerator<Uint8Array> {
    const isWhole = start === 0 && end === entry.size;
    if (isSmall(entry)) {
      const bytesAt = reader(headerRoom + entry.name.length + entry.compressedSize);
      const bytes = unpackOne(entry, await bytesAt(await startOf(entry, bytesAt), entry.compressedSize));
      yield isWhole ? bytes : bytes.subarray(start, end);
    } else if (isWhole) {
      yield* checkedPieces(entry);
    } else if (entry.method === 0) {
      const from = await startOf(entry);
      yield* packedPieces(from + start, from + end);
    } else {
      let at = 0;
      for await (const piece of checkedPieces(entry)) {
        const part = piece.subarray(Math.max(0, start - at), end - at);
        at += piece.length;
        if (part.length > 0) yield part;
        if (at >= end) return;
      }
    }
  }

  return {
    read,
    layoutFault: (entries: ZipEntry[]) => layoutFault(entries, directory, reader(readAhead)),
    async *readAll(entries: ZipEntry[]): AsyncGenerator<EntryContent> {
      const bytesAt = reader(readAhead);
      const batch = createBatch();
      for (const entry of entries) {
        if (!isSmall(entry)) {
          yield* batch.unpack();
          yield { entry, content: read(entry) };
          continue;
        }
        try {
          const data = await bytesAt(await startOf(entry, bytesAt), entry.compressedSize);
          if (!batch.hasRoom(entry)) yield* batch.unpack();
          batch.add(entry, data);
        } catch (error) {
          batch.addFault(entry, error);
        }
        if (batch.isFull()) yield* batch.unpack();
      }
      yield* batch.unpack();
    },
  };
}

function isSmall({ size, compressedSize }: ZipEntry): boolean {
  return size <= largestWhole && compressedSize <= largestWhole + 1024;
}

interface Packed {
  entry: ZipEntry;
  /** Compressed as in the archive. */
  data?: Buffer;
  isMember?: boolean;
  error?: unknown;
}

/**
 * Small entries that are unpacked together. Each inflate context costs more than a small entry, so the deflated ones become the members of
 * one gzip file, which one context unpacks; zlib itself then checks the size and the CRC-32 of each.
 */
function createBatch() {
  const members = Buffer.allocUnsafeSlow(packedTogether);
  let entries: Packed[] = [];
  // Bytes of the members, packed and unpacked, and of all entries.
  let [packed, unpacked, bytes] = [0, 0, 0];

  function hasRoom({ compressedSize }: ZipEntry): boolean {
    return packed + compressedSize + memberFrame <= members.length;
  }

  /** Undefined when any of them is damaged; `unpackOne` then finds which one. */
  function unpackMembers() {
    try {
      const options = { maxOutputLength: Math.max(unpacked, 1), chunkSize: Math.max(unpacked + 1, 64) };
      const content = gunzipSync(members.subarray(0, packed), options);
      return content.length === unpacked ? content : undefined;
    } catch {
      return undefined;
    }
  }

  return {
    hasRoom,
    isFull: (): boolean => bytes >= unpackedTogether || entries.length >= 1000,
    addFault: (entry: ZipEntry, error: unknown): void => void entries.push({ entry, error }),
    add(entry: ZipEntry, data: Buffer): void {
      bytes += entry.size + data.length;
      const isMember = entry.method === 8 && hasRoom(entry) && !data.includes(gzipHeader.subarray(0, 3));
      if (!isMember) return void entries.push({ entry, data: Buffer.from(data) });
      const start = packed + gzipHeader.copy(members, packed);
      const end = start + data.copy(members, start);
      members.writeUInt32LE(entry.crc, end);
      members.writeUInt32LE(entry.size, end + 4);
      [packed, unpacked] = [end + 8, unpacked + entry.size];
      entries.push({ entry, data: members.subarray(start, end), isMember });
    },
    /** Their contents; then it is empty. */
    *unpack(): Generator<EntryContent> {
      const together = unpackMembers();
      let at = 0;
      for (const { entry, data, isMember, error } of entries) {
        let content: EntryContent['content'];
        try {
          if (isMember && together) content = together.subarray(at, (at += entry.size));
          else content = data ? unpackOne(entry, data) : failing(error);
        } catch (cause) {
          content = failing(cause);
        }
        yield { entry, content };
      }
      if (together) freeBuffer(together);
      entries = [];
      [packed, unpacked, bytes] = [0, 0, 0];
    },
  };
}

const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
/** Bytes of a member besides its data. */
const memberFrame = gzipHeader.length + 8;

function unpackOne(entry: ZipEntry, data: Buffer): Uint8Array {
  let bytes: Uint8Array = data;
  if (entry.method === 8) {
    let inflated: Inflated;
    try {
      inflated = inflateRawSync(data, { maxOutputLength: Math.max(entry.size, 1), info: true }) as unknown as Inflated;
    } catch (cause) {
      if (errorCode(cause) === 'ERR_BUFFER_TOO_LARGE') throw entryTooLongError(entry);
      throw new Error('its compressed data is damaged', { cause });
    }
    bytes = inflated.buffer;
    if (inflated.engine.bytesWritten !== data.length) throw trailingBytesError();
  }
  checkWhole(entry, bytes.length, crc32(bytes));
  return bytes;
}

/** What the functions of `node:zlib` return with the option `info`. */
interface Inflated {
  buffer: Buffer;
  engine: { bytesWritten: number };
}

function checkWhole(entry: ZipEntry, length: number, crc: number): void {
  if (length > entry.size) throw entryTooLongError(entry);
  if (length < entry.size) throw new Error(`it has ${length} bytes where the archive says ${entry.size}`);
  if (crc !== entry.crc) throw new Error('its CRC-32 is not the one that the archive lists');
}

function entryTooLongError({ size }: ZipEntry): Error {
  return new Error(`it has more than the ${size} bytes that the archive declares`);
}

function trailingBytesError(): Error {
  return new Error('other bytes follow its compressed data');
}

function failing(error: unknown): AsyncIterable<never> {
  const next = () => Promise.reject(error);
  return { [Symbol.asyncIterator]: () => ({ next }) };
}
