// Whether the database answers and fits this program, and whether exports can be stored: a file is written, read and removed again.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import { ExportError } from '../../../integration/errors.ts';
import type { Database } from '../../database/database.ts';
import { migrations, reachedMigration } from '../../database/migrate.ts';
import { openDatabase } from '../../database/open-database.ts';
import type { ServerOptions } from '../../platform/options.ts';
import { storedSecrets } from '../../platform/secrets.ts';
import { createLog } from '../../platform/log.ts';
import { createDiskStorage } from '../../storage/disk-storage.ts';
import { createS3Storage } from '../../storage/s3-storage.ts';
import { checkClock, examine, fail, ok, reasonOf, warn, type Finding } from './finding.ts';
import { findingsSchema } from '../doctor-routes.ts';
import { checkContents } from './contents.ts';
import type { Running } from './network.ts';

/** Changes nothing: does not create a missing embedded database, and checks one in use through its server. */
export async function checkDatabase(
  options: Pick<ServerOptions, 'data' | 'databaseUrl' | 'migrations' | 'secret' | 'secretPrevious'>,
  running: Running,
  { now, key }: { now: () => number; key: string | undefined },
): Promise<Finding[]> {
  const { data, databaseUrl } = options;
  let clock: Finding | undefined;
  let contents: Finding[] = [];
  const state = await examine('database', 20, async () => {
    if (databaseUrl === undefined && !existsSync(join(data, 'database')))
      return ok('The first start creates the embedded database');
    if (databaseUrl === undefined && running.api) {
      contents = await contentsOfServer(running.api, key);
      return throughServer(running);
    }
    let database: Database;
    try {
      database = await openDatabase({ dataFolder: data, databaseUrl, log: createLog('silent') });
    } catch (error) {
      if (!(error instanceof ExportError && error.code === 'DataInUse')) throw error;
      const where = running.other ? `The server at ${running.other} has another data folder.` : 'No server responds here.';
      return fail(`Another process uses the embedded database. ${where}`, error.hint ?? 'Stop that process.');
    }
    try {
      const before = now();
      const [row] = await database.query<{ version: string; at: number }>(
        `select current_setting('server_version') as version, extract(epoch from clock_timestamp())::float8 * 1000 as at`,
      );
      if (databaseUrl !== undefined) clock = await checkClock('database-clock', 'database', row!.at, before, now());
      const reached = await reachedMigration(database);
      if (reached === migrations.length) contents = await checkContents(database, now(), storedSecrets(options));
      return migrationState(database, { reached, version: row!.version, mode: options.migrations });
    } finally {
      await database.close();
    }
  });
  return [state, ...(clock ? [clock] : []), ...contents];
}

function migrationState(
  { kind }: Database,
  { reached, version, mode }: { reached: number; version: string; mode: ServerOptions['migrations'] },
) {
  const name = kind === 'embedded' ? 'The embedded database' : `PostgreSQL ${version}`;
  if (reached > migrations.length) {
    return fail(
      `${name} is at migration ${reached}, but this version of Carrel knows only ${migrations.length}.`,
      'Start the version of Carrel that created it, or a newer one.',
    );
  }
  if (reached === migrations.length) return ok(`${name} is available and has all ${reached} migrations`);
  if (mode === 'manual') {
    const next = 'CARREL_MIGRATIONS is manual, so no start does it: run `carrel migrate`, after a backup.';
    return fail(`${name} is at migration ${reached} of ${migrations.length}.`, next);
  }
  if (reached === 0) return ok(`${name} is available; the first start creates its tables`);
  return warn(
    `${name} is at migration ${reached} of ${migrations.length}.`,
    'The next start runs the other migrations; create a backup before: carrel backup',
  );
}

/** The embedded database belongs to the running server, which checks it for operators. */
async function contentsOfServer(api: string, key: string | undefined): Promise<Finding[]> {
  const refused = (reason: string) => [
    warn(
      `The running server does not say how its sites are: ${reason}.`,
      'Set CARREL_KEY to an admin key with the scope operator.',
    )('sites'),
  ];
  if (key === undefined) return refused('no admin key is known');
  try {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(`${api}/v1/findings`, { headers, signal: AbortSignal.timeout(15_000) });
    if (!answer.ok) return refused(`status ${answer.status}`);
    return findingsSchema.parse(await answer.json()).findings;
  } catch (error) {
    return refused(reasonOf(error));
  }
}

