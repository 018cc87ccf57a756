// Whether the database answers and fits this program.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ExportError } from '../../../integration/errors.ts';
import type { Database } from '../../database/database.ts';
import { migrations } from '../../database/migrations.ts';
import { openDatabase } from '../../database/open-database.ts';
import type { ServerOptions } from '../../platform/options.ts';
import { createLog } from '../../platform/log.ts';
import { checkClock } from './clock.ts';
import { examine, fail, ok, warn, type Finding } from './finding.ts';
import type { Running } from './network.ts';

/** Changes nothing: a missing embedded database is not created, and one in use is checked through its server. */
export async function checkDatabase(
  { data, databaseUrl }: Pick<ServerOptions, 'data' | 'databaseUrl'>,
  running: Running,
  now: () => number,
): Promise<Finding[]> {
  let clock: Finding | undefined;
  const state = await examine('database', 20, async () => {
    if (databaseUrl === undefined && !existsSync(join(data, 'database')))
      return ok('The first start makes the embedded database');
    if (databaseUrl === undefined && running.api) return throughServer(running);
    let database: Database;
    try {
      database = await openDatabase({ dataFolder: data, databaseUrl, log: createLog('silent') });
    } catch (error) {
      if (!(error instanceof ExportError && error.code === 'DataInUse')) throw error;
      const where = running.other
        ? `The server at ${running.other} is not the one: it has another data folder.`
        : 'No server answers here.';
      return fail(`Another process has the embedded database open. ${where}`, error.hint ?? 'Stop that process.');
    }
    try {
      const before = now();
      const [row] = await database.query<{ version: string; at: number; reached: boolean }>(
        `select current_setting('server_version') as version, extract(epoch from clock_timestamp())::float8 * 1000 as at,
           to_regclass('carrel.migrations') is not null as reached`,
      );
      if (databaseUrl !== undefined) clock = await checkClock('database-clock', 'database', row!.at, before, now());
      return await migrationState(database, row!.version, row!.reached);
    } finally {
      await database.close();
    }
  });
  return clock ? [state, clock] : [state];
}

async function migrationState(database: Database, version: string, isOurs: boolean) {
  const name = database.kind === 'embedded' ? 'The embedded database' : `PostgreSQL ${version}`;
  if (!isOurs) return ok(`${name} answers; the first start makes its tables`);
  const [row] = await database.query<{ reached: number }>(
    'select coalesce(max(number), 0)::int as reached from carrel.migrations',
  );
  const { reached } = row!;
  if (reached > migrations.length) {
    return fail(
      `${name} is at migration ${reached}, but this version of Carrel knows only ${migrations.length}.`,
      'Start the version of Carrel that made it, or a newer one.',
    );
  }
  if (reached < migrations.length) {
    return warn(
      `${name} is at migration ${reached} of ${migrations.length}.`,
      'The next start brings the rest: make a backup before it with: carrel backup',
    );
  }
  return ok(`${name} answers and has all ${reached === 1 ? 'its tables' : `${reached} migrations`}`);
}

function throughServer({ api, ready }: Running) {
  if (ready === 'yes') return ok(`The embedded database is in use by the server at ${api}, which is ready`);
  return fail(`The server at ${api} has the embedded database open, and is not ready: ${ready}`, 'Look at its log.');
}
