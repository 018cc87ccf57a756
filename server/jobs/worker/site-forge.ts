// The API of the service that hosts the repository of a site and reports its pushes, with the token that git uses there.
import { readFile } from 'node:fs/promises';
import { jsonValue } from '../../../integration/text/json.ts';
import { decode } from '../../../integration/urls/parts.ts';
import type { Organizations } from '../../organizations/organizations.ts';
import type { ServerOptions } from '../../platform/options.ts';
import { guardedText } from '../../platform/public-addresses.ts';
import type { RegisteredSite } from '../../sites/sites.ts';
import { forgeApi, forges, RefusedRequest, type Forge } from '../../sources/forge.ts';
import { isFor, readGitCredentials, tokenOf } from '../../sources/git-credentials.ts';
import { gitUrl } from '../../sources/git-url.ts';

export interface ForgeParts {
  options: Pick<ServerOptions, 'gitCredentials' | 'gitAuthorities' | 'privateHosts'>;
  organizations: Pick<Organizations, 'list'>;
  /** The services that report pushes to the repository of a site. */
  pushHooks: { list(domain: string): Promise<{ service: string }[]> };
}

const milliseconds = 10_000;
// A hundred comments of 65,536 characters.
const largestAnswer = 8 * 1024 * 1024;

/** Undefined where no service is known, or no token is for the repository. */
export async function forgeOf(parts: ForgeParts, site: RegisteredSite) {
  const { gitCredentials, gitAuthorities, privateHosts } = parts.options;
  if (site.source.type !== 'git' || gitCredentials === undefined) return undefined;
  const repository = gitUrl(site.source.url);
  const hooks = await parts.pushHooks.list(site.previewOf ?? site.domain);
  const forge: Forge | undefined = forges.find((known) => hooks.some(({ service }) => service === known));
  if (forge === undefined || repository.protocol !== 'https') return undefined;
  const owner = { organization: site.organization, isAlone: (await parts.organizations.list()).length === 1 };
  const own = (await readGitCredentials(gitCredentials)).find((credential) => isFor(credential, owner, repository));
  if (own === undefined) return undefined;
  const { url, headers } = forgeApi(forge, repository.url, tokenOf(own));
  return {
    forge,
    /** Of the routes of the repository. */
    url,
    /** The first part of the path of the repository. */
    owner: decode(new URL(repository.url).pathname.split('/')[1] ?? ''),
    /** Sends a request to the service; `permission` is what its token needs for that. Throws `RefusedRequest` unless the status is 2xx. */
    async send(method: string, to: string, body: object | undefined, permission: string): Promise<unknown> {
      const request = {
        ...{ url: to, method, headers, body: body && JSON.stringify(body), allowed: privateHosts, milliseconds },
        authorities: gitAuthorities === undefined ? undefined : await readFile(gitAuthorities, 'utf8'),
      };
      const { status, text } = await guardedText(request, largestAnswer);
      if (status >= 200 && status <= 299) return jsonValue(text);
      const refused = `${repository.host} answered with status ${status}.`;
      if (![401, 403, 404].includes(status)) throw new RefusedRequest(status, refused);
      throw new RefusedRequest(
        status,
        `${refused} The token in the file of CARREL_GIT_CREDENTIALS needs ${permission} for this.`,
      );
    },
  };
}
