// pg-boss carries ids: of jobs to workers (one at a time for each site), and of webhook deliveries.
import type { Database } from '../database/database.ts';
import type { Logger } from '../operation/log.ts';

export interface Delivery {
  webhook: string;
  /** Same for all attempts: receivers fold repeats by it. */
  message: string;
  event: string;
  /** Milliseconds since 1970. */
  at: number;
  data: unknown;
}

export interface Queue {
  start(): Promise<void>;
  /** Hands a job to the workers; the same id twice is one. */
  send(job: { id: string; domain: string }): Promise<void>;
  remove(id: string): Promise<void>;
  /** Works on jobs, at most `limit` at a time and one for each site. The signal comes when this process may not go on with it. A rejected promise hands it to another run, up to three. */
  work(limit: number, run: (id: string, signal: AbortSignal) => Promise<void>): Promise<void>;
  sendDelivery(delivery: Delivery): Promise<void>;
  /** Works on deliveries. A rejected promise tries again later, with growing pauses, for about a day. */
  workDeliveries(deliver: (delivery: Delivery) => Promise<void>): Promise<void>;
  /** Brings back what a killed process had in hand, and sends unfinished jobs that the queue does not know. */
  recover(unfinished: { id: string; domain: string }[]): Promise<void>;
  /** Jobs that wait and run. */
  counts(): Promise<{ queued: number; running: number }>;
  /** Takes no new work, lets running work end for so long, then gives it back. */
  stop(seconds: number): Promise<void>;
}

export function createQueue(_database: Database, _log: Logger): Queue {
  throw new Error('Being written.');
}
