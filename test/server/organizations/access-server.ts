// The routes of keys, organizations and sites over a real database, with a clock that can be moved.
import type { Writable } from 'node:stream';
import { getAccount } from '../../../server/members/account-routes.ts';
import { organizationRoutes } from '../../../server/organizations/organization-routes.ts';
import { memberRoutes } from '../../../server/members/member-routes.ts';
import { addOidcRoutes } from '../../../server/members/oidc-routes.ts';
import { createMembers } from '../../../server/members/members.ts';
import { createSessionLinks } from '../../../server/organizations/session-links.ts';
import { keyRoutes } from '../../../server/organizations/key-routes.ts';
import { createAudit } from '../../../server/organizations/audit.ts';
import { createLimits } from '../../../server/organizations/limits.ts';
import { createKeys, type NewKey } from '../../../server/organizations/keys.ts';
import { createOrganizations } from '../../../server/organizations/organizations.ts';
import type { Api } from '../../../server/http/api.ts';
import { emptyApi } from '../../../server/http/empty-api.ts';
import { addRoutes } from '../../../server/http/route.ts';
import { createLog } from '../../../server/platform/log.ts';
import { createMetrics } from '../../../server/platform/metrics.ts';
import { serverOptionsSchema, type ServerOptions } from '../../../server/platform/options.ts';
import type { Services } from '../../../server/services.ts';
import { addDetectRoutes } from '../../../server/jobs/routes/detect-routes.ts';
import { exportForAudiences } from '../../../server/jobs/start-export.ts';
import { removeOldExports } from '../../../server/jobs/retention.ts';
import { checkGitCredentials } from '../../../server/sources/git-credentials.ts';
import { addSiteRoutes } from '../../../server/sites/site-routes.ts';
import { createSites } from '../../../server/sites/sites.ts';
import { openMigratedDatabase } from '../support/databases.ts';
import { requestOf } from '../support/services.ts';

export interface AccessServer {
  services: Services;
  api: Api;
  /** Milliseconds since 1970; may be set. */
  clock: { now: number };
  /** A key of the organization `default` with all scopes. */
  operatorKey: string;
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  newKey(key?: Partial<NewKey>): Promise<string>;
}

interface RequestOptions {
  body?: unknown;
  /** The operator key when absent; null for none. */
  key?: string | null;
  headers?: Record<string, string>;
  /** The other end of the socket. */
  from?: string;
}

interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** Tests look at the fields one by one. */
  body: ReturnType<typeof JSON.parse>;
}

export interface AccessServerOptions {
  options?: Partial<ServerOptions>;
  log?: Writable;
  /** What the clock says at first. */
  start?: number;
}

/** One for a test file. */
export async function openAccessServer({
  options = {},
  log,
  start = Date.parse('2030-01-01T00:00:00Z'),
}: AccessServerOptions = {}): Promise<AccessServer> {
  const database = await openMigratedDatabase();
  // The keys that a test begins with count for no hour of it.
  const clock = { now: start - 2 * 3_600_000 };
  const now = () => clock.now;
  const services = {
    secrets: ['a secret of the tests, which is long enough'],
    options: { ...serverOptionsSchema.parse({}), ...options },
    publicUrl: 'http://api.example.com',
    sitesUrl: 'http://sites.example.com',
    now,
    log: log ? createLog('debug', log) : createLog('silent'),
    database,
    metrics: createMetrics(),
    organizations: createOrganizations(database, now),
    keys: createKeys(database, now),
    members: createMembers(database, now),
    sessionLinks: createSessionLinks(database, createKeys(database, now), now),
    limits: createLimits(database, 'secret', now),
    audit: createAudit({ database, now, days: 365 }),
    sites: createSites(database, now),
    // The other parts are not behind these routes.
  } as unknown as Services;
  const api = emptyApi(services);
  const organizationParts = {
    ...services,
    checkGitCredentials: (organizations: number) => checkGitCredentials(services.options.gitCredentials, organizations),
    removeOrganization: (id: string) => services.organizations.remove(id),
  };
  addRoutes(api, organizationParts, organizationRoutes);
  addRoutes(api, services, { getAccount, ...keyRoutes, ...memberRoutes });
  addOidcRoutes(api, services);
  addDetectRoutes(api, services);
  addSiteRoutes(api, {
    ...services,
    exportForAudiences: (site, whole) => exportForAudiences({ ...services, queue: { send: async () => {} } }, site, { whole }),
    removeExports: (domain) => removeOldExports(services, domain),
  });

  for (const id of ['default', 'other']) await services.organizations.create({ id, name: id, plan: 'enterprise' });
  const newKey = async (key: Partial<NewKey> = {}) => {
    const { secret } = await services.keys.create(
      { organization: 'default', kind: 'admin', name: 'test', ...key },
      { unlimited: true },
    );
    return secret;
  };
  const operatorKey = await newKey({ scopes: ['operator'] });
  clock.now = start;

  return {
    services,
    api,
    clock,
    operatorKey,
    newKey,
    async request(method, path, { body, key = operatorKey, headers, from = '192.0.2.1' } = {}) {
      const incoming = { socket: { remoteAddress: from } };
      const response = await api.request(path, requestOf(method, body, key, headers), { incoming });
      const text = await response.text();
      const isJson = text !== '' && response.headers.get('content-type')?.includes('json');
      return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
    },
  };
}
