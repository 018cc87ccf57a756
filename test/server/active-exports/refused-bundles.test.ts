// One verdict: what `carrel verify` refuses is neither unpacked nor served.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { unpackBundle } from '../../../integration/output/unpack-bundle.ts';
import { openBundle, verifyBundle } from '../../../integration/output/open-bundle.ts';
import { serveSite } from '../../../server/hosting/serve.ts';
import {
  folderOf,
  good,
  hostile,
  hostileArchive,
  manifestOf,
  whole,
  type HostileEntry,
} from '../../integration/output/archives.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';

/** What each of the ways says of a bundle; undefined where it takes it. */
async function verdicts(source: string): Promise<Record<string, string | undefined>> {
  const reason = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: Error) => error.message,
    );
  const serving = serveSite({ source, port: 0 });
  const served = await reason(serving);
  if (served === undefined) await (await serving).close();
  return {
    verify: await verifyBundle(source).then(
      ([problem]) => problem?.message,
      (error: Error) => error.message,
    ),
    serve: served,
    unpack: await reason(unpackBundle(source, join(temporaryFolder(), 'sites', 'a'))),
  };
}

const everywhere = (message: RegExp) => ({
  verify: expect.stringMatching(message) as unknown,
  serve: expect.stringMatching(message) as unknown,
  unpack: expect.stringMatching(message) as unknown,
});

/** A bundle that is right but for one of its entries. */
const withEntry = (changes: Partial<HostileEntry>, name = 'index.html') =>
  hostileArchive(Object.entries(whole).map(([own, text]) => ({ name: own, text, ...(own === name && changes) })));

/** A bundle with more files, which its manifest lists. */
function withFiles(files: Record<string, string>): string {
  const all = { ...good, ...files };
  return hostileArchive(Object.entries({ ...all, 'carrel.json': manifestOf(all) }).map(([name, text]) => ({ name, text })));
}

function changedBytes(file: string, change: (bytes: Buffer) => Buffer): string {
  writeFileSync(file, change(readFileSync(file)));
  return file;
}

test('a valid bundle is accepted everywhere', async () => {
  expect(await verdicts(hostile())).toEqual({ verify: undefined, serve: undefined, unpack: undefined });
  expect(
    await verdicts(
      hostileArchive(
        Object.entries(whole).map(([name, text]) => ({ name, text })),
        { comment: 4, after: 'Hi! ' },
      ),
    ),
  ).toEqual({ verify: undefined, serve: undefined, unpack: undefined });
});

