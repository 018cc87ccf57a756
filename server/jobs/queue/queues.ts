import { createHash } from 'node:crypto';
import type { PgBoss, Queue as BossQueue } from 'pg-boss';

export const queues = { exports: 'exports', givenUp: 'exports-given-up', deliveries: 'webhook-deliveries' } as const;

export interface Delivery {
  webhook: string;
  /** The same for all attempts, so that receivers recognize repeats. */
  message: string;
  event: string;
  /** Milliseconds since 1970. */
  at: number;
  data: unknown;
}

const hour = 3_600;

/** Number of runs of a job that may reject; the next one that rejects makes it fail. */
export const mostRetries = 2;

// The least that pg-boss accepts: what a killed process was working on returns to the queue after so long.
const common = { notify: true, heartbeatSeconds: 10 };

// Each queue follows the one that it names. Times in seconds.
const settings: [name: string, policy: 'standard' | 'key_strict_fifo', options: Omit<BossQueue, 'name' | 'policy'>][] = [
  [queues.givenUp, 'standard', { ...common, retryLimit: 20, retryDelay: 2, retryBackoff: true, retryDelayMax: hour }],
  [
    queues.exports,
    // One active job for each key, in their order, however many workers poll at once; busy keys are skipped. A job that finally failed
    // blocks its key until it is deleted, which `work` does.
    'key_strict_fifo',
    {
      ...common,
      deadLetter: queues.givenUp,
      // `work` raises it for each run whose process dies.
      retryLimit: mostRetries,
      retryDelay: 0,
      // The most that pg-boss accepts; a run has its own, shorter limit.
      expireInSeconds: 24 * hour,
      deleteAfterSeconds: 24 * hour,
    },
  ],
  [
    queues.deliveries,
    'standard',
    // 16 attempts: after 15 s, 30 s, 1 min and so on, up to 4 hours apart, for about a day.
    {
      ...common,
      retryLimit: 15,
      retryDelay: 15,
      retryBackoff: true,
      retryDelayMax: 4 * hour,
      expireInSeconds: 120,
      deleteAfterSeconds: hour,
    },
  ],
];

/** Creates the queues, or updates those of an older version to these settings. Several processes can do it at the same time. */
export async function createQueues(boss: PgBoss): Promise<void> {
  for (const [name, policy, options] of settings) {
    await boss.createQueue(name, { ...options, policy });
    await boss.updateQueue(name, options);
  }
}

/** The options that a job is sent with. */
export function exportOptions(id: string, domain: string) {
  return { id: queueId(id), singletonKey: domain };
}

/** pg-boss needs a UUID: always the same one for an id of ours, so that sending twice is sending once. */
export function queueId(id: string): string {
  const hex = createHash('sha256').update(id).digest('hex');
  // Version 8 is for custom values (RFC 9562).
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
