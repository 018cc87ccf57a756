// The contents of a zip's entries: small ones whole and many at a time, large ones as streams.
import { pipeline } from 'node:stream';
import { crc32, createInflateRaw, gunzipSync, inflateRawSync } from 'node:zlib';
import { errorCode } from '../errors.ts';
import type { EntryContent } from './archive.ts';
import { readAt, type ZipDirectory, type ZipEntry } from './zip-directory.ts';

// A larger entry is streamed.
const largestWhole = 1024 * 1024;
const pieceLength = 32 * 1024;
const readAhead = 256 * 1024;
const unpackedTogether = 128 * 1024;

/** Reads the entries of an opened zip. Every content that is read to its end has the size and the CRC-32 that its entry declares. */
export function zipContents(fd: number, directory: ZipDirectory) {
  let ahead: { start: number; bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) };

  /** Bytes of the archive. For sequential reads, it reads ahead for the next call. */
  async function bytesAt(start: number, length: number): Promise<Buffer> {
    const from = start - ahead.start;
    if (from >= 0 && from + length <= ahead.bytes.length) return ahead.bytes.subarray(from, from + length);
    if (start + length > directory.start) throw new Error('its data is not where the archive says');
    const goesOn = from >= 0 && from <= ahead.bytes.length;
    const most = goesOn ? Math.max(length, Math.min(readAhead, directory.start - start)) : length;
    ahead = { start, bytes: await readAt(fd, start, most) };
    return ahead.bytes.subarray(0, length);
  }

  /** Where the data of an entry starts. Its own header must match the list: other programs use either. */
  async function dataStart(entry: ZipEntry): Promise<number> {
    const header = await bytesAt(entry.offset, 30);
    const [nameLength, extraLength] = [header.readUInt16LE(26), header.readUInt16LE(28)];
    const isSame =
      header.readUInt32LE(0) === 0x04034b50 && (header.readUInt16LE(6) & 1) === 0 && header.readUInt16LE(8) === entry.method;
    const name = isSame ? await bytesAt(entry.offset + 30, nameLength) : undefined;
    if (!name?.equals(Buffer.from(entry.name))) throw new Error('its header is not the one that the archive lists');
    const start = entry.offset + 30 + nameLength + extraLength;
    if (start + entry.compressedSize > directory.start) throw new Error('its data is not where the archive says');
    return start;
  }

  async function* packedPieces(start: number, end: number): AsyncGenerator<Uint8Array> {
    for (let at = start; at < end; at += pieceLength) yield await readAt(fd, at, Math.min(pieceLength, end - at));
  }

  /** All bytes of an entry; checks size and CRC-32 at their end. */
  async function* checkedPieces(entry: ZipEntry): AsyncGenerator<Uint8Array> {
    const start = await dataStart(entry);
    const packed = packedPieces(start, start + entry.compressedSize);
    const inflate = entry.method === 0 ? undefined : createInflateRaw({ chunkSize: pieceLength });
    // Errors come out of the loop below.
    const pieces = inflate ? pipeline(packed, inflate, () => {}) : packed;
    let [length, crc] = [0, 0];
    for await (const piece of pieces as AsyncIterable<Uint8Array>) {
      length += piece.length;
      // An archive can contain more than it declares.
      if (length > entry.size) throw longer(entry);
      crc = crc32(piece, crc);
      yield piece;
    }
    if (inflate && inflate.bytesWritten !== entry.compressedSize) throw followed();
    checkWhole(entry, length, crc);
  }

  async function* read(entry: ZipEntry, start = 0, end = entry.size): AsyncGenerator<Uint8Array> {
    const isWhole = start === 0 && end === entry.size;
    if (isSmall(entry)) {
      const bytes = unpackOne(entry, await bytesAt(await dataStart(entry), entry.compressedSize));
      yield isWhole ? bytes : bytes.subarray(start, end);
    } else if (isWhole) {
      yield* checkedPieces(entry);
    } else if (entry.method === 0) {
      const from = await dataStart(entry);
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
    async *readAll(entries: ZipEntry[]): AsyncGenerator<EntryContent> {
      let packed: Packed[] = [];
      let bytes = 0;
      for (const entry of entries) {
        if (!isSmall(entry)) {
          yield* unpack(packed);
          [packed, bytes] = [[], 0];
          yield { entry, pieces: read(entry) };
          continue;
        }
        try {
          packed.push({ entry, data: await bytesAt(await dataStart(entry), entry.compressedSize) });
        } catch (error) {
          packed.push({ entry, error });
        }
        bytes += entry.size + entry.compressedSize;
        if (bytes < unpackedTogether && packed.length < 1000) continue;
        yield* unpack(packed);
        [packed, bytes] = [[], 0];
      }
      yield* unpack(packed);
    },
  };
}

