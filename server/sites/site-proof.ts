// Whose a domain is. A server with several organizations serves a host that is not below the one of all sites only when a DNS record shows that
// the organization holds it, or an operator has set it: the proxy in front of the server may send it the requests of any host.
import { createHmac } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import type { Key } from '../http/key.ts';
import { includesScope } from '../http/key.ts';
import type { Organizations } from '../organizations/organizations.ts';
import { ApiError } from '../platform/errors.ts';
import type { ServerOptions } from '../platform/options.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { RegisteredSite } from './sites.ts';

export interface ProofParts {
  organizations: Pick<Organizations, 'list'>;
  options: Pick<ServerOptions, 'dnsServers'>;
  secrets: Secrets;
  sitesUrl: string;
}

type Claim = Pick<RegisteredSite, 'domain' | 'organization'>;

/** Whether the site of a domain has to be proven, unless it has been before. */
export async function needsProof({ organizations, sitesUrl }: ProofParts, { scopes }: Key, domain: string): Promise<boolean> {
  const { hostname } = new URL(sitesUrl);
  // Names without a dot are names of this server alone.
  const isCustom = domain.includes('.') && !`.${domain}`.endsWith(`.${hostname}`);
  return isCustom && !includesScope(scopes, 'operator') && (await organizations.list()).length > 1;
}

/** The record that proves a domain, of one organization alone. */
export function proofRecord(secret: string, { domain, organization }: Claim) {
  const token = createHmac('sha256', secret)
    .update(JSON.stringify(['domain', organization, domain]))
    .digest('base64url');
  return { type: 'TXT' as const, name: `_carrel-challenge.${domain}`, value: `carrel=${token}` };
}

/** Throws `ApiError` 409 `DomainNotProven` unless the DNS has the record. */
export async function checkProof(parts: ProofParts, claim: Claim): Promise<void> {
  const { name, value } = proofRecord(parts.secrets[0], claim);
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  if (parts.options.dnsServers.length > 0) resolver.setServers(parts.options.dnsServers);
  let found: string;
  try {
    const records = (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''));
    if (parts.secrets.some((secret) => records.includes(proofRecord(secret, claim).value))) return;
    found = 'it has other TXT records';
  } catch (error) {
    found = String((error as NodeJS.ErrnoException).code);
  }
  throw new ApiError(
    'DomainNotProven',
    `The DNS does not prove yet that "${claim.domain}" is yours (${found}). Add the TXT record "${value}" at ${name}, wait until it is published, and try again; or ask an operator of this server.`,
  );
}
