// site → folder: the first stage of a job.
import { createHash } from 'node:crypto';
import { join, isAbsolute } from 'node:path';
import type { RegisteredSite } from '../sites/sites.ts';
import { fetchGit, type FetchedSource, type SourceContext } from './fetch-git.ts';
import { errorCode } from '../../integration/errors.ts';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { JobError } from '../platform/errors.ts';

/** The folder that a site's docs are in now, with its commit. Rejects with a `JobError` that says why there is none. */
export async function fetchSource(
  { domain, source }: Pick<RegisteredSite, 'domain' | 'source'>,
  context: SourceContext,
): Promise<FetchedSource> {
  if (source.type === 'folder') return { folder: await checkedFolder(source.path) };
  return await fetchGit(source, { ...context, mirror: mirrorOf(domain, source.url, context) });
}

/** The repository of a site. A site runs one job at a time, so two jobs never write to the same one. */
export function mirrorOf(domain: string, url: string, { mirrors }: Pick<SourceContext, 'mirrors'>): string {
  return join(mirrors, createHash('sha256').update(`${domain}\n${url}`).digest('hex').slice(0, 32));
}

/** The path, if it is a readable folder. Rejects with a `JobError` otherwise. */
export async function checkedFolder(path: string): Promise<string> {
  const problem = await problemOf(path);
  if (problem === undefined) return path;
  throw new JobError(
    'SourceNotReadable',
    `The folder "${path}" ${problem}. Correct the site's source, or the folder on the server's machine.`,
  );
}

async function problemOf(path: string): Promise<string | undefined> {
  if (!isAbsolute(path)) return 'is not an absolute path';
  if (path.includes('\0')) return 'is not a path';
  try {
    if (!(await stat(path)).isDirectory()) return 'is a file';
    await access(path, constants.R_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist';
    if (code === 'EACCES' || code === 'EPERM') return 'may not be read by the user that the server runs as';
    return `cannot be read (${code})`;
  }
}