interface Packed {
  entry: ZipEntry;
  data?: Buffer;
  error?: unknown;
}

function isSmall({ size, compressedSize }: ZipEntry): boolean {
  return size <= largestWhole && compressedSize <= largestWhole + 1024;
}

/**
 * Unpacks many small entries. Each inflate context costs more than a small entry, so the deflated ones become the members of one
 * gzip file, which one context unpacks; zlib itself then checks the size and the CRC-32 of each.
 */
function* unpack(packed: Packed[]): Generator<EntryContent> {
  const members = packed.filter(({ entry, data }) => entry.method === 8 && data && !data.includes(gzipHeader.subarray(0, 3)));
  const together = unpackMembers(members);
  let at = 0;
  const taken = new Set(together && members);
  for (const each of packed) {
    const { entry, data } = each;
    let bytes: Uint8Array | undefined;
    let { error } = each;
    try {
      if (taken.has(each)) bytes = together!.subarray(at, (at += entry.size));
      else if (data) bytes = unpackOne(entry, data);
    } catch (cause) {
      error = cause;
    }
    yield { entry, pieces: bytes ? [bytes] : failing(error) };
  }
}

const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);

/** Undefined when any of them is damaged; `unpackOne` then finds which one. */
function unpackMembers(members: Packed[]): Buffer | undefined {
  const total = members.reduce((sum, { entry }) => sum + entry.size, 0);
  const parts = members.flatMap(({ entry, data }) => {
    const trailer = Buffer.allocUnsafe(8);
    trailer.writeUInt32LE(entry.crc, 0);
    trailer.writeUInt32LE(entry.size, 4);
    return [gzipHeader, data!, trailer];
  });
  try {
    const bytes = gunzipSync(Buffer.concat(parts), { maxOutputLength: Math.max(total, 1), chunkSize: Math.max(total + 1, 64) });
    return bytes.length === total ? bytes : undefined;
  } catch {
    return undefined;
  }
}

function unpackOne(entry: ZipEntry, data: Buffer): Uint8Array {
  let bytes: Uint8Array = data;
  if (entry.method === 8) {
    let inflated: Inflated;
    try {
      inflated = inflateRawSync(data, { maxOutputLength: Math.max(entry.size, 1), info: true }) as unknown as Inflated;
    } catch (cause) {
      if (errorCode(cause) === 'ERR_BUFFER_TOO_LARGE') throw longer(entry);
      throw new Error('its compressed data is damaged', { cause });
    }
    bytes = inflated.buffer;
    if (inflated.engine.bytesWritten !== data.length) throw followed();
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
  if (length > entry.size) throw longer(entry);
  if (length < entry.size) throw new Error(`it has ${length} bytes where the archive says ${entry.size}`);
  if (crc !== entry.crc) throw new Error('its CRC-32 is not the one that the archive lists');
}

function longer({ size }: ZipEntry): Error {
  return new Error(`it has more than the ${size} bytes that the archive declares`);
}

function followed(): Error {
  return new Error('other bytes follow its compressed data');
}

function failing(error: unknown): AsyncIterable<never> {
  const next = () => Promise.reject(error);
  return { [Symbol.asyncIterator]: () => ({ next }) };
}
