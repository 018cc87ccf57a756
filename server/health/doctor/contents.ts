// What the database says about the work of the server: sites, exports, schedules, webhooks and keys.
import type { Queryable } from '../../database/database.ts';
import { examineSealed, lostError } from '../../database/sealed-texts.ts';
import { queues } from '../../jobs/queue/queues.ts';
import { examine, ok, warn, type Finding } from './finding.ts';

const minute = 60_000;
/** Milliseconds after which work that no one has taken counts as forgotten. */
const forgotten = 15 * minute;

/** Checks a migrated database, through which a running server works or has worked. */
export async function checkContents(database: Queryable, now: number, secrets: readonly string[]): Promise<Finding[]> {
  const late = new Date(now - forgotten);
  const names = async (sql: string, parameters: unknown[] = []) =>
    (await database.query<{ name: string }>(sql, parameters)).map(({ name }) => name);
  return [
    await examine('sites', 10, async () => {
      const unserved = await names('select domain as name from carrel.sites where active_job is null order by 1');
      if (unserved.length === 0) return ok('Every site has an export that is served');
      return warn(`No export is served of ${listed(unserved, 'site')}.`, `Export it: carrel job start ${unserved[0]}`);
    }),
    await examine('exports', 10, async () => {
      const failed = await names(
        `select domain || coalesce(' (' || error_code || ')', '') as name from (
           select distinct on (domain) domain, status, error_code from carrel.jobs
           where status in ('completed', 'failed') and domain in (select domain from carrel.sites)
           order by domain, created_at desc, id desc
         ) last where status = 'failed' order by 1`,
      );
      if (failed.length === 0) return ok('No last export of a site has failed');
      const [first = ''] = failed[0]!.split(' ');
      return warn(`The last export failed of ${listed(failed, 'site')}.`, `Read why: carrel job list --domain ${first}`);
    }),
    await examine('queue', 10, async () => {
      const waiting = await names(
        `select id as name from carrel.jobs where status = 'queued' and created_at < $1
         and not exists (select from carrel.jobs r where r.status = 'running') order by created_at`,
        [late],
      );
      if (waiting.length === 0) return ok('No job waits without a worker');
      const next = 'Start a server or a worker (CARREL_ROLE=worker) on this database, and read its log.';
      return warn(`For 15 minutes, no worker has taken ${listed(waiting, 'job')}.`, next);
    }),
    await examine('schedules', 10, async () => {
      const overdue = await names('select domain as name from carrel.sites where next_check_at < $1 order by 1', [late]);
      if (overdue.length === 0) return ok('Every schedule is followed');
      const next = 'Start a server or a worker on this database: it follows the schedules.';
      return warn(`The schedule is overdue by 15 minutes or more of ${listed(overdue, 'site')}.`, next);
    }),
    await examine('webhooks', 10, async () => {
      const [queue] = await database.query<{ is: boolean }>(`select to_regclass('pgboss.job') is not null as is`);
      const failing = !queue!.is
        ? []
        : await names(
            `select distinct w.id || ' (' || regexp_replace(w.url, '^(https?://[^/?#]+).*$', '\\1') || ')' as name
             from pgboss.job j join carrel.webhooks w on w.id = j.data->>'webhook'
             where j.name = $1 and j.state in ('retry', 'failed') order by 1`,
            [queues.deliveries],
          );
      if (failing.length === 0) return ok('No delivery to a webhook has failed lately');
      const next = "Check the receiver; the server's log has its responses. Deliveries are repeated for about a day.";
      return warn(`Deliveries fail to ${listed(failing, 'webhook')}.`, next);
    }),
    await examine('secrets', 10, async () => {
      const { current, previous, lost } = await examineSealed(database, secrets);
      const error = lostError(lost);
      if (error) return warn(error.message, error.hint!);
      if (previous.length === 0) return ok(`Stored secrets are encrypted with the secret of the server: ${current}`);
      return warn(`Stored secrets are encrypted with a previous secret: ${previous.length}.`, 'Run: carrel secret rotate');
    }),
    await examine('keys', 10, async () => {
      const sql = `select id as name from carrel.keys where kind = 'admin' and 'operator' = any(scopes) and revoked_at is null
                   and (expires_at is null or expires_at > $1)`;
      const any = await names('select id as name from carrel.organizations limit 1');
      if (any.length === 0) return ok('The first start creates the first keys');
      const week = new Date(now + 7 * 24 * 60 * minute);
      if ((await names(sql, [week])).length > 0) return ok('There is an admin key with the scope operator');
      const expiring = (await names(sql, [new Date(now)])).length > 0;
      return warn(
        expiring
          ? 'The last admin keys with the scope operator expire within a week.'
          : 'No admin key with the scope operator is valid.',
        expiring
          ? 'Create another one: carrel key create'
          : 'Restore a backup from before it expired, or start in an empty data folder.',
      );
    }),
  ];
}

/** `2 sites: a, b`. */
function listed(names: string[], what: string): string {
  const shown = names.slice(0, 5).join(', ');
  const more = names.length > 5 ? ` and ${names.length - 5} more` : '';
  return `${names.length} ${what}${names.length === 1 ? '' : 's'}: ${shown}${more}`;
}
