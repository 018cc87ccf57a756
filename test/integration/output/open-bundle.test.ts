import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import AdmZip from 'adm-zip';
import { describe, expect, test } from 'vitest';
import { writeArchive } from '../../../integration/output/write-archive.ts';
import { packBundle } from '../../support/pack-bundle.ts';
import { inspectBundle, openBundle, verifyBundle } from '../../../integration/output/open-bundle.ts';
import { archiveOf, folderOf, good, hostile, hostileArchive, manifestOf, whole } from './archives.ts';
import { temporaryFolder } from '../export/folder.ts';

test('a bundle is read in place, and each file is verified', async () => {
  const bundle = await openBundle(await archiveOf(whole));
  expect(bundle.manifest.site).toBe('Docs');
  expect(new TextDecoder().decode(await bundle.read('a/b.txt'))).toBe(good['a/b.txt']);
  expect(new TextDecoder().decode(await bundle.read('carrel.config.js'))).toBe('// any');
  await expect(bundle.read('missing')).rejects.toMatchObject({ code: 'BundleFileMissing' });
  await expect(bundle.read('toString')).rejects.toMatchObject({ code: 'BundleFileMissing' });
  bundle.close();
});

test('the name of a site can look like keys of JSON', async () => {
  const files = { toString: 'x', constructor: 'x' };
  const manifest = manifestOf(files).replace('"Docs"', JSON.stringify('"files": {}, \\"files": \\'));
  const { problems, manifest: read } = await inspectBundle(folderOf({ ...files, 'carrel.json': manifest }));
  expect([problems, read?.site]).toEqual([[], '"files": {}, \\"files": \\']);
});

test('a whole bundle and a whole folder have no problems', async () => {
  expect(await verifyBundle(await archiveOf(whole))).toEqual([]);
  expect(await verifyBundle(folderOf(whole))).toEqual([]);
  expect(await verifyBundle(hostile())).toEqual([]);
});

describe('words that a bundle must not have', () => {
  const words = ['Ämter & Co', 'Blue heron', 'heron', 'zz"q', 'absent'];
  test.each([
    ['in a text', '<p>A BLUE HERON wades</p>', ['Blue heron', 'heron']],
    ['in HTML', '<p>ämter &amp; co</p>', ['Ämter & Co']],
    ['in a script', '__carrel_script("a zz\\"q b");', ['zz"q']],
    ['in a link', '<a href="x?%C3%84mter%20%26%20Co">', ['Ämter & Co']],
    ['between two pieces of a large file', `${' '.repeat(65_532)}heron${' '.repeat(3_000_000)}`, ['heron']],
    ['in bytes that are not text', `\0\u00ff\0heron\0`, ['heron']],
    ['nowhere', 'h-e-r-o-n', []],
  ])('%s', async (_, text, found) => {
    const files = { 'index.html': text };
    const exported = { ...files, 'carrel.json': manifestOf(files) };
    for (const bundle of [await archiveOf(exported), folderOf(exported)]) {
      const { problems } = await inspectBundle(bundle, { absent: words });
      expect(problems.map(({ kind }) => kind)).toEqual(found.map(() => 'bundle-word-present'));
      expect(problems.map(({ message }) => message).sort()).toEqual(
        found.map((word) => `"${word}" is in the file "index.html".`).sort(),
      );
    }
  });

  test('in the name of a file, and so in the manifest', async () => {
    const files = { 'herons/Blue heron.txt': 'x' };
    const bundle = folderOf({ ...files, 'carrel.json': manifestOf(files) });
    const { problems } = await inspectBundle(bundle, { absent: ['blue HERON'] });
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('"carrel.json"'),
      expect.stringContaining('"herons/Blue heron.txt"'),
    ]);
  });
});

