import type { Services } from '../services.ts';

const hour = 3_600_000;

/** Removes conversations and counts that have ended, now and each hour from now on. Gives what stops it. */
export function tidyHourly({ threads, limits, log }: Pick<Services, 'threads' | 'limits' | 'log'>): () => Promise<void> {
  let work = Promise.resolve();
  const tidy = () => {
    // What is not removed now is removed an hour later.
    work = Promise.all([threads.removeOld(), limits.removeOld()]).then(
      () => undefined,
      (err: unknown) => log.warn({ err }, 'expired conversations not removed'),
    );
  };
  tidy();
  const timer = setInterval(tidy, hour).unref();
  return () => {
    clearInterval(timer);
    return work;
  };
}
