// Containers that share a volume do not see each other's sockets, so the holder also keeps rewriting a file. The holder is alive
// when the file changes while it is watched: no clocks are compared, as lock libraries do with the time of the file.
import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { errorCode } from '../../integration/errors.ts';

/** Milliseconds. A holder that was stopped for longer than a watch has lost its folder. */
export const beat = 1_000;
const watch = 5 * beat;
const fileName = 'carrel.lock';

const holderSchema = z.object({ machine: z.string().optional(), id: z.string().optional() });

/** Returns what releases the folder; undefined when a process on another machine, or in another container, has it. */
export async function lockBetweenMachines(
  folder: string,
  instance: string,
  here = machine(),
): Promise<(() => Promise<void>) | undefined> {
  const file = join(folder, fileName);
  const found = await read(file);
  // On this machine the socket decides, and it was free: the file is of a process that was killed.
  const isElsewhere = found !== undefined && machineOf(found) !== here;
  if (isElsewhere) {
    for (let waited = 0; waited < watch; waited += beat) {
      await pause(beat);
      const now = await read(file);
      if (now !== undefined && now !== found) return undefined;
    }
  }
  let count = 0;
  let text = '';
  const nextText = () => (text = JSON.stringify({ machine: here, id: instance, count: (count += 1) }));
  // Renamed into place: of two machines that write at the same time, one stands in the file, never a mixture of both.
  const draft = join(folder, `${fileName}.${randomUUID()}`);
  const write = async () => {
    await writeFile(draft, nextText(), { mode: 0o600 });
    await rename(draft, file);
  };
  try {
    if (found === undefined) await writeFile(file, nextText(), { mode: 0o600, flag: 'wx' });
    else await write();
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return await lockBetweenMachines(folder, instance, here);
    throw error;
  }
  // Two machines may have watched the same file: the one that wrote last has the folder.
  if (isElsewhere) {
    await pause(beat);
    if ((await read(file)) !== text) return undefined;
  }
  // A full disk makes a beat fail; the next one may succeed.
  let last = Promise.resolve();
  const timer = setInterval(() => (last = write().catch(() => {})), beat).unref();
  return async () => {
    clearInterval(timer);
    await last;
    await Promise.all([rm(file, { force: true }), rm(draft, { force: true })]);
  };
}

/** The instance that holds a folder, or held it when it was killed. */
export async function lockingInstance(folder: string): Promise<string | undefined> {
  // The holder may be writing the file just now.
  for (let tries = 0; tries < 5; tries++) {
    const text = await read(join(folder, fileName));
    if (text === undefined) return undefined;
    try {
      return holderSchema.parse(JSON.parse(text)).id;
    } catch {
      await pause(beat / 20);
    }
  }
  return undefined;
}

/** The same for all processes that see each other's sockets. */
function machine(): string {
  const parts = [
    hostname(),
    attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    attempt(() => readlinkSync('/proc/self/ns/net')),
  ];
  return parts.join(' ');
}

function attempt(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

function machineOf(text: string): string | undefined {
  try {
    return holderSchema.parse(JSON.parse(text)).machine;
  } catch {
    return undefined;
  }
}

function read(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