describe('a file that differs from the export', () => {
  const { 'index.html': _, ...missing } = whole;
  test.each([
    ['changed', { ...whole, 'index.html': '<p>Ho</p>' }, 'bundle-file-changed'],
    ['longer', { ...whole, 'index.html': '<p>Hi</p> ' }, 'bundle-file-changed'],
    ['missing', missing, 'bundle-file-missing'],
    ['added', { ...whole, 'evil.js': 'x' }, 'bundle-file-unlisted'],
    ['listed outside', { ...whole, 'carrel.json': manifestOf({ ...good, '../x': '' }) }, 'bundle-entry-unsafe'],
  ])('%s', async (_, files, kind) => {
    expect((await verifyBundle(await archiveOf(files))).map((problem) => problem.kind)).toEqual([kind]);
    expect((await verifyBundle(folderOf(files))).map((problem) => problem.kind)).toEqual([kind]);
  });

  test('is not served', async () => {
    const bundle = await openBundle(await archiveOf({ ...whole, 'index.html': '<p>Ho</p>' }));
    await expect(bundle.read('index.html')).rejects.toMatchObject({ code: 'BundleFileChanged' });
  });
});

describe('a malicious archive', () => {
  test.each([
    ['a name that climbs', { name: '../evil.txt', text: 'x' }, 'bundle-entry-unsafe'],
    ['a name that climbs later', { name: 'a/../../evil.txt', text: 'x' }, 'bundle-entry-unsafe'],
    ['an absolute name', { name: '/etc/evil', text: 'x' }, 'bundle-entry-unsafe'],
    ['a drive', { name: 'C:/evil', text: 'x' }, 'bundle-entry-unsafe'],
    ['a backslash', { name: 'a\\..\\evil', text: 'x' }, 'bundle-entry-unsafe'],
    ['a symbolic link', { name: 'link', text: '/etc/passwd', mode: 0o120777 }, 'bundle-entry-unsafe'],
  ])('%s', async (_, entry, kind) => {
    const file = hostile(entry);
    expect((await verifyBundle(file)).map((problem) => problem.kind)).toEqual([kind]);
    await expect(openBundle(file)).rejects.toMatchObject({ code: 'BundleUnsafe' });
  });

  test.each<[name: string, fault: RegExp]>([
    ['NUL', /device of Windows/],
    ['con.html', /device of Windows/],
    ['a/Com1/b.txt', /device of Windows/],
    ['LPT\u00b9.tar.gz', /device of Windows/],
    ['aux .txt', /device of Windows/],
    ['conin$', /device of Windows/],
    ['a.html::$DATA', /a stream/],
    ['a.html:hidden.js', /a stream/],
    ['what?.html', /does not accept/],
    ['a\tb.html', /does not accept/],
    ['a/b.html.', /ends in a dot or a space/],
    ['folder /b.html', /ends in a dot or a space/],
    ['dots.../b.html', /ends in a dot or a space/],
  ])('%j, which Windows writes elsewhere or not at all', async (name, fault) => {
    const archive = hostileArchive(
      Object.entries({ ...good, [name]: 'x', 'carrel.json': manifestOf({ ...good, [name]: 'x' }) }).map(([name, text]) => ({
        name,
        text,
      })),
    );
    const listed = await archiveOf({ ...whole, 'carrel.json': manifestOf({ ...good, [name]: 'x' }) });
    for (const file of [archive, listed]) {
      const [problem] = await verifyBundle(file);
      expect(problem).toMatchObject({ kind: 'bundle-entry-unsafe', message: expect.stringMatching(fault) as string });
    }
    await expect(openBundle(archive)).rejects.toMatchObject({ code: 'BundleUnsafe' });
  });

  test('the same name twice', async () => {
    const file = hostile({ name: 'index.html', text: 'other' });
    expect((await verifyBundle(file)).map(({ kind }) => kind)).toEqual(['bundle-entry-duplicate']);
    await expect(openBundle(file)).rejects.toThrow(/"index\.html" is there more than once/);
  });

  test('more than the limits', async () => {
    const file = hostile({ name: 'big', text: 'x', size: 0xfffffffe });
    expect((await verifyBundle(file, { bytes: 1e9, files: 10 })).map(({ kind }) => kind)).toEqual(['bundle-too-large']);
    expect((await verifyBundle(hostile(), { bytes: 1e9, files: 2 })).map(({ kind }) => kind)).toEqual(['bundle-too-large']);
  });

  test('a zip bomb with a false size is stopped', async () => {
    const bomb = 'x'.repeat(30_000_000);
    const files = { 'a.txt': 'x'.repeat(10) };
    const file = hostileArchive([
      { name: 'carrel.json', text: manifestOf(files) },
      { name: 'a.txt', text: bomb, size: 10 },
    ]);
    expect((await verifyBundle(file)).map(({ kind }) => kind)).toEqual(['bundle-file-changed']);
    const bundle = await openBundle(file);
    await expect(bundle.read('a.txt')).rejects.toMatchObject({ code: 'BundleFileChanged' });
  });

  test('a link in a folder', async () => {
    const folder = folderOf(whole);
    symlinkSync('/etc/passwd', join(folder, 'link'));
    expect((await verifyBundle(folder)).map(({ kind }) => kind)).toEqual(['bundle-entry-unsafe']);
  });
});

