import { execFileSync } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, deflateRawSync } from 'node:zlib';
import AdmZip from 'adm-zip';
import { describe, expect, test } from 'vitest';
import yazl from 'yazl';
import { applyDelta } from '../../../integration/output/delta.ts';
import { openBundle, verifyBundle } from '../../../integration/output/open-bundle.ts';
import { unpackBundle } from '../../../integration/output/unpack-bundle.ts';
import { installedProgram } from '../../support/debian-package.ts';
import { temporaryFolder } from '../export/folder.ts';
import {
  extraField,
  folderOf,
  hostile,
  hostileArchive,
  hostileBytes,
  unicodeName,
  whole,
  type HostileEntry,
} from './archives.ts';

const text = 'The tide tables. '.repeat(40);
const data = deflateRawSync(text);

/** The record of CRC-32 and sizes that some programs write after the data of an entry. */
function descriptor(content: Buffer, packed: Buffer, { isSigned = true, isWide = false } = {}): Buffer {
  const bytes = Buffer.alloc(24);
  let at = isSigned ? bytes.writeUInt32LE(0x08074b50, 0) : 0;
  at = bytes.writeUInt32LE(crc32(content), at);
  for (const { length } of [packed, content])
    at = isWide ? bytes.writeBigUInt64LE(BigInt(length), at) : bytes.writeUInt32LE(length, at);
  return bytes.subarray(0, at);
}

const unknownBefore = { 14: 0, 18: 0, 22: 0 };

/** A small export in which the settings of the host, which any text can be, have this entry. */
function withSettings(entry: Partial<HostileEntry>): string {
  const { 'carrel.config.js': _, ...files } = whole;
  const entries = Object.entries(files).map(([name, text]) => ({ name, text }));
  return hostileArchive([entries[0]!, { name: 'carrel.config.js', text, ...entry }, ...entries.slice(1)]);
}

describe('an archive that other programs read differently is refused', () => {
  // An entry that the list does not have.
  const archive = hostileBytes([{ name: 'evil.html', text: '<script>alert(1)</script>' }]);
  const unlisted = archive.subarray(0, archive.indexOf('PK\x01\x02'));
  const start = Buffer.from('x');
  const stored = Buffer.concat([start, descriptor(start, start), unlisted]);
  const renamed = unicodeName('carrel.config.js', 'index.html');
  const same = unicodeName('carrel.config.js', 'carrel.config.js');

  test.each<[string, Partial<HostileEntry>, string]>([
    ['another name in an extra field', { extra: renamed }, 'has another name in an extra field'],
    ['the same name and another', { extra: Buffer.concat([same, renamed]) }, 'the extra field 0x7075 more than once'],
    ['an extra field that is longer than its room', { extra: Buffer.from([1, 0, 9, 0]) }, 'has damaged extra fields'],
    ['an extra field of another kind', { extra: extraField(0x756e, Buffer.alloc(8)) }, 'has the extra field 0x756e'],
    [
      'sizes of 64 bits beside those of 32',
      { extra: extraField(1, Buffer.alloc(16)) },
      'has sizes that programs read differently',
    ],
    ['the type of a folder', { mode: 0o040755 }, 'is a folder or device by its type'],
    ['the type of a device', { mode: 0o020644 }, 'is a folder or device by its type'],
  ])('with %s in its list, before anything is read', async (_, entry, reason) => {
    const file = withSettings(entry);
    expect(await verifyBundle(file)).toEqual([
      expect.objectContaining({ kind: 'bundle-entry-unsafe', message: expect.stringContaining(reason) as string }),
    ]);
    const refused = { code: 'BundleUnsafe', message: expect.stringContaining(reason) as string };
    await expect(openBundle(file)).rejects.toMatchObject(refused);
    await expect(unpackBundle(file, `${file}-unpacked`)).rejects.toMatchObject(refused);
    await expect(applyDelta(folderOf(whole), file, `${file}-applied`)).rejects.toMatchObject(refused);
  });

  const other = 'its header is not the one that the archive lists';
  test.each<[string, Partial<HostileEntry>, string]>([
    ['another name in an extra field', { localExtra: renamed }, 'has another name in an extra field'],
    ['a type in an extra field', { localExtra: extraField(0x6c78, Buffer.alloc(5)) }, 'has the extra field 0x6c78'],
    ['another CRC-32', { local32: { 14: 1 } }, other],
    ['another compressed size', { local32: { 18: 1 } }, other],
    ['another size', { local32: { 22: 1 } }, other],
    ['no sizes', { local32: unknownBefore }, other],
    ['another method', { local16: { 8: 0 } }, other],
    ['sizes after its data', { local16: { 6: 0x808 }, after: descriptor(Buffer.from(text), data) }, other],
    ['no sizes after its data', { flags: 0x808, local16: { 6: 0x800 } }, other],
  ])('with %s in a header alone', async (_, entry, reason) => {
    const file = withSettings(entry);
    expect(await verifyBundle(file)).toEqual([
      expect.objectContaining({ kind: 'bundle-file-changed', message: expect.stringContaining(reason) as string }),
    ]);
    await expect(unpackBundle(file, `${file}-unpacked`)).rejects.toMatchObject({ code: 'BundleUnsafe' });
    const bundle = await openBundle(file);
    await expect(bundle.read('carrel.config.js')).rejects.toThrow(reason);
    bundle.close();
  });

  const followed = 'is followed by bytes that belong to no listed entry; other programs can unpack them.';
  const sizes = descriptor(Buffer.from(text), data);
  test.each<[string, () => string, string]>([
    [
      'an entry before the first',
      () => hostileArchive(entriesOf(whole, { before: unlisted })),
      'It does not begin with an entry',
    ],
    [
      'a script before the first',
      () => hostileArchive(entriesOf(whole, { before: Buffer.from('#!/bin/sh') })),
      'It does not begin with',
    ],
    ['an entry before another', () => withSettings({ before: unlisted }), `The entry "index.html" ${followed}`],
    ['an entry after another', () => withSettings({ after: unlisted }), `The entry "carrel.config.js" ${followed}`],
    ['a byte after another', () => withSettings({ after: Buffer.from('x') }), followed],
    ['an entry before the list', () => hostileArchive(entriesOf(whole), { beforeList: unlisted }), followed],
    [
      'an entry after the sizes of another',
      () => withSettings({ flags: 0x808, after: Buffer.concat([sizes, unlisted]) }),
      followed,
    ],
    ['other sizes after its data', () => withSettings({ flags: 0x808, after: Buffer.alloc(16) }), followed],
    ['no sizes after its data', () => withSettings({ flags: 0x808 }), followed],
    [
      'an entry in the data of a stored one',
      () =>
        withSettings({
          ...{ method: 0, flags: 0x808, data: stored, size: stored.length, crc: crc32(stored) },
          ...{ local32: unknownBefore, after: descriptor(stored, stored) },
        }),
      'The entry "carrel.config.js" is stored without its length before it',
    ],
  ])('with %s', async (_, archive, reason) => {
    const file = archive();
    expect(await verifyBundle(file)).toEqual([
      {
        ...{ kind: 'bundle-entry-unsafe', severity: 'error', message: expect.stringContaining(reason) as string },
        hint: 'Carrel does not write archives like this one. Do not unpack it.',
      },
    ]);
    await expect(unpackBundle(file, `${file}-unpacked`)).rejects.toMatchObject({ code: 'BundleUnsafe' });
  });

  test('with an empty folder', async () => {
    expect(await verifyBundle(hostile({ name: 'a/', text: '', mode: 0o040755 }))).toEqual([]);
    expect(await verifyBundle(hostile({ name: 'evil/', text: '', mode: 0o040755 }))).toEqual([
      expect.objectContaining({
        kind: 'bundle-file-unlisted',
        message: 'The folder "evil/" is empty, and not in the manifest.',
      }),
    ]);
  });
});

