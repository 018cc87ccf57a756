import type { Logger } from '../../platform/log.ts';
import type { Jobs } from '../model/jobs.ts';
import type { Queue } from './queue.ts';

/** Regularly sends the jobs that could not be sent when they were created, because the database was not available. Returns what stops it. */
export function keepSendingMissing(
  { jobs, queue, log }: { jobs: Jobs; queue: Queue; log: Logger },
  milliseconds: number,
): () => Promise<void> {
  let timer: NodeJS.Timeout;
  let sending: Promise<void> = Promise.resolve();
  const send = async (): Promise<void> => {
    try {
      await queue.sendMissing(await jobs.unfinished());
    } catch (error) {
      log.warn({ err: error }, 'jobs that the queue may not know could not be sent; they are tried again');
    }
    wait();
  };
  // The random part keeps processes from sending at the same moment.
  const wait = (): void => {
    timer = setTimeout(() => (sending = send()), milliseconds * (0.75 + Math.random() / 2)).unref();
  };
  wait();
  return async () => {
    clearTimeout(timer);
    await sending;
    clearTimeout(timer);
  };
}
