// Vitest's global set-up: one empty embedded database for a run, to begin others with; made when the first test file asks for it.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { onFirstRequest } from './on-first-request.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Port that tells the folder of what embedded-process.ts made. */
    embeddedPort: number;
  }
}

const script = fileURLToPath(new URL('embedded-process.ts', import.meta.url));

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const embedded = await onFirstRequest(make, (folder) => folder);
  project.provide('embeddedPort', embedded.port);
  return async () => {
    const folder = await embedded.end();
    if (folder) await rm(folder, { recursive: true, force: true });
  };
}

async function make(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'carrel-embedded-'));
  await promisify(execFile)(process.execPath, ['--liftoff-only', '--disable-warning=ExperimentalWarning', script, folder]);
  return folder;
}