function entriesOf(files: Record<string, string>, first: Partial<HostileEntry> = {}): HostileEntry[] {
  return Object.entries(files).map(([name, text], index) => ({ name, text, ...(index === 0 && first) }));
}

describe('an archive of another program is intact, and unzip unpacks the same', () => {
  const times = Buffer.concat([extraField(0x5455, Buffer.alloc(5)), extraField(0x7875, Buffer.alloc(11))]);
  const content = Buffer.from(text);
  test.each<[string, Partial<HostileEntry>]>([
    ['times and owners', { extra: times, localExtra: times }],
    ['the name once more in Unicode', { extra: unicodeName('carrel.config.js', 'carrel.config.js') }],
    ['sizes after the data', { after: descriptor(content, data) }],
    ['sizes after the data without a signature', { after: descriptor(content, data, { isSigned: false }) }],
    ['sizes of 64 bits after the data', { after: descriptor(content, data, { isWide: true }) }],
    ['such without a signature', { after: descriptor(content, data, { isSigned: false, isWide: true }) }],
  ])('with %s', async (_, entry) => {
    const streamed = entry.after && { flags: 0x808, local32: unknownBefore };
    await expectSame(withSettings({ ...entry, ...streamed }), { ...whole, 'carrel.config.js': text });
  });

  test('of adm-zip', async () => {
    const file = join(temporaryFolder(), 'site.zip');
    const zip = new AdmZip();
    zip.addLocalFolder(folderOf(whole));
    zip.writeZip(file);
    await expectSame(file, whole);
  });

  test.each([false, true])('of yazl, whose files are streams (Zip64: %s)', async (forceZip64Format) => {
    const file = join(temporaryFolder(), 'site.zip');
    const zip = new yazl.ZipFile();
    for (const [name, text] of Object.entries(whole))
      zip.addReadStream(Readable.from([Buffer.from(text)]), name, { forceZip64Format });
    zip.addEmptyDirectory('a');
    zip.end({ forceZip64Format } as yazl.EndOptions);
    await pipeline(zip.outputStream, createWriteStream(file));
    await expectSame(file, whole);
  });

  const zip = installedProgram('zip', 'zip');
  test.each([
    ['with folders, times and owners', ['-r', 'site.zip', '.']],
    ['into a pipe', ['-r', '-', '.']],
    ['without compression', ['-0', '-r', '-', '.']],
    ['without extra fields', ['-X', '-D', '-r', 'site.zip', '.']],
  ])('of zip %s', async (_, words) => {
    const folder = folderOf(whole);
    const piped = execFileSync('sh', ['-c', '"$@" | cat', 'sh', zip, '-q', ...words], { cwd: folder });
    const file = join(folder, 'site.zip');
    if (piped.length > 0) await pipeline(Readable.from([piped]), createWriteStream(file));
    await expectSame(file, whole);
  });

  async function expectSame(file: string, files: Record<string, string>): Promise<void> {
    expect(await verifyBundle(file)).toEqual([]);
    const folder = `${file}-unzipped`;
    execFileSync(installedProgram('unzip', 'unzip'), ['-q', file, '-d', folder]);
    for (const [name, text] of Object.entries(files)) expect(readFileSync(join(folder, name), 'utf8')).toBe(text);
  }
});
