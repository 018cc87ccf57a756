// Asking the repository of a site, without an export of it.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Organizations } from '../../organizations/organizations.ts';
import type { ServerOptions } from '../../platform/options.ts';
import { createRunLog } from '../../platform/run-log.ts';
import type { RegisteredSite } from '../../sites/sites.ts';
import type { GitContext } from '../../sources/fetch-git.ts';
import { mirrorOf } from '../../sources/fetch-source.ts';
import type { GitSource } from '../../sources/git-url.ts';
import { makeRunFolder, removeRunFolder } from '../worker/run-folder.ts';
import { sourceContext } from '../worker/source-context.ts';

export interface RemoteParts {
  options: ServerOptions;
  organizations: Organizations;
}

/** Calls `read` with what git needs, in a folder that it removes at the end. */
export async function withRemote<Result>(
  parts: RemoteParts,
  site: RegisteredSite & { source: GitSource },
  signal: AbortSignal,
  read: (context: GitContext) => Promise<Result>,
): Promise<Result> {
  const id = `check-${randomBytes(8).toString('hex')}`;
  const folder = await makeRunFolder(join(parts.options.data, 'work'), { id, attempt: 1 });
  try {
    const context = await sourceContext(parts, site);
    const log = createRunLog({ keep: () => Promise.resolve(), onError: () => undefined, folder });
    return await read({ ...context, folder, log, signal, mirror: mirrorOf(site.domain, site.source.url, context) });
  } finally {
    await removeRunFolder(folder);
  }
}