describe('is refused everywhere, by the name of the entry', () => {
  const stored = { method: 0, data: Buffer.from(good['index.html']) };
  test.each<[string, () => string, RegExp]>([
    ['another CRC-32', () => withEntry({ crc: 7 }), /"index\.html".*CRC-32/],
    ['another CRC-32 of a stored entry', () => withEntry({ ...stored, crc: 7 }), /"index\.html".*CRC-32/],
    ['another CRC-32 of the manifest', () => withEntry({ crc: 7 }, 'carrel.json'), /"carrel\.json".*CRC-32/],
    ['another CRC-32 of the settings', () => withEntry({ crc: 7 }, 'carrel.config.js'), /"carrel\.config\.js".*CRC-32/],
    ['compression method 99', () => withEntry({ method: 99 }), /"index\.html" is compressed by the method 99; only/],
    ['an encrypted entry', () => withEntry({ flags: 0x801 }), /"index\.html" is encrypted/],
    ['a strongly encrypted entry', () => withEntry({ flags: 0x840 }), /"index\.html" is encrypted/],
    [
      'a name that is not UTF-8',
      () => hostile({ name: Buffer.from('a\xe9.txt', 'latin1'), text: 'x' }),
      /a\ufffd\.txt" has a name that is not UTF-8/,
    ],
    ['another name in the header', () => withEntry({ localName: 'x' }), /"index\.html".*header is not the one/],
    [
      'bytes after the data',
      () => withEntry({ data: Buffer.concat([deflateRawSync(good['index.html']), Buffer.from('x')]) }),
      /"index\.html".*other bytes follow/,
    ],
    ['a size that differs from the content', () => withEntry({ size: 5 }), /"index\.html"/],
    ['a file that is a folder', () => withFiles({ a: 'x' }), /"a" is a file, and a folder in "a\/b\.txt"/],
    [
      'a folder that is a file',
      () => withFiles({ 'index.html/x': 'x' }),
      /"index\.html" is a file, and a folder in "index\.html\/x"/,
    ],
    [
      'a file beside a folder of its name',
      () => hostile({ name: 'index.html/', text: '' }),
      /"index\.html" is a file, and a folder/,
    ],
    ['a file beside a folder of its name in capitals', () => withFiles({ A: 'x' }), /"A" is a file, and a folder in "a\/b\.txt"/],
    ['names that differ in case', () => withFiles({ 'INDEX.html': 'x' }), /"index\.html" and "INDEX\.html" differ only in case/],
    [
      'names that differ in the case of a folder',
      () => withFiles({ 'A/b.txt': 'x' }),
      /"a\/b\.txt" and "A\/b\.txt" differ only in case/,
    ],
    [
      'names in two Unicode forms',
      () => withFiles({ 'é.txt': 'x', 'e\u0301.txt': 'x' }),
      /"é\.txt" and "e\u0301\.txt" differ only in case or Unicode form/,
    ],
    ['one name twice', () => hostile({ name: 'index.html', text: 'x' }), /"index\.html" is there more than once/],
  ])('%s', async (_, bundle, message) => {
    expect(await verdicts(bundle())).toEqual(everywhere(message));
  });

  test('an entry with a wrong CRC-32 cannot be read', async () => {
    const bundle = await openBundle(withEntry({ crc: 7 }));
    await expect(bundle.read('index.html')).rejects.toThrow(/"index\.html".*CRC-32/);
    bundle.close();
  });
});

describe('is refused everywhere, as an archive', () => {
  const entries = Object.entries(whole).map(([name, text]) => ({ name, text }));
  test.each<[string, () => string, RegExp]>([
    [
      'bytes after the end',
      () => hostileArchive(entries, { after: 'more' }),
      /its end is followed by 4 bytes, but its comment is 0 bytes long/,
    ],
    [
      'a comment that is shorter than it says',
      () => hostileArchive(entries, { comment: 9, after: 'Hi' }),
      /its end is followed by 2 bytes, but its comment is 9 bytes long/,
    ],
    [
      'a comment that is longer than it says',
      () => hostileArchive(entries, { comment: 1, after: 'Hi' }),
      /its end is followed by 2 bytes, but its comment is 1 bytes long/,
    ],
    [
      'bytes before its start',
      () => changedBytes(hostile(), (bytes) => Buffer.concat([Buffer.from('#!/bin/sh\n'), bytes])),
      /list of files is not where it should be/,
    ],
    [
      'more entries than it lists',
      () => changedBytes(hostile(), (bytes) => (bytes.writeUInt32LE(0x00090009, bytes.length - 14), bytes)),
      /it lists 4 files but declares 9/,
    ],
    [
      'a part of several',
      () => changedBytes(hostile(), (bytes) => (bytes.writeUInt16LE(1, bytes.length - 18), bytes)),
      /one of several parts/,
    ],
  ])('%s', async (_, bundle, message) => {
    expect(await verdicts(bundle())).toEqual(everywhere(message));
  });
});

test.each<[string, Record<string, string>, RegExp]>([
  ['case', { 'a.txt': '1', 'A.txt': '2' }, /"[aA]\.txt" and "[aA]\.txt" differ only in case/],
  ['Unicode form', { 'é.txt': '1', 'e\u0301.txt': '2' }, /differ only in case or Unicode form/],
])('a folder with names that differ only in %s is refused by verify and serve', async (_, files, message) => {
  const folder = folderOf({ ...files, 'carrel.json': manifestOf(files) });
  expect((await verifyBundle(folder)).map((problem) => problem.message)).toEqual([expect.stringMatching(message)]);
  await expect(serveSite({ source: folder, port: 0 })).rejects.toThrow(message);
});
