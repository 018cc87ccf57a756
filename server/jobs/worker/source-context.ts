// What a fetch from the source of a site may use, as the options of the server and the site's organization determine.
import { join } from 'node:path';
import type { Organizations } from '../../organizations/organizations.ts';
import { limitsOf } from '../../platform/process-limits.ts';
import type { ServerOptions } from '../../platform/options.ts';
import type { RegisteredSite } from '../../sites/sites.ts';
import type { SourceContext } from '../../sources/fetch-git.ts';

interface Parts {
  options: ServerOptions;
  organizations: Pick<Organizations, 'list'>;
}

/** Without what belongs to one run: its folder, its log and its signal. */
export async function sourceContext(
  { options, organizations }: Parts,
  { organization, settings }: Pick<RegisteredSite, 'organization' | 'settings'>,
): Promise<Omit<SourceContext, 'folder' | 'log' | 'signal'>> {
  const { privateHosts, gitCredentials, gitAuthorities, gitSshOrganizations } = options;
  const isAlone = (await organizations.list()).length === 1;
  const mayUseSsh = isAlone || settings.sshByOperator === true || gitSshOrganizations.includes(organization);
  return {
    mirrors: mirrorsOf(options),
    limits: limitsOf(options),
    privateHosts,
    gitCredentials,
    gitAuthorities,
    owner: { organization, isAlone, mayUseSsh },
  };
}

/** The folder of repositories that stay between runs. */
export function mirrorsOf({ data }: Pick<ServerOptions, 'data'>): string {
  return join(data, 'git');
}
