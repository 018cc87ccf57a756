// Embedded databases without rows, made once and kept: making one takes five seconds of CPU time.
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { join } from 'node:path';
import { ensureBuilt } from '../../../integration/reader-build/ensure-built.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const support = 'test/server/support';
const script = `${support}/embedded-process.ts`;
const inputs = [
  'package-lock.json',
  script,
  `${support}/add-tables.ts`,
  'server/database/migrate.ts',
  'server/database/migrations.sql',
  'server/jobs/queue/queues.ts',
];

/** Returns a folder with `database`, a folder without tables to be copied, and `migrated.tar`. */
export function emptyDatabase(): Promise<string> {
  return ensureBuilt(join(root, 'test/.sites/database'), root, inputs, async (fresh) => {
    await mkdir(fresh);
    const args = ['--liftoff-only', '--disable-warning=ExperimentalWarning', join(root, script), fresh];
    await promisify(execFile)(process.execPath, args);
  });
}