describe('a file that is not a bundle', () => {
  test.each([
    ['nothing', undefined, 'BundleNotFound'],
    ['another file', 'no zip at all', 'BundleNotReadable'],
    ['an empty file', '', 'BundleNotReadable'],
  ])('%s', async (_, text, code) => {
    const file = join(temporaryFolder(), 'x.zip');
    if (text !== undefined) writeFileSync(file, text);
    await expect(openBundle(file)).rejects.toMatchObject({ code });
    await expect(verifyBundle(file)).rejects.toMatchObject({ code });
  });

  test.each([
    ['no manifest', { 'index.html': 'x' }, 'ManifestMissing'],
    ['a manifest that is no JSON', { 'carrel.json': '{' }, 'ManifestInvalid'],
    [
      'a manifest with a key twice',
      { 'carrel.json': manifestOf({}).replace('"files":', '"files":{},"files" :') },
      'ManifestInvalid',
    ],
    ['a manifest of the future', { 'carrel.json': manifestOf({}).replace('"format":1', '"format":99') }, 'ManifestInvalid'],
  ])('%s', async (_, files, code) => {
    await expect(verifyBundle(folderOf(files))).rejects.toMatchObject({ code });
    await expect(openBundle(await archiveOf(files))).rejects.toMatchObject({ code });
  });

  test('a truncated archive', async () => {
    const file = await archiveOf(whole);
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(0, bytes.length - 30));
    await expect(verifyBundle(file)).rejects.toMatchObject({ code: 'BundleNotReadable' });
  });
});

test('an archive is written completely or not at all', async () => {
  const folder = folderOf(whole);
  await expect(packBundle(folder, join(folder, 'index.html/place.zip'))).rejects.toMatchObject({ code: 'OutputNotWritable' });
  await expect(writeArchive(folder, ['gone.txt'], `${folder}.zip`)).rejects.toThrow(/gone\.txt/);
  await expect(packBundle(folder, `${folder}.zip`, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
  expect(() => readFileSync(`${folder}.zip`)).toThrow(/ENOENT/);
});

test('entries have the given time', async () => {
  const folder = folderOf(whole);
  await packBundle(folder, `${folder}.zip`, { environment: { SOURCE_DATE_EPOCH: '1700000000' } });
  const times = new AdmZip(`${folder}.zip`).getEntries().map(({ header }) => header.time);
  expect(new Set(times.map((time) => time.getFullYear()))).toEqual(new Set([2023]));
  await packBundle(folder, `${folder}.zip`);
  expect(new AdmZip(`${folder}.zip`).getEntries()[0]!.header.time.getFullYear()).toBe(2020);
});
