import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { packBundle } from '../../support/pack-bundle.ts';
import { temporaryFolder } from '../export/folder.ts';
import { writeFiles } from '../../support/write-files.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The manifest of these files. */
export function manifestOf(files: Record<string, string>, version = 'x'): string {
  const listed = Object.entries(files).map(([path, text]) => [path, { sha256: sha256(text), size: Buffer.byteLength(text) }]);
  return JSON.stringify({
    format: 1,
    site: 'Docs',
    version,
    deployment: 'cloud',
    generator: 'test/1',
    entry: 'index.html',
    indexes: [],
    pages: [],
    redirects: [],
    files: Object.fromEntries(listed) as object,
  });
}

/** An export folder of exactly these files. */
export function folderOf(files: Record<string, string>): string {
  return writeFiles(join(temporaryFolder(), 'site'), files);
}

/** Files of a small export, and the whole of it. */
export const good = { 'index.html': '<p>Hi</p>', 'a/b.txt': 'é'.repeat(5000) };
export const whole = { ...good, 'carrel.json': manifestOf(good), 'carrel.config.js': '// any' };

/** Their bundle, as ours are packed. */
export async function archiveOf(files: Record<string, string>): Promise<string> {
  const folder = folderOf(files);
  await packBundle(folder, `${folder}.zip`);
  return `${folder}.zip`;
}

export interface HostileEntry {
  name: string | Buffer;
  text: string;
  size?: number;
  mode?: number;
  method?: number;
  flags?: number;
  crc?: number;
  /** Replaces the deflated text. */
  data?: Buffer;
  /** The name in the entry's own header, where it is another. */
  localName?: string;
  /** Fields of 16 and 32 bits of its own header, by their position, where they are others. */
  local16?: Record<number, number>;
  local32?: Record<number, number>;
  /** Extra fields in the list, and in its own header. */
  extra?: Buffer;
  localExtra?: Buffer;
  /** Bytes before its header, and after its data. */
  before?: Buffer;
  after?: Buffer;
}

/** An extra field of a zip entry. */
export function extraField(id: number, data: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(id, 0);
  head.writeUInt16LE(data.length, 2);
  return Buffer.concat([head, data]);
}

/** The extra field with which programs rename an entry. */
export function unicodeName(name: string, renamed: string): Buffer {
  const head = Buffer.from([1, 0, 0, 0, 0]);
  head.writeUInt32LE(crc32(Buffer.from(name)), 1);
  return extraField(0x7075, Buffer.concat([head, Buffer.from(renamed)]));
}

/** An invalid zip: names, sizes and modes as given, and bytes after the end. */
export function hostileArchive(entries: HostileEntry[], options: Parameters<typeof hostileBytes>[1] = {}): string {
  const file = join(temporaryFolder(), 'hostile.zip');
  writeFileSync(file, hostileBytes(entries, options));
  return file;
}

export function hostileBytes(
  entries: HostileEntry[],
  { comment = 0, after = '', beforeList = Buffer.alloc(0) }: { comment?: number; after?: string; beforeList?: Buffer } = {},
): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  const none = Buffer.alloc(0);
  for (const { name, text, size, mode = 0o100644, method = 8, flags = 0x800, localName, ...given } of entries) {
    const { extra = none, localExtra = none, before = none, after = none } = given;
    const data = given.data ?? deflateRawSync(text);
    const fileName = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(given.crc ?? crc32(Buffer.from(text)), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(size ?? Buffer.byteLength(text), 18);
    common.writeUInt16LE(fileName.length, 22);
    const ownName = Buffer.from(localName ?? fileName);
    const own = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, ownName, localExtra, data, after]);
    own.writeUInt16LE(localExtra.length, 28);
    for (const [at, number] of Object.entries(given.local16 ?? {})) own.writeUInt16LE(number, Number(at));
    for (const [at, number] of Object.entries(given.local32 ?? {})) own.writeUInt32LE(number, Number(at));
    offset += before.length;
    common.writeUInt16LE(extra.length, 24);
    const header = Buffer.alloc(14);
    header.writeUInt32LE((mode << 16) >>> 0, 6);
    header.writeUInt32LE(offset, 10);
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, header, fileName, extra]));
    locals.push(before, own);
    offset += own.length;
  }
  const directory = Buffer.concat(central);
  locals.push(beforeList);
  offset += beforeList.length;
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(comment, 20);
  return Buffer.concat([...locals, directory, end, Buffer.from(after)]);
}

/** The whole export in a zip written by hand, with more entries. */
export const hostile = (...extra: HostileEntry[]) =>
  hostileArchive([...Object.entries(whole).map(([name, text]) => ({ name, text })), ...extra]);
