import { errorCode } from '../../integration/errors.ts';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { JobError } from '../platform/errors.ts';

/** The path, when it is a folder that can be read. Rejects with a `JobError` otherwise. */
export async function checkedFolder(path: string): Promise<string> {
  const problem = await problemOf(path);
  if (problem === undefined) return path;
  throw new JobError(
    'SourceNotReadable',
    `The folder "${path}" ${problem}. Correct the site's source, or the folder on the server's machine.`,
  );
}

async function problemOf(path: string): Promise<string | undefined> {
  if (!isAbsolute(path)) return 'is no absolute path';
  if (path.includes('\0')) return 'is no path';
  try {
    if (!(await stat(path)).isDirectory()) return 'is a file';
    await access(path, constants.R_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'is not there';
    if (code === 'EACCES' || code === 'EPERM') return 'may not be read by the user that the server runs as';
    return `cannot be read (${code})`;
  }
}
