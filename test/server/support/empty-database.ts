// An embedded database without tables, made once and kept: making it takes five seconds of CPU time.
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { join } from 'node:path';
import { ensureBuilt } from '../../../integration/reader-build/ensure-built.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const script = 'test/server/support/embedded-process.ts';

/** Returns a folder with `database`, a folder to be copied, and `database.tar`. */
export function emptyDatabase(): Promise<string> {
  return ensureBuilt(join(root, 'test/.sites/database'), root, ['package-lock.json', script], async (fresh) => {
    await mkdir(fresh);
    const args = ['--liftoff-only', '--disable-warning=ExperimentalWarning', join(root, script), fresh];
    await promisify(execFile)(process.execPath, args);
  });
}
