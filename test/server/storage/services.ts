import type { Api } from '../../../server/http/api.ts';
import { createModelRecord } from '../../../server/assistant/model/model-record.ts';
import { emptyApi } from '../../../server/http/empty-api.ts';
import { createKeys } from '../../../server/organizations/keys.ts';
import { createLimits } from '../../../server/organizations/limits.ts';
import { createOrganizations } from '../../../server/organizations/organizations.ts';
import type { Database } from '../../../server/database/database.ts';
import { createJobs } from '../../../server/jobs/model/jobs.ts';
import { addBundleRoutes } from '../../../server/jobs/routes/bundle-routes.ts';
import { createDiskStorage } from '../../../server/storage/disk-storage.ts';
import type { Storage } from '../../../server/storage/storage.ts';
import { createLog } from '../../../server/platform/log.ts';
import { createMetrics } from '../../../server/platform/metrics.ts';
import { serverOptionsSchema } from '../../../server/platform/options.ts';
import type { Services } from '../../../server/services.ts';
import { createPageTokens } from '../../../server/sites/page-tokens.ts';
import { createSites } from '../../../server/sites/sites.ts';
import { atFileEnd } from '../../support/at-file-end.ts';
import { openMigratedDatabase } from '../support/databases.ts';
import { secrets, temporaryFolder } from './storages.ts';

export interface LinkServer {
  /** All but the queue and the webhooks, which play no part here. */
  services: Services;
  /** The API with the route of bundles alone. */
  api: Api;
  clock: { now: number };
}

let opened: Promise<Database> | undefined;

/** What exports are kept and served with: real parts over a database without rows, one for a test file. */
export async function openLinkServer({
  storage,
  keepExports = 5,
}: { storage?: Storage; keepExports?: number } = {}): Promise<LinkServer> {
  const folder = await temporaryFolder();
  const options = { ...serverOptionsSchema.parse({ data: folder }), keepExports };
  const clock = { now: Date.now() };
  const now = () => clock.now;
  const log = createLog('silent');
  const database = await emptyDatabase();
  const publicUrl = 'http://api.example.com';
  const sitesUrl = 'http://sites.example.com';
  const services = {
    options,
    publicUrl,
    sitesUrl,
    secrets,
    now,
    log,
    database,
    storage: storage ?? createDiskStorage({ folder, publicUrl, secrets, now }),
    metrics: createMetrics(),
    organizations: createOrganizations(database, now),
    keys: createKeys(database, now),
    sites: createSites(database, now),
    pageTokens: createPageTokens({ options, secrets, sitesUrl, now }),
    jobs: createJobs(database, now),
    limits: createLimits(database, secrets[0], now),
    modelRecord: createModelRecord({ database, now, log, notify: async () => {} }),
  } as Services;
  await services.jobs.open();
  atFileEnd(() => services.jobs.close());
  const api = emptyApi(services);
  addBundleRoutes(api, services);
  return { services, api, clock };
}

async function emptyDatabase(): Promise<Database> {
  if (!opened) atFileEnd(() => (opened = undefined));
  const database = await (opened ??= openMigratedDatabase());
  await database.query('truncate carrel.organizations, carrel.sites, carrel.jobs, carrel.counts cascade');
  return database;
}
