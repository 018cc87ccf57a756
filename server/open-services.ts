// All parts of the server over one database, as routes and workers get them.
import { join } from 'node:path';
import { createKeys } from './access/keys.ts';
import { createLimits } from './access/limits.ts';
import { createOrganizations } from './access/organizations.ts';
import { createSessions } from './access/sessions.ts';
import { createAssistant } from './assistant/create-assistant.ts';
import { createRunningAnswers } from './assistant/running-answers.ts';
import { createThreads } from './assistant/threads.ts';
import type { Database } from './database/database.ts';
import { createJobs } from './exports/jobs.ts';
import { createQueue } from './exports/queue.ts';
import { createDiskStorage } from './links/disk-storage.ts';
import { createS3Storage } from './links/s3-storage.ts';
import type { Storage } from './links/storage.ts';
import type { Logger } from './operation/log.ts';
import { createMetrics } from './operation/metrics.ts';
import type { Services } from './services.ts';
import { createSites } from './sites/sites.ts';
import { createWebhooks } from './webhooks/webhooks.ts';

type Given = Pick<Services, 'options' | 'publicUrl' | 'sitesUrl' | 'secret' | 'now' | 'stopping'> & {
  database: Database;
  log: Logger;
};

/** Makes the parts; none of them is working yet. The database is migrated. */
export async function openServices(given: Given): Promise<Services> {
  const { database, log, now, options, secret, sitesUrl } = given;
  const queue = createQueue(database, log);
  const storage = await openStorage(given);
  const sites = createSites(database, now);
  const jobs = createJobs(database, now);
  const metrics = createMetrics();
  const keys = createKeys(database, now);
  return {
    ...given,
    queue,
    storage,
    metrics,
    organizations: createOrganizations(database, now),
    keys,
    sessions: createSessions(database, keys, now),
    sites,
    jobs,
    webhooks: createWebhooks({ database, queue, secret, now, sitesUrl, privateHosts: options.privateHosts }),
    limits: createLimits(database, secret, now),
    assistant: createAssistant({ sites, jobs, storage, options, secret, log, metrics }),
    threads: createThreads({ database, secret, now, days: options.threadDays }),
    answers: createRunningAnswers(),
  };
}

async function openStorage({ options, publicUrl, secret, now }: Given): Promise<Storage> {
  const { data, s3Bucket: bucket, s3Endpoint: endpoint, s3Prefix: prefix } = options;
  if (bucket === undefined) return createDiskStorage({ folder: join(data, 'storage'), publicUrl, secret, now });
  return createS3Storage({ bucket, endpoint, prefix, cacheFolder: join(data, 'cache', 'files'), now });
}
