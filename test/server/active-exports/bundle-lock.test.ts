import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { withStoreLock } from '../../../server/active-exports/bundle-lock.ts';

const gone = JSON.stringify({ host: hostname(), process: 2 ** 22 + 1, token: 'gone' });

function lockedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'carrel-bundle-lock-'));
  writeFileSync(join(folder, 'lock'), gone);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs processes that each want the folder, and gives the most that had it at the same time. */
async function mostAtOnce(folder: string, processes: number, milliseconds: number): Promise<number> {
  let owners = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++owners);
    await pause(milliseconds);
    owners--;
  };
  await Promise.all(Array.from({ length: processes }, () => withStoreLock(folder, work)));
  return most;
}

test('a process that removes an abandoned lock slowly does not remove the next one', async () => {
  const { rm } = fs;
  let removals = 0;
  vi.spyOn(fs, 'rm').mockImplementation(async (...given) => {
    if (++removals === 2) await pause(700);
    await rm(...given);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  expect(await mostAtOnce(lockedFolder(), 2, 2000)).toBe(1);
});

test('one of many processes works at a time, and no lock stays', async () => {
  const folder = lockedFolder();
  expect(await mostAtOnce(folder, 6, 30)).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});
