// What routes and workers work with, made once at start (server.ts) and handed to all of them.
import type { Keys } from './organizations/keys.ts';
import type { Limits } from './organizations/limits.ts';
import type { Organizations } from './organizations/organizations.ts';
import type { Sessions } from './organizations/sessions.ts';
import type { Assistant } from './assistant/answer/assistant.ts';
import type { AnswerSessions } from './assistant/stream/answer-session.ts';
import type { Threads } from './assistant/threads/threads.ts';
import type { Database } from './database/database.ts';
import type { Jobs } from './jobs/model/jobs.ts';
import type { Queue } from './jobs/queue/queue.ts';
import type { Storage } from './storage/storage.ts';
import type { Logger } from './platform/log.ts';
import type { Metrics } from './platform/metrics.ts';
import type { ServerOptions } from './platform/options.ts';
import type { Sites } from './sites/sites.ts';
import type { Webhooks } from './webhooks/webhooks.ts';

export interface Services {
  options: ServerOptions;
  /** Addresses without a slash at the end, as callers and readers know them; never taken from a request. */
  publicUrl: string;
  sitesUrl: string;
  /** Signs links and encrypts webhook secrets. */
  secret: string;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Aborted when the server begins to stop. */
  stopping?: AbortSignal;
  log: Logger;
  database: Database;
  queue: Queue;
  storage: Storage;
  metrics: Metrics;
  organizations: Organizations;
  keys: Keys;
  sessions: Sessions;
  sites: Sites;
  jobs: Jobs;
  webhooks: Webhooks;
  limits: Limits;
  assistant: Assistant;
  threads: Threads;
  answers: AnswerSessions;
}
