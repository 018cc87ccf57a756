import { createHash } from 'node:crypto';
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import yazl from 'yazl';
import { openArchive, type Archive } from '../../../integration/output/read-archive.ts';
import { hostileArchive, type HostileEntry } from './archives.ts';
import { temporaryFolder } from '../export/folder.ts';

/** What an archive holds: the text of each entry, or why it cannot be read. */
async function contentsOf(archive: Archive): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { entry, content } of archive.readAll(archive.entries)) {
    found[entry.name] = await textOf(content instanceof Uint8Array ? [content] : content).catch(
      (error: Error) => `Error: ${error.message}`,
    );
  }
  return found;
}

async function textOf(pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const piece of pieces) parts.push(piece);
  return Buffer.concat(parts).toString();
}

const text = 'The tide tables. '.repeat(40);
const damaged = deflateRawSync(text);
// There is no third kind of block.
damaged[0]! |= 0b110;

describe('an unreadable entry is reported with the reason, and the others are read', () => {
  const bomb = 'x'.repeat(3_000_000);
  // A whole member of a gzip file: entries are unpacked as such.
  const member = Buffer.concat([
    deflateRawSync(''),
    Buffer.alloc(8),
    Buffer.from('1f8b08000000000000ff', 'hex'),
    deflateRawSync(text),
  ]);
  test.each<[string, Partial<HostileEntry>, string]>([
    ['another CRC-32', { crc: 1 }, 'its CRC-32 is not the one that the archive lists'],
    [
      'another CRC-32, stored',
      { crc: 1, method: 0, data: Buffer.from(text) },
      'its CRC-32 is not the one that the archive lists',
    ],
    ['damaged data', { data: damaged }, 'its compressed data is damaged'],
    ['fewer bytes than it says', { size: 10_000 }, 'it has 680 bytes where the archive says 10000'],
    ['more bytes than it says', { size: 10 }, 'it has more than the 10 bytes that the archive declares'],
    ['many more bytes than it says', { text: bomb, size: 10 }, 'it has more than the 10 bytes that the archive declares'],
    [
      'many more bytes than its many',
      { text: bomb, size: 2_000_000 },
      'it has more than the 2000000 bytes that the archive declares',
    ],
    [
      'data after its data',
      { data: Buffer.concat([deflateRawSync(text), Buffer.from('more')]) },
      'other bytes follow its compressed data',
    ],
    ['a second member', { data: member }, 'other bytes follow its compressed data'],
    ['another name in its own header', { localName: 'b.txt' }, 'its header is not the one that the archive lists'],
  ])('%s', async (_, entry, reason) => {
    const others = ['before', 'after'].map((name) => ({ name, text: `${name} it` }));
    const archive = await openArchive(hostileArchive([others[0]!, { name: 'a.txt', text, ...entry }, others[1]!]));
    expect(await contentsOf(archive)).toEqual({ before: 'before it', 'a.txt': `Error: ${reason}`, after: 'after it' });
    await expect(textOf(archive.read(archive.entries[1]!))).rejects.toThrow(reason);
    archive.close();
  });
});

test.each([
  ['small', 10_000],
  ['large', 3_000_000],
])('ranges of a %s entry, deflated or stored, have the same bytes as the whole entry', async (_, size) => {
  const bytes = Buffer.alloc(size, 'Tides come and go, and come again. ');
  const archive = await openArchive(
    hostileArchive([
      { name: 'deflated', text: bytes.toString() },
      { name: 'stored', text: bytes.toString(), method: 0, data: bytes },
    ]),
  );
  for (const entry of archive.entries) {
    for (const [start, end] of [
      [0, size],
      [0, 10],
      [size - 7, size],
      [4_000, 9_000],
      [size / 2, size / 2 + 1],
    ] as const) {
      expect(await textOf(archive.read(entry, start, end))).toBe(bytes.toString('utf8', start, end));
    }
  }
  archive.close();
});

test.each([4_999, 5_001, 20_000])('lists and reads %i entries in every listing format', async (count) => {
  const entries = Array.from({ length: count }, (_, index) => {
    return { name: `pages/${index % 50}/page-${index}é.txt`, text: `Page ${index} – é` };
  });
  const archive = await openArchive(hostileArchive(entries));
  expect(archive.entries).toHaveLength(count);
  const [named] = archive.entries.filter(({ name }) => name === 'pages/21/page-4321é.txt');
  expect(named).toMatchObject({ size: 16, isFolder: false, isLink: false, fault: undefined });
  expect(await contentsOf(archive)).toEqual(Object.fromEntries(entries.map(({ name, text }) => [name, text])));
  archive.close();
});

test('reads a Zip64 archive, and refuses one whose ends differ', async () => {
  const file = join(temporaryFolder(), 'wide.zip');
  const zip = new yazl.ZipFile();
  zip.addBuffer(Buffer.from('Some words'), 'a.txt');
  zip.addReadStream(Readable.from([Buffer.from('Some more')]), 'b.txt', { forceZip64Format: true });
  zip.end({ forceZip64Format: true } as yazl.EndOptions);
  await pipeline(zip.outputStream, createWriteStream(file));
  const archive = await openArchive(file);
  expect(await contentsOf(archive)).toEqual({ 'a.txt': 'Some words', 'b.txt': 'Some more' });
  archive.close();

  // Programs that ignore Zip64 would find another list.
  const bytes = readFileSync(file);
  bytes.writeUInt32LE(0, bytes.length - 6);
  writeFileSync(file, bytes);
  await expect(openArchive(file)).rejects.toMatchObject({
    code: 'BundleNotReadable',
    message: expect.stringContaining('its two ends name different lists of files') as string,
  });
});

test('reads no more of a directory than the limit allows', async () => {
  const file = hostileArchive(['a', 'b', 'c'].map((name) => ({ name, text: '' })));
  const archive = await openArchive(file, { bytes: 1, files: 2 });
  expect(archive).toMatchObject({ count: 3, entries: [] });
  archive.close();
});

test('the hashes of a large entry read in parts and whole agree', async () => {
  const large = Buffer.alloc(5_000_000, 'abcdefg');
  const archive = await openArchive(hostileArchive([{ name: 'a', text: large.toString() }]));
  const hash = createHash('sha256');
  for (let at = 0; at < large.length; at += 1_234_567) {
    for await (const piece of archive.read(archive.entries[0]!, at, Math.min(at + 1_234_567, large.length))) hash.update(piece);
  }
  expect(hash.digest('hex')).toBe(createHash('sha256').update(large).digest('hex'));
  expect(crc32(Buffer.from(await textOf(archive.read(archive.entries[0]!))))).toBe(crc32(large));
  archive.close();
});
