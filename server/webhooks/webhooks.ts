// Addresses that hear when a job completes or fails, signed as Standard Webhooks says (https://www.standardwebhooks.com).
import type { Database } from '../database/database.ts';
import type { Job } from '../exports/job.ts';
import type { Queue } from '../exports/queue.ts';

export const webhookEvents = ['job.completed', 'job.failed'] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

export interface Webhook {
  /** `wh_` and 16 hex digits. */
  id: string;
  organization: string;
  url: string;
  events: WebhookEvent[];
  createdAt: Date;
}

export interface Webhooks {
  /** `secret` (`whsec_…`) is given this once; it is kept encrypted. */
  create(webhook: Pick<Webhook, 'organization' | 'url' | 'events'>): Promise<{ webhook: Webhook; secret: string }>;
  list(organization: string): Promise<Webhook[]>;
  remove(organization: string, id: string): Promise<boolean>;
  /** Queues a delivery to every address of the job's organization that hears of its status. */
  tell(job: Job): Promise<void>;
  /** Begins delivering, in a worker. */
  open(): Promise<void>;
}

export interface WebhookContext {
  database: Database;
  queue: Queue;
  /** Encrypts the secrets at rest. */
  secret: string;
  now: () => number;
  /** Private networks that may be reached. */
  privateHosts: string[];
}

export function createWebhooks(_context: WebhookContext): Webhooks {
  throw new Error('Being written.');
}