function throughServer({ api, ready }: Running) {
  if (ready === 'yes') return ok(`The server at ${api} uses the embedded database and is ready`);
  return fail(`The server at ${api} uses the embedded database and is not ready: ${ready}`, 'Check its log.');
}

/** Tests a bucket and compares the clock of its service; `checkDataFolder` checks the disk. */
export async function checkStorage(options: ServerOptions, now: () => number): Promise<Finding[]> {
  const { role, data, s3Bucket: bucket, s3Endpoint: endpoint, s3Prefix: prefix } = options;
  if (bucket === undefined)
    return [await examine('storage', 30, () => (role === 'all' ? checkFolder(join(data, 'storage'), now) : inSharedFolder))];
  const folder = mkdtempSync(join(tmpdir(), 'carrel-doctor-'));
  try {
    const tried = await examine('storage', 30, async () => {
      const storage = createS3Storage({ bucket, endpoint, prefix, cacheFolder: join(folder, 'cache'), now });
      const probe = randomBytes(16).toString('hex');
      const key = `doctor/${probe}`;
      writeFileSync(join(folder, 'probe'), probe);
      try {
        await storage.put(key, join(folder, 'probe'));
        const kept = await storage.get(key);
        const read = kept && (await text(await kept.read()));
        if (read !== probe) return fail(`The bucket "${bucket}" does not return the stored file.`, 'Check its policies.');
        const link = await storage.link(key, { jobId: '', fileName: 'probe.txt', expires: new Date(now() + 60_000) });
        const linked = await fetch(link, { signal: AbortSignal.timeout(10_000) });
        const isLinked = linked.ok && (await linked.text()) === probe;
        await storage.remove([key]);
        if (!isLinked)
          return fail(
            `A signed link to the bucket "${bucket}" does not work (status ${linked.status}).`,
            'Bundles are downloaded with such links: check CARREL_S3_ENDPOINT, the region, and the clock.',
          );
        return ok(`The bucket "${bucket}" stores, returns, links to and removes files`);
      } catch (error) {
        return fail(`The bucket "${bucket}" rejects requests: ${reasonOf(error)}.`, advice);
      }
    });
    return endpoint ? [tried, ...(await serviceClock(endpoint, now))] : [tried];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Leaves the folder as it was; one that does not exist is not created. */
async function checkFolder(folder: string, now: () => number) {
  if (!existsSync(folder)) return ok('Exports are stored in the data folder; the first one creates their folder');
  const probe = randomBytes(16).toString('hex');
  const key = `doctor-${probe}`;
  const from = mkdtempSync(join(tmpdir(), 'carrel-doctor-'));
  try {
    writeFileSync(join(from, 'probe'), probe);
    const storage = createDiskStorage({ folder, publicUrl: '', secrets: [''], now });
    await storage.put(key, join(from, 'probe'));
    const kept = await storage.get(key);
    const read = kept && (await text(await kept.read()));
    await storage.remove([key]);
    if (read === probe) return ok(`"${folder}" stores, returns and removes files`);
    return fail(`"${folder}" does not return the stored file.`, 'Check the disk.');
  } catch (error) {
    return fail(
      `Exports cannot be stored in "${folder}": ${reasonOf(error)}.`,
      'Allow this user to write there, or free some space.',
    );
  } finally {
    rmSync(from, { recursive: true, force: true });
  }
}

const inSharedFolder = warn(
  'Exports are stored in the data folder, which all processes of this server must share.',
  'Use a shared disk, or set CARREL_S3_BUCKET.',
);

const advice =
  'Check CARREL_S3_BUCKET, CARREL_S3_ENDPOINT, and the credentials and region of the AWS SDK (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION); they need PutObject, GetObject and DeleteObject.';

/** Every HTTP response contains the time, even an error. */
async function serviceClock(endpoint: string, now: () => number): Promise<Finding[]> {
  const before = now();
  const answer = await fetch(endpoint, { method: 'HEAD', signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
  const date = Date.parse(answer?.headers.get('date') ?? '');
  return Number.isNaN(date) ? [] : [await checkClock('storage-clock', 'bucket', date, before, now())];
}
