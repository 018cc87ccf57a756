import { join } from 'node:path';
import { openDatabase } from '../../../server/database/open-database.ts';
import { createJobs } from '../../../server/jobs/model/jobs.ts';
import { createMembers } from '../../../server/members/members.ts';
import { createAudit } from '../../../server/organizations/audit.ts';
import { createKeys } from '../../../server/organizations/keys.ts';
import { createLimits } from '../../../server/organizations/limits.ts';
import { createOrganizations } from '../../../server/organizations/organizations.ts';
import { createSessionLinks } from '../../../server/organizations/session-links.ts';
import { createSessions } from '../../../server/organizations/sessions.ts';
import { createLog } from '../../../server/platform/log.ts';
import { createMetrics } from '../../../server/platform/metrics.ts';
import { serverOptionsSchema } from '../../../server/platform/options.ts';
import type { Secrets } from '../../../server/platform/secrets.ts';
import type { Services } from '../../../server/services.ts';
import { createPageTokens } from '../../../server/sites/page-tokens.ts';
import { createReaderCodes } from '../../../server/sites/reader-codes.ts';
import { createSites } from '../../../server/sites/sites.ts';
import { createDiskStorage } from '../../../server/storage/disk-storage.ts';

/** What people and sites need, over a database that is migrated. */
export async function openPeopleServices(
  databaseUrl: string,
  data: string,
  [publicUrl, sitesUrl]: [string, string],
): Promise<Services> {
  const secrets: Secrets = ['what all processes of this test share'];
  const [now, log] = [Date.now, createLog('warn')];
  const options = serverOptionsSchema.parse({ data });
  const database = await openDatabase({ dataFolder: '', databaseUrl, log });
  const keys = createKeys(database, now);
  return {
    ...{ secrets, now, log, options, database, keys, publicUrl, sitesUrl },
    metrics: createMetrics(),
    organizations: createOrganizations(database, now),
    members: createMembers(database, now),
    sessions: createSessions(database, keys, now),
    sessionLinks: createSessionLinks(database, keys, now),
    limits: createLimits(database, secrets[0], now),
    audit: createAudit({ database, now, days: 365 }),
    sites: createSites(database, now),
    readerCodes: createReaderCodes(database, now),
    pageTokens: createPageTokens({ options, secrets, sitesUrl, now }),
    jobs: createJobs(database, now),
    storage: createDiskStorage({ folder: join(data, 'storage'), publicUrl, secrets, now }),
    // The other parts are not behind these routes.
  } as unknown as Services;
}
