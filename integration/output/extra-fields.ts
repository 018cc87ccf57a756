// The extra fields of zip entries. Some give an entry another name or type in the programs that know them, so only fields that cannot are accepted.
import { crc32 } from 'node:zlib';

const numbers64 = 0x0001;
const unicodeName = 0x7075;

const harmless = new Set([
  numbers64,
  // Times and owners: of Windows, of Unix in its four forms, of Windows's access rights.
  ...[0x000a, 0x5455, 0x5855, 0x7855, 0x7875, 0x4453],
  // Comments in Unicode, padding of Office and Android, and the mark of Java's archives.
  ...[0x6375, 0xa220, 0xd935, 0xcafe],
]);

/** Why programs can read an entry with these fields differently: "has …". */
export function extraFieldFault(extra: Buffer, name: Buffer): string | undefined {
  const seen = new Set<number>();
  for (const { id, data } of fieldsOf(extra)) {
    if (!data) return 'has damaged extra fields';
    if (seen.has(id)) return `has the extra field ${hex(id)} more than once`;
    seen.add(id);
    if (id === unicodeName) {
      if (!data.equals(unicodeNameOf(name))) return 'has another name in an extra field, which some programs give it';
    } else if (!harmless.has(id)) return `has the extra field ${hex(id)}, which can give it another name or type`;
  }
  return undefined;
}

/** The numbers of an entry, of which those that do not fit into 32 bits are in the field of Zip64, in this order. */
export function wholeNumbers(extra: Buffer, narrow: number[]): number[] {
  const wide = field64(extra);
  let at = 0;
  return narrow.map((number) => {
    if (number !== maximum || !wide || at + 8 > wide.length) return number;
    at += 8;
    return Number(wide.readBigUInt64LE(at - 8));
  });
}

/** Whether the field of Zip64 has exactly the numbers that do not fit, and perhaps that of the part: programs read others differently. */
export function isExact64(extra: Buffer, narrow: number[]): boolean {
  const length = field64(extra)?.length ?? 0;
  const needed = 8 * narrow.filter((number) => number === maximum).length;
  return length === 0 || length === needed || length === needed + 4;
}

const maximum = 0xffffffff;

function field64(extra: Buffer): Buffer | undefined {
  for (const { id, data } of fieldsOf(extra)) if (id === numbers64) return data;
  return undefined;
}

/** `data` is undefined where the field is longer than the rest. */
function* fieldsOf(extra: Buffer): Generator<{ id: number; data: Buffer | undefined }> {
  for (let at = 0; at + 4 <= extra.length;) {
    const end = at + 4 + extra.readUInt16LE(at + 2);
    yield { id: extra.readUInt16LE(at), data: end > extra.length ? undefined : extra.subarray(at + 4, end) };
    at = end;
  }
}

/** The field that repeats the name as UTF-8. */
function unicodeNameOf(name: Buffer): Buffer {
  const head = Buffer.from([1, 0, 0, 0, 0]);
  head.writeUInt32LE(crc32(name), 1);
  return Buffer.concat([head, name]);
}

function hex(id: number): string {
  return `0x${id.toString(16).padStart(4, '0')}`;
}
