import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockBetweenMachines, lockFolder } from '../../../server/database/locks.ts';
import { openDatabase } from '../../../server/database/open-database.ts';
import { createLog } from '../../../server/platform/log.ts';
import { startChild, type Child } from '../support/child.ts';
import { writeFiles } from '../../support/write-files.ts';

const holder = new URL('hold-process.ts', import.meta.url);
const log = createLog('silent');
let folder: string;
let children: Child[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carrel-lock-'));
  children = [];
});
afterEach(async () => {
  for (const child of children) await child.kill();
  rmSync(folder, { recursive: true, force: true });
});

function hold(): Child {
  const child = startChild(holder, [folder]);
  children.push(child);
  return child;
}

it('refuses a second process, naming the folder and what to do, until the first one is killed', async () => {
  const first = hold();
  expect(await first.line()).toBe('open');
  expect(await hold().line()).toBe('DataInUse');
  await expect(openDatabase({ dataFolder: folder, log })).rejects.toMatchObject({
    code: 'DataInUse',
    message: expect.stringContaining(folder),
    hint: expect.stringContaining('CARREL_DATA'),
  });
  await first.kill();
  const second = await openDatabase({ dataFolder: folder, log });
  expect(await hold().line()).toBe('DataInUse');
  await second.close();
  expect(await hold().line()).toBe('open');
});

it('refuses to lock the same folder through a symlink', async () => {
  const link = `${folder}-link`;
  symlinkSync(folder, link);
  const release = await lockFolder(folder);
  try {
    await expect(lockFolder(link)).rejects.toMatchObject({ code: 'DataInUse' });
  } finally {
    await release();
    rmSync(link);
  }
  await (
    await lockFolder(folder)
  )();
});

it('frees the folder when the database cannot be opened, and leaves no file', async () => {
  writeFiles(folder, { 'database/PG_VERSION': 'nonsense' });
  await expect(openDatabase({ dataFolder: folder, log })).rejects.toThrow();
  await (
    await lockFolder(folder)
  )();
  expect(readdirSync(folder)).toEqual(['database']);
});

it('sees a holder in another container by its beat, and passes over one that is gone', async () => {
  const there = await lockBetweenMachines(folder, 'one', 'there');
  expect(there).toBeTypeOf('function');
  expect(await lockBetweenMachines(folder, 'other', 'here')).toBeUndefined();
  await there!();
  writeFileSync(join(folder, 'carrel.lock'), '{"machine":"there","id":"killed","count":7}');
  const here = await lockBetweenMachines(folder, 'other', 'here');
  expect(here).toBeTypeOf('function');
  await here!();
  expect(readdirSync(folder)).toEqual([]);
});

it('gives a folder to one of two machines that come at the same time', async () => {
  const left = '{"machine":"elsewhere","id":"killed","count":7}';
  const folders = Array.from({ length: 60 }, (_, index) => join(folder, `${index}`));
  await Promise.all(
    folders.map(async (each, index) => {
      mkdirSync(each);
      if (index > 0) writeFileSync(join(each, 'carrel.lock'), left);
      const releases = await Promise.all([
        lockBetweenMachines(each, 'one', 'here'),
        lockBetweenMachines(each, 'another', 'over there'),
      ]);
      expect(releases.filter((release) => release !== undefined)).toHaveLength(1);
      for (const release of releases) await release?.();
      expect(readdirSync(each)).toEqual([]);
    }),
  );
});

it('removes what a holder that was killed while it wrote left behind, and nothing else', async () => {
  for (const name of ['carrel.lock.4f2f6a3c-7d1b-4f6e-9f5c-0a4b6a1f2d3e', 'carrel.locked', 'keys.json'])
    writeFileSync(join(folder, name), '{');
  const release = await lockFolder(folder);
  expect(readdirSync(folder).sort()).toEqual(['carrel.lock', 'carrel.locked', 'keys.json']);
  await release();
});
