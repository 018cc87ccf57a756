import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ensureBuilt } from '../../../integration/reader-build/ensure-built.ts';
import { gate } from '../../support/gate.ts';
import { temporaryFolder } from '../export/folder.ts';
import { writeFiles } from '../../support/write-files.ts';

/** Ensures the build of one input file, which `build` copies. */
function ensure(
  root: string,
  input: string,
  until: Promise<void> = Promise.resolve(),
): { built: Promise<string>; runs: string[] } {
  const runs: string[] = [];
  writeFileSync(join(root, 'input'), input);
  const built = ensureBuilt(join(root, 'build/theme'), root, ['input'], async (fresh) => {
    runs.push(fresh);
    await until;
    writeFiles(fresh, { 'module.js': input });
  });
  return { built, runs };
}

test('builds once while the inputs stay the same', async () => {
  const root = temporaryFolder();
  const first = ensure(root, 'one');
  const again = ensure(root, 'one');
  expect(await again.built).toBe(await first.built);
  const third = ensure(root, 'one');
  expect(await third.built).toBe(await first.built);
  expect(third.runs).toEqual([]);
});

test('a build that ends later leaves the folder of an earlier one in place', async () => {
  const root = temporaryFolder();
  const late = gate();
  const second = ensure(root, 'one', late.opened);
  const first = ensure(root, 'one');
  const folder = await first.built;
  const { ino } = statSync(join(folder, 'module.js'));
  late.open();
  expect(await second.built).toBe(folder);
  expect([second.runs.length, first.runs.length]).toEqual([1, 1]);
  expect(statSync(join(folder, 'module.js')).ino).toBe(ino);
  expect(readdirSync(dirname(folder))).toHaveLength(1);
});

test('a build of other inputs leaves the folder in place that another process may be loading', async () => {
  const root = temporaryFolder();
  const before = await ensure(root, 'one').built;
  const after = await ensure(root, 'two').built;
  expect(after).not.toBe(before);
  expect(readFileSync(join(before, 'module.js'), 'utf8')).toBe('one');
  expect(readFileSync(join(after, 'module.js'), 'utf8')).toBe('two');
});

test('removes a folder that was not used for a day', async () => {
  const root = temporaryFolder();
  const before = await ensure(root, 'one').built;
  const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000);
  utimesSync(before, yesterday, yesterday);
  await ensure(root, 'two').built;
  expect(existsSync(before)).toBe(false);
});

test('a build that fails leaves no folder that a later run would take', async () => {
  const root = temporaryFolder();
  writeFileSync(join(root, 'input'), 'one');
  const failing = ensureBuilt(join(root, 'build/theme'), root, ['input'], () => Promise.reject(new Error('no theme')));
  await expect(failing).rejects.toThrow('no theme');
  const { built, runs } = ensure(root, 'one');
  expect(readFileSync(join(await built, 'module.js'), 'utf8')).toBe('one');
  expect(runs).toHaveLength(1);
});

test('a folder that another process removes in the meantime is not in the way', async () => {
  const root = temporaryFolder();
  mkdirSync(join(root, 'build'));
  // A name without a folder, as one that was listed a moment ago.
  symlinkSync(join(root, 'gone'), join(root, 'build/theme-of-another'));
  expect(existsSync(await ensure(root, 'one').built)).toBe(true);
});
