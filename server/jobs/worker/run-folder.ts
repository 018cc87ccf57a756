// Each run has its own folder, which is removed when it ends; folders of killed processes are removed at the next start.
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { isRunning } from '../../../integration/output/output-path.ts';
import type { Run } from '../model/jobs.ts';
import { jsonValue } from '../../../integration/text/json.ts';

const ownerSchema = z.object({ host: z.string(), process: z.number().int(), started: z.string() });
type Owner = z.infer<typeof ownerSchema>;

const ownerFile = 'owner.json';
// Whether a process on another machine is alive is unknown, but no run takes this long.
const longestRun = 2 * 24 * 60 * 60 * 1000;

/** Creates the folder of a run with empty folders for its home, its temporary files and its output. */
export async function makeRunFolder(workFolder: string, { id, attempt }: Run): Promise<string> {
  const folder = join(workFolder, `${id}-${attempt}`);
  await rm(folder, { recursive: true, force: true });
  for (const name of ['home', 'temporary', 'site', 'archive']) await mkdir(join(folder, name), { recursive: true });
  const owner: Owner = { host: hostname(), process: process.pid, started: startOf(process.pid) ?? '' };
  await writeFile(join(folder, ownerFile), JSON.stringify(owner));
  return folder;
}

export async function removeRunFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Removes the folders of runs whose process is gone. `now` in milliseconds since 1970. */
export async function removeLeftovers(workFolder: string, now: number): Promise<void> {
  await mkdir(workFolder, { recursive: true });
  for (const name of await readdir(workFolder)) {
    const folder = join(workFolder, name);
    if (!(await isInUse(folder, now))) await removeRunFolder(folder);
  }
}

async function isInUse(folder: string, now: number): Promise<boolean> {
  const modified = (await stat(folder).catch(() => undefined))?.mtimeMs ?? 0;
  const text = await readFile(join(folder, ownerFile), 'utf8').catch(() => undefined);
  // Another process may be writing it.
  if (text === undefined) return now - modified < 60_000;
  const owner = ownerSchema.safeParse(jsonValue(text)).data;
  if (!owner) return false;
  return owner.host === hostname() ? isAlive(owner) : now - modified < longestRun;
}

function isAlive(owner: Owner): boolean {
  if (!isRunning(owner.process)) return false;
  // Another process may have the same number now.
  const started = startOf(owner.process);
  return started === undefined || owner.started === '' || started === owner.started;
}

/** Start of a process in ticks since the start of the machine; undefined if the system does not report it. */
function startOf(process: number): string | undefined {
  try {
    // The second field is a name in brackets, which may contain anything.
    return readFileSync(`/proc/${process}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')[19];
  } catch {
    return undefined;
  }
}
