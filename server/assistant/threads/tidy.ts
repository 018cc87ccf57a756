import type { Logger } from '../../platform/log.ts';

const hour = 3_600_000;

interface Expiring {
  /** Removes what has expired. */
  removeOld(): Promise<void>;
}

/** Removes expired conversations, counts and sessions, now and every hour. Returns what stops it. */
export function tidyHourly({
  threads,
  limits,
  sessions,
  log,
}: Record<'threads' | 'limits' | 'sessions', Expiring> & { log: Pick<Logger, 'warn'> }): () => Promise<void> {
  let work = Promise.resolve();
  const tidy = () => {
    // What cannot be removed now is removed an hour later.
    work = Promise.all([threads.removeOld(), limits.removeOld(), sessions.removeOld()]).then(
      () => undefined,
      (err: unknown) => log.warn({ err }, 'expired conversations, counts or sessions not removed'),
    );
  };
  tidy();
  const timer = setInterval(tidy, hour).unref();
  return () => {
    clearInterval(timer);
    return work;
  };
}
