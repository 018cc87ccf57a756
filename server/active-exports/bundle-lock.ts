// One process at a time fetches into a folder that several share, such as the pods on one volume.
import { randomBytes } from 'node:crypto';
import { open, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { writeError } from '../../integration/output/write-error.ts';
import { readRecord } from '../platform/json-file.ts';

const holderSchema = z.strictObject({ host: z.string(), process: z.number(), token: z.string() });

// A holder on another machine cannot be asked whether it lives: it touches the file as long as it does.
const touchedEvery = 5_000;
const staleAfter = 30_000;
const askedEvery = 250;

/** Does work while no other process does any in the same folder; waits for its turn. Throws what `work` throws. */
export async function withKeepLock<T>(folder: string, work: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  const file = join(folder, 'lock');
  const token = randomBytes(8).toString('hex');
  for (let told = false; !(await take(file, token)); told = true) {
    if (!told) options.onWait?.();
    await pause(askedEvery, undefined, { signal: options.signal });
  }
  const touch = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => {}), touchedEvery);
  try {
    return await work();
  } finally {
    clearInterval(touch);
    if ((await readRecord(file, holderSchema))?.token === token) await rm(file, { force: true });
  }
}

export interface LockOptions {
  signal?: AbortSignal;
  /** Called once, when another process is at work. */
  onWait?: () => void;
}

const held = new Set<string>();

async function take(file: string, token: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx', 0o600);
    held.add(token);
    try {
      await handle.writeFile(JSON.stringify({ host: hostname(), process: process.pid, token }));
    } catch (error) {
      await rm(file, { force: true });
      throw error;
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw writeError(file, error);
  }
  if (await isLeftBehind(file)) await rm(file, { force: true });
  return false;
}

async function isLeftBehind(file: string): Promise<boolean> {
  const touched = await stat(file).catch(() => undefined);
  if (!touched) return false;
  if (Date.now() - touched.mtimeMs > staleAfter) return true;
  const holder = await readRecord(file, holderSchema);
  // On another machine, or it is being written.
  if (holder?.host !== hostname()) return false;
  // In a container a restarted program has the number of the one before it.
  if (holder.process === process.pid) return !held.has(holder.token);
  try {
    process.kill(holder.process, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
