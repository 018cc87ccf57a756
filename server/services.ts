// What routes and workers work with, made once at start (server.ts) and handed to all of them.
import { type Audit, createAudit } from './organizations/audit.ts';
import { type Keys, createKeys } from './organizations/keys.ts';
import { type Limits, createLimits } from './organizations/limits.ts';
import { type Members, createMembers } from './members/members.ts';
import { type Oidc, createOidc } from './members/oidc.ts';
import { type Passkeys, createPasskeys } from './members/passkeys.ts';
import { type Organizations, createOrganizations } from './organizations/organizations.ts';
import { type SessionLinks, createSessionLinks } from './organizations/session-links.ts';
import { type Sessions, createSessions } from './organizations/sessions.ts';
import { type Assistant, createAssistant } from './assistant/answer/assistant.ts';
import { type AnswerSessions, createAnswerSessions } from './assistant/stream/answer-session.ts';
import { type ModelRecord, createModelRecord } from './assistant/model/model-record.ts';
import { type Threads, createThreads } from './assistant/threads/threads.ts';
import { type Events, createEvents } from './analytics/events.ts';
import type { Database } from './database/database.ts';
import type { Exporter } from './jobs/worker/run-export.ts';
import { type PushHooks, createPushHooks } from './jobs/causes/push-hooks.ts';
import { type Previews, createPreviews } from './jobs/causes/previews.ts';
import { type Jobs, createJobs } from './jobs/model/jobs.ts';
import { type Deltas, createDeltas } from './jobs/worker/make-delta.ts';
import { type Queue, createQueue } from './jobs/queue/queue.ts';
import type { Storage } from './storage/storage.ts';
import { createMailer, type SendMail } from './platform/mail.ts';
import type { Logger } from './platform/log.ts';
import { type Metrics, createMetrics } from './platform/metrics.ts';
import type { ServerOptions } from './platform/options.ts';
import type { Secrets } from './platform/secrets.ts';
import { type PageTokens, createPageTokens } from './sites/page-tokens.ts';
import { type ReaderCodes, createReaderCodes } from './sites/reader-codes.ts';
import { type Sites, createSites } from './sites/sites.ts';
import { type Webhooks, createWebhooks } from './webhooks/webhooks.ts';
import { join } from 'node:path';
import { createDiskStorage } from './storage/disk-storage.ts';
import { createS3Storage } from './storage/s3-storage.ts';

interface Given {
  options: ServerOptions;
  /** The program that jobs and the reference spawn. */
  exporter: Exporter;
  /** URLs without a slash at the end, as callers and readers know them; never taken from a request. */
  publicUrl: string;
  sitesUrl: string;
  /** Sign links and encrypt what is stored. A rotation changes them. */
  secrets: Secrets;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Aborted when the server begins to stop. */
  stopping?: AbortSignal;
  log: Logger;
  database: Database;
}

/** Written out: the declarations of the published package can name these types, but not those of their functions. */
export interface Services extends Given {
  queue: Queue;
  storage: Storage;
  metrics: Metrics;
  organizations: Organizations;
  keys: Keys;
  members: Members;
  passkeys: Passkeys;
  sessions: Sessions;
  audit: Audit;
  sessionLinks: SessionLinks;
  sites: Sites;
  pageTokens: PageTokens;
  readerCodes: ReaderCodes;
  jobs: Jobs;
  deltas: Deltas;
  pushHooks: PushHooks;
  previews: Previews;
  webhooks: Webhooks;
  modelRecord: ModelRecord;
  limits: Limits;
  /** Undefined without a mail server. */
  sendMail: SendMail | undefined;
  /** Undefined without a provider. */
  oidc: Oidc;
  assistant: Assistant;
  threads: Threads;
  answers: AnswerSessions;
  events: Events;
}

/** Makes the parts; none of them is working yet. The database is migrated. */
export async function openServices(given: Given): Promise<Services> {
  const { database, log, now, options, secrets, sitesUrl } = given;
  const queue = createQueue(database, log);
  const storage = await openStorage(given);
  const sites = createSites(database, now);
  const jobs = createJobs(database, now);
  const metrics = createMetrics();
  const keys = createKeys(database, now);
  const oidc = createOidc(options, given);
  const limits = createLimits(database, secrets[0], now);
  const webhooks = createWebhooks({ database, queue, secrets, now, sitesUrl, privateHosts: options.privateHosts });
  const modelRecord = createModelRecord({ database, now, log, notify: webhooks.queued });
  return {
    ...given,
    queue,
    storage,
    metrics,
    organizations: createOrganizations(database, now),
    keys,
    members: createMembers(database, now, oidc),
    passkeys: createPasskeys(database, now),
    sessions: createSessions(database, keys, now, oidc?.organization),
    sessionLinks: createSessionLinks(database, keys, now),
    audit: createAudit({ database, now, days: options.auditDays }),
    sites,
    pageTokens: createPageTokens({ options, secrets, sitesUrl, now }),
    readerCodes: createReaderCodes(database, now),
    jobs,
    deltas: createDeltas({ ...given, jobs, storage }),
    pushHooks: createPushHooks({ database, secrets, now }),
    previews: createPreviews({ database, storage, sites, jobs, queue, metrics, options, log, now }),
    webhooks,
    modelRecord,
    limits,
    sendMail: createMailer(options),
    oidc,
    assistant: createAssistant({ sites, jobs, storage, options, secrets, limits, log, metrics, modelRecord, now }),
    threads: createThreads({ database, secrets, now, days: options.threadDays }),
    answers: createAnswerSessions({ now }),
    events: createEvents({ database, now, log, metrics, days: options.analyticsDays }),
  };
}

async function openStorage({ options, publicUrl, secrets, now }: Given): Promise<Storage> {
  const { data, s3Bucket: bucket, s3Endpoint: endpoint, s3Prefix: prefix } = options;
  if (bucket === undefined) return createDiskStorage({ folder: join(data, 'storage'), publicUrl, secrets, now });
  return createS3Storage({ bucket, endpoint, prefix, cacheFolder: join(data, 'cache', 'files'), now });
}
