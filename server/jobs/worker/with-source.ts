// Looking at the source of a site, without an export of it.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Organizations } from '../../organizations/organizations.ts';
import type { ServerOptions } from '../../platform/options.ts';
import { createRunLog } from '../../platform/run-log.ts';
import type { RegisteredSite } from '../../sites/sites.ts';
import type { GitContext, SourceContext } from '../../sources/fetch-git.ts';
import { mirrorOf } from '../../sources/fetch-source.ts';
import type { GitSource } from '../../sources/git-url.ts';
import { makeRunFolder, removeRunFolder } from './run-folder.ts';
import { sourceContext } from './source-context.ts';

export interface SourceParts {
  options: ServerOptions;
  organizations: Organizations;
}

/** Calls `read` with what a fetch from the source needs, in a folder that it removes at the end. */
export async function withSource<Result>(
  parts: SourceParts,
  site: Pick<RegisteredSite, 'organization' | 'settings'>,
  signal: AbortSignal,
  read: (context: SourceContext) => Promise<Result>,
): Promise<Result> {
  const id = `look-${randomBytes(8).toString('hex')}`;
  const folder = await makeRunFolder(join(parts.options.data, 'work'), { id, attempt: 1 });
  try {
    const log = createRunLog({ keep: () => Promise.resolve(), onError: () => undefined, folder });
    return await read({ ...(await sourceContext(parts, site)), folder, log, signal });
  } finally {
    await removeRunFolder(folder);
  }
}

/** The same, for questions to the repository of a site. */
export function withRemote<Result>(
  parts: SourceParts,
  site: RegisteredSite & { source: GitSource },
  signal: AbortSignal,
  read: (context: GitContext) => Promise<Result>,
): Promise<Result> {
  return withSource(parts, site, signal, (context) =>
    read({ ...context, mirror: mirrorOf(site.domain, site.source.url, context) }),
  );
}
