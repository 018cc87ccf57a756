import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../server/database/database.ts';
import { migrate } from '../../../server/database/migrate.ts';
import { openDatabase } from '../../../server/database/open-database.ts';
import { DatabaseUnavailable } from '../../../server/database/unavailable.ts';
import { createQueue } from '../../../server/jobs/queue/queue.ts';
import { createLog } from '../../../server/platform/log.ts';
import { createPostgresDatabase } from '../support/databases.ts';
import { startPostgres, type Postgres } from '../support/postgres.ts';

const log = createLog('silent');

describe('a database server that is restarted', () => {
  let postgres: Postgres;
  let database: Database;
  let other: Database;
  beforeAll(async () => {
    postgres = await startPostgres();
    const databaseUrl = await createPostgresDatabase(postgres.url);
    database = await openDatabase({ dataFolder: '', databaseUrl, log });
    other = await openDatabase({ dataFolder: '', databaseUrl, log });
    await migrate(database);
  });
  afterAll(async () => {
    await database.close();
    await other.close();
    await postgres.end();
  });

  it('rejects queries as unavailable in the meantime, and recovers by itself', async () => {
    const queue = createQueue(database, log);
    await queue.start();
    const ran: string[] = [];
    let onRun = () => {};
    await queue.work(
      1,
      async (id) => {
        ran.push(id);
        onRun();
      },
      async (id) => expect.fail(id),
    );
    let onPayload = (_payload: string) => {};
    const gaps = new Promise<void>((resolve) => void other.listen('carrel_test', (payload) => onPayload(payload), resolve));
    await other.listen('carrel_more', () => {});

    const inTransaction = database.transaction(async (transaction) => {
      await transaction.query(`insert into carrel.organizations values ('half', 'Half', 'standard', now())`);
      await postgres.stop();
      await transaction.query('select 1');
    });
    await expect(inTransaction).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(database.query('select 1')).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(database.transaction(async () => {})).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(queue.send({ id: 'se_1', domain: 'a' })).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(queue.counts()).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(database.listen('carrel_late', () => {})).rejects.toBeInstanceOf(DatabaseUnavailable);

    await postgres.start();
    expect(await database.query('select id from carrel.organizations')).toEqual([]);
    await gaps;
    const heard: string[] = [];
    const end = new Promise<void>((resolve) => {
      onPayload = (payload) => {
        heard.push(payload);
        if (payload === 'end') resolve();
      };
    });
    for (const payload of ['again', 'end']) await database.query(`select pg_notify('carrel_test', $1)`, [payload]);
    await end;
    expect(heard).toEqual(['again', 'end']);
    const running = new Promise<void>((resolve) => (onRun = resolve));
    await queue.send({ id: 'se_2', domain: 'a' });
    await running;
    await queue.stop(10);
    expect(ran).toEqual(['se_2']);
  });

  it('does not delay a stop while it is unavailable', async () => {
    const queue = createQueue(database, log);
    await queue.start();
    const { promise: running, resolve: onRun } = Promise.withResolvers<void>();
    await queue.work(
      1,
      async (_id, signal) => {
        onRun();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
      async (id) => expect.fail(id),
    );
    await queue.send({ id: 'se_3', domain: 'a' });
    await running;
    await postgres.stop();
    await queue.stop(0);
    await postgres.start();
  });

  it('is reported as unavailable if it does not exist', async () => {
    const gone = await openDatabase({ dataFolder: '', databaseUrl: 'postgresql://127.0.0.1:1/carrel', log });
    await expect(migrate(gone)).rejects.toBeInstanceOf(DatabaseUnavailable);
    const queue = createQueue(gone, log);
    await expect(queue.start()).rejects.toBeInstanceOf(DatabaseUnavailable);
    await gone.close();
  });
});
