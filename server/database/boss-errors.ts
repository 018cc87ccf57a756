import type { PgBoss } from 'pg-boss';
import type { Logger } from '../platform/log.ts';
import { asUnavailable, DatabaseUnavailable } from './unavailable.ts';

/** Milliseconds between two lines about a database that is away: the queue asks it several times a second. */
const silence = 10_000;

/** Logs errors of the queue's own work, which no caller awaits. */
export function logErrors(boss: PgBoss, log: Logger): PgBoss {
  let last = -Infinity;
  boss.on('error', (error) => {
    if (!(asUnavailable(error) instanceof DatabaseUnavailable)) {
      log.error({ err: error }, 'the job queue met an error');
      return;
    }
    if (performance.now() - last < silence) return;
    last = performance.now();
    log.warn({ err: error }, 'the job queue cannot reach the database; it goes on trying');
  });
  boss.on('warning', (warning) => log.warn({ warning }, 'the job queue warns'));
  return boss;
}
