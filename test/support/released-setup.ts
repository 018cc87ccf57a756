// Vitest's global set-up: what `npm run release -- --dry-run` makes of this working tree, made when the first test file asks for it. Packing takes
// a minute of CPU time, and compiles to build/, which two at a time must not do.
import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { onFirstRequest } from '../server/support/on-first-request.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Port that tells the folder of what the dry run wrote; its `dry-run.json` has what it printed. */
    releasedPort: number;
  }
}

export interface DryRun {
  status: number | null;
  stdout: string;
  stderr: string;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const released = await onFirstRequest(dryRun, (folder) => folder);
  project.provide('releasedPort', released.port);
  return async () => {
    const folder = await released.end();
    if (folder) await rm(folder, { recursive: true, force: true });
  };
}

function dryRun(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'carrel-released-'));
  const args = [join(root, 'test/release/release.ts'), '--dry-run', '--out', folder];
  return new Promise((resolve) => {
    // `npm test` has checked the types before.
    const env = { ...process.env, CARREL_TYPES_CHECKED: '1' };
    const child = execFile(process.execPath, args, { cwd: root, env, timeout: 600_000 }, (_, stdout, stderr) => {
      const result: DryRun = { status: child.exitCode, stdout, stderr };
      writeFileSync(join(folder, 'dry-run.json'), JSON.stringify(result));
      resolve(folder);
    });
  });
}
