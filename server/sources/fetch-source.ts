// site → folder: the first stage of a job.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Limits } from '../platform/process-limits.ts';
import type { RunLog } from '../platform/run-log.ts';
import type { RegisteredSite } from '../sites/sites.ts';
import { checkedFolder } from './folder.ts';
import { fetchGit } from './git.ts';
import type { GitOwner } from './git-credentials.ts';

export interface SourceContext {
  /** Folder of the run. */
  folder: string;
  /** Folder of repositories that are kept between runs. */
  mirrors: string;
  limits: Limits;
  /** Hosts in private networks that may be reached. */
  privateHosts: string[];
  /** File of git credentials. */
  gitCredentials?: string;
  owner: GitOwner;
  /** File of certificate authorities to trust in place of the system's. */
  gitAuthorities?: string;
  log: RunLog;
  signal: AbortSignal;
}

/** The folder that a site's docs are in now. Rejects with a `JobError` that says why there is none. */
export async function fetchSource(
  { domain, source }: Pick<RegisteredSite, 'domain' | 'source'>,
  context: SourceContext,
): Promise<string> {
  if (source.type === 'folder') return await checkedFolder(source.path);
  // One job of a site runs at a time, so no two of them ever write into one mirror.
  const name = createHash('sha256').update(`${domain}\n${source.url}`).digest('hex').slice(0, 32);
  return await fetchGit(source, { ...context, mirror: join(context.mirrors, name) });
}
