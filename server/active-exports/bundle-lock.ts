// One process at a time downloads into a folder that several share, such as the pods on one volume.
//
// Each process that wants the folder has a file of its own there, and owns the folder when no other file is of a live process. So a lock
// that was left behind can be removed at any time: no one else's has its name. proper-lockfile removes and makes one shared name, where
// a process that is slow to remove a stale lock removes the next one.
import { randomBytes } from 'node:crypto';
import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { isRunning } from '../../integration/output/output-path.ts';
import { writeError } from '../../integration/output/write-error.ts';
import { readRecord } from '../platform/json-file.ts';

const holderSchema = z.strictObject({ host: z.string(), process: z.number(), token: z.string() });

// Whether a process on another machine is alive is unknown, so each process touches its file while it is alive.
const touchedEvery = 5_000;
const staleAfter = 30_000;
const triedEvery = 250;

/** Calls `work` while no other process works in the same folder; waits for its turn. Throws what `work` throws. */
export async function withStoreLock<T>(folder: string, work: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  const token = randomBytes(8).toString('hex');
  held.add(token);
  const file = join(folder, `lock.${token}`);
  try {
    for (let isFirst = true; !(await take(folder, token)); isFirst = false) {
      if (isFirst) options.onWait?.();
      // If two processes try at the same time, neither succeeds, so they must not retry at the same time.
      await pause(triedEvery * (0.5 + Math.random()), undefined, { signal: options.signal });
    }
    const touch = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => {}), touchedEvery);
    try {
      return await work();
    } finally {
      clearInterval(touch);
      await rm(file, { force: true });
    }
  } finally {
    held.delete(token);
  }
}

export interface LockOptions {
  signal?: AbortSignal;
  /** Called once if another process is at work. */
  onWait?: () => void;
}

/** Tokens of this process. */
const held = new Set<string>();

async function take(folder: string, token: string): Promise<boolean> {
  const name = `lock.${token}`;
  if (await isWanted(folder, name)) return false;
  const file = join(folder, name);
  try {
    const holder = { host: hostname(), process: process.pid, token };
    await writeFile(file, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    await rm(file, { force: true });
    throw writeError(file, error);
  }
  if (!(await isWanted(folder, name))) return true;
  await rm(file, { force: true });
  return false;
}

/** Whether another live process has a file in the folder. Removes files that were left behind. */
async function isWanted(folder: string, own: string): Promise<boolean> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw writeError(folder, error);
  });
  let isFound = false;
  for (const name of names) {
    if (name === own || !/^lock(?:\.|$)/.test(name)) continue;
    const file = join(folder, name);
    if (await isLeftBehind(file)) await rm(file, { force: true });
    else isFound = true;
  }
  return isFound;
}

async function isLeftBehind(file: string): Promise<boolean> {
  const touched = await stat(file).catch(() => undefined);
  // Removed in the meantime.
  if (!touched) return true;
  if (Date.now() - touched.mtimeMs > staleAfter) return true;
  const holder = await readRecord(file, holderSchema);
  // On another machine, or the file is being written.
  if (holder?.host !== hostname()) return false;
  // In a container, a restarted program has the same process number as before.
  if (holder.process === process.pid) return !held.has(holder.token);
  return !isRunning(holder.process);
}
