import type { Services } from '../../services.ts';

/** Once in a while, sends the jobs that could not be sent when they were made, as the database was away for a moment. Gives what stops it. */
export function keepSendingMissing(
  { jobs, queue, log }: Pick<Services, 'jobs' | 'queue' | 'log'>,
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
  // Never all processes at the same moment.
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
