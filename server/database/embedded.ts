// The embedded database: PostgreSQL compiled to WebAssembly, in this process, over one connection.
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PGlite, types, type Transaction } from '@electric-sql/pglite';
import { fromPglite, type ConstructorOptions } from 'pg-boss';
import type { Logger } from '../platform/log.ts';
import { createBoss } from './boss.ts';
import type { Database, Queryable } from './database.ts';
import { errorMessage, ExportError } from '../../integration/errors.ts';
import { openFileLimit } from '../platform/open-files.ts';
import { lockFolder } from './locks.ts';
import { asUnavailable } from './unavailable.ts';

/**
 * Opens the database in a folder, which it creates when absent.
 * Throws `ExportError`: `DataInUse`, `TooFewFiles`, `DatabaseNotOpened`, `DiskFull`, `OutputNotWritable`.
 */
export async function openEmbedded(folder: string, log: Logger): Promise<Database> {
  requireFiles();
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  const instance = randomUUID();
  const release = await lockFolder(dirname(folder), instance);
  try {
    await create(folder);
    return { ...wrap(await open(folder), log, release), instance };
  } catch (error) {
    await release();
    throw notOpenedError(folder, error);
  }
}

// It keeps about 200 open, and reports only that a file exists when it gets no more.
const fewestFiles = 256;

function requireFiles(): void {
  const limit = openFileLimit();
  if (limit >= fewestFiles) return;
  throw new ExportError(
    'TooFewFiles',
    `The server may have ${limit} files open, and the embedded database alone needs ${fewestFiles}.`,
    'Raise the limit of open files, for example with "ulimit -n 4096" or LimitNOFILE= of systemd, or use PostgreSQL (DATABASE_URL).',
  );
}

/** PGlite throws what its file system does: numbers of WASI instead of names, and a `RuntimeError` where PostgreSQL ends. */
function notOpenedError(folder: string, cause: unknown): ExportError {
  const { errno } = cause as { errno?: number };
  const reason =
    errno === 51 ? 'its disk is full' : errorMessage(cause).replace(/\.$/, '') || `error ${errno} of its file system`;
  return new ExportError(
    'DatabaseNotOpened',
    `The embedded database in "${folder}" can't be opened: ${reason}.`,
    'Free some space on its disk, and let this user write to its files. If it is damaged, restore a backup into an empty data folder.',
    { cause },
  );
}

/**
 * Creates a database in a folder that is absent or empty. A process killed while it writes the files would leave a folder that PGlite takes
 * for a whole database and cannot open, so they are written beside it.
 */
async function create(folder: string): Promise<void> {
  const found = await readdir(folder).catch(() => []);
  if (found.length > 0) return;
  const staging = `${folder}.new`;
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { mode: 0o700 });
  await (await open(staging)).close();
  await rm(folder, { recursive: true, force: true });
  await rename(staging, folder);
}

/** Opens a database in memory, empty or from a dump. */
export async function openMemory(dump: Blob | undefined, log: Logger): Promise<Database> {
  return wrap(await open('memory://', dump), log);
}

// PostgreSQL's default, 128 MB, is in memory from the start (`npm run bench -- idle`); the system has the files in its own cache anyway.
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB'];

function open(dataDir: string, loadDataDir?: Blob): Promise<PGlite> {
  return PGlite.create({ dataDir, loadDataDir, startParams, parsers: { [types.INT8]: Number } });
}

function wrap(pglite: PGlite, log: Logger, onClosed?: () => Promise<void>): Database {
  const inTurn = createTurns();
  const queueDatabase = fromPglite(pglite);
  let closing: Promise<void> | undefined;
  return {
    kind: 'embedded',
    query: (sql, parameters) => inTurn(() => run(pglite, sql, parameters)),
    transaction: (work) =>
      inTurn(async () => {
        try {
          return await pglite.transaction((transaction) =>
            work({ query: (sql, parameters) => run(transaction, sql, parameters) } satisfies Queryable),
          );
        } catch (error) {
          throw asUnavailable(error);
        }
      }),
    async listen(channel, onPayload) {
      return await pglite.listen(`"${channel}"`, onPayload);
    },
    createBoss() {
      const db: ConstructorOptions['db'] = {
        ...queueDatabase,
        executeSql: (sql, values) => inTurn(() => queueDatabase.executeSql(sql, values)),
      };
      return createBoss({ backend: 'pglite', db }, log);
    },
    close() {
      closing ??= inTurn(() => pglite.close()).then(onClosed);
      return closing;
    },
  };
}

/**
 * Runs one task after another. PGlite does that for single statements, but a failed batch of statements from pg-boss leaves a broken transaction until it
 * is rolled back, and statements in between would fail with it.
 */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
}

async function run<Row>(connection: PGlite | Transaction, sql: string, parameters: unknown[] = []): Promise<Row[]> {
  try {
    if (parameters.length > 0) {
      const values = parameters.map((value) => (value === undefined ? null : value));
      return (await connection.query<Row>(sql, values)).rows;
    }
    // Without parameters there may be several statements, which `query` rejects.
    const results = await connection.exec(sql);
    return (results.at(-1)?.rows ?? []) as Row[];
  } catch (error) {
    throw asUnavailable(error);
  }
}
