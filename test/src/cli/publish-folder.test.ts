import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { exportOf, filesOf } from '../publish/exports.ts';
import { carrel } from './carrel.ts';
import { writeFiles } from '../../support/write-files.ts';

const publish = (source: string, target: string, ...args: string[]) => carrel(['publish', source, `file:${target}`, ...args]);
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
const everyFile = Object.keys(filesOf('')).sort();
const read = (folder: string, path: string) => readFileSync(join(folder, path), 'utf8');

test('an export is in the folder, and the next one replaces only what differs', async () => {
  const target = join(temporaryFolder(), 'www/docs');
  expect(await publish(exportOf('one'), target)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Published Docs one'),
  });
  expect(filesIn(target)).toEqual(everyFile);
  expect(await carrel(['verify', target])).toMatchObject({ code: 0 });
  writeFileSync(join(target, 'carrel.config.js'), '// settings of the host');
  const before = statSync(join(target, 'guide.md'));
  expect(await publish(exportOf('two'), target)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Uploaded 1 of 6 files'),
  });
  expect(read(target, 'index.html')).toContain('two');
  expect(read(target, 'carrel.config.js')).toBe('// settings of the host');
  expect(statSync(join(target, 'guide.md'))).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
  expect(await publish(exportOf('two'), target)).toMatchObject({ code: 0, stdout: expect.stringContaining('is already at') });
});

test('old files and their folders go with --delete, and files of others stay', async () => {
  const target = temporaryFolder();
  await publish(exportOf('one', { 'old/deep/index.html': 'old' }), target);
  writeFileSync(join(target, 'google123.html'), 'of others');
  await publish(exportOf('two'), target);
  expect(filesIn(target)).toContain('old/deep/index.html');
  await publish(exportOf('two'), target, '--delete');
  expect(filesIn(target)).toEqual([...everyFile, 'google123.html'].sort());
  expect(readdirSync(target)).not.toContain('old');
});

test('files for readers in groups do not stay where others read', async () => {
  const limited = (groups: string[]) => {
    const folder = exportOf('one', { 'prices/index.html': 'for partners' });
    const manifest = join(folder, 'carrel.json');
    writeFileSync(manifest, JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), audience: groups }));
    return folder;
  };
  const target = temporaryFolder();
  await publish(limited(['partner']), target);
  expect(await publish(limited(['beta', 'partner']), target)).toMatchObject({ code: 0 });
  for (const other of [exportOf('two'), limited(['partner'])])
    expect(await publish(other, target)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/TargetForOthers.*for readers in beta/s),
    });
  expect(await publish(exportOf('two'), target, '--delete')).toMatchObject({ code: 0 });
  expect(filesIn(target)).toEqual(everyFile);
  // A run for partners that ended before its manifest.
  writeFiles(target, {
    'prices/index.html': 'for partners',
    'carrel.publish.json': JSON.stringify({ format: 1, uncertain: ['prices/index.html'], leftover: [], audience: ['partner'] }),
  });
  expect(await publish(exportOf('two'), target)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('for readers in partner'),
  });
  expect(await publish(exportOf('two'), target, '--delete')).toMatchObject({ code: 0 });
  expect(filesIn(target)).toEqual(everyFile);
});

test('a page whose path becomes a folder, and a folder whose path becomes a page, are replaced', async () => {
  const target = temporaryFolder();
  await publish(exportOf('one', { 'a.html': 'a', 'b/c.html': 'c' }), target);
  const { code, stderr } = await publish(exportOf('two', { 'a.html/x.html': 'x', b: 'b' }), target);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  expect(read(target, 'a.html/x.html')).toBe('x');
  expect(read(target, 'b')).toBe('b');
});

test('a folder with files of others, a file, and the export itself are refused', async () => {
  const foreign = temporaryFolder();
  writeFileSync(join(foreign, 'thesis.txt'), 'mine');
  const source = exportOf('one');
  expect(await publish(source, foreign)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('contains files (thesis.txt)'),
  });
  expect(filesIn(foreign)).toEqual(['thesis.txt']);
  expect(await publish(source, join(foreign, 'thesis.txt'))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('OutputNotWritable'),
  });
  for (const target of [source, join(source, 'inside'), join(source, '..')])
    expect(await publish(source, target)).toMatchObject({ code: 1, stderr: expect.stringMatching(/(Output|Source)Inside/) });
  expect(await publish(source, join(temporaryFolder(), 'x'), '--endpoint', 'http://127.0.0.1:1')).toMatchObject({ code: 2 });
});

test('leftovers of a killed run do not disturb the next one', async () => {
  const target = temporaryFolder();
  writeFiles(target, { '.carrel-publish/0': 'half' });
  expect(await publish(exportOf('one'), target)).toMatchObject({ code: 0 });
  expect(filesIn(target)).toEqual(everyFile);
});

test('--dry-run creates no folder', async () => {
  const parent = temporaryFolder();
  const { code, stdout } = await publish(exportOf('one'), join(parent, 'new'), '--dry-run');
  expect([code, stdout]).toEqual([0, expect.stringContaining('Would upload 7 of 7 files')]);
  expect(readdirSync(parent)).toEqual([]);
});
