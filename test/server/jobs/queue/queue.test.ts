import { once, EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../../../server/database/database.ts';
import { createQueue, type Queue } from '../../../../server/jobs/queue/queue.ts';
import type { Delivery } from '../../../../server/jobs/queue/queues.ts';
import { createLog } from '../../../../server/platform/log.ts';
import { eachDatabase, openMigratedDatabase } from '../../support/databases.ts';
import { openMemoryDatabase } from '../../support/embedded.ts';

const log = createLog('silent');

eachDatabase((open) => {
  let database: Database;
  let queues: Queue[];

  async function start(): Promise<Queue> {
    const queue = createQueue(database, log);
    queues.push(queue);
    await queue.start();
    return queue;
  }

  beforeEach(async () => {
    queues = [];
    database = await open();
  });
  afterEach(async () => {
    for (const queue of queues) await queue.stop(0);
  });

  const unwanted = async (id: string) => expect.fail(`${id} was given up`);

  /** Begins a job, which runs until it is aborted. */
  const takeOne = (queue: Queue) =>
    collect(1, (take) =>
      queue.work(
        1,
        async (id, signal) => {
          take(id);
          await aborted(signal);
        },
        unwanted,
      ),
    );

  it('passes each job to a worker, and the same id only once', async () => {
    const queue = await start();
    for (const id of ['se_1', 'se_2', 'se_1', 'se_3', 'se_3']) await queue.send({ id, domain: id });
    expect(await queue.counts()).toEqual({ queued: 3, running: 0 });
    const seen = await collect(3, (take) => queue.work(2, async (id) => take(id), unwanted));
    expect(seen.sort()).toEqual(['se_1', 'se_2', 'se_3']);
    await queue.send({ id: 'se_1', domain: 'se_1' });
    await queue.stop(5);
    const again = await start();
    expect(await again.counts()).toEqual({ queued: 0, running: 0 });
  });

  it('several processes that start at the same time create one queue', async () => {
    await database.query('drop schema pgboss cascade');
    const [first, ...others] = await Promise.all(Array.from({ length: 5 }, start));
    for (const [index, queue] of others.entries()) await queue.send({ id: `se_${index % 2}`, domain: 'a' });
    expect(await first!.counts()).toEqual({ queued: 2, running: 0 });
  });

  it('runs the jobs of a site one at a time and in order, while other sites continue', async () => {
    const queue = await start();
    const events = new EventEmitter();
    const order: string[] = [];
    let active = 0;
    let mostActive = 0;
    await queue.work(
      3,
      async (id) => {
        order.push(id);
        if (id.startsWith('a')) {
          active += 1;
          mostActive = Math.max(mostActive, active);
          const end = once(events, `end ${id}`);
          events.emit(`begin ${id}`);
          await end;
          active -= 1;
        } else {
          events.emit(`begin ${id}`);
        }
      },
      unwanted,
    );
    const first = once(events, 'begin a1');
    for (const id of ['a1', 'a2', 'a3']) await queue.send({ id, domain: 'a' });
    await first;
    const other = once(events, 'begin b1');
    await queue.send({ id: 'b1', domain: 'b' });
    await other;
    for (const [id, next] of [
      ['a1', 'a2'],
      ['a2', 'a3'],
    ]) {
      const begun = once(events, `begin ${next}`);
      events.emit(`end ${id}`);
      await begun;
    }
    events.emit('end a3');
    expect(order.filter((id) => id.startsWith('a'))).toEqual(['a1', 'a2', 'a3']);
    expect(mostActive).toBe(1);
  });

  it('runs a failing job three times, then abandons it', async () => {
    const queue = await start();
    let runs = 0;
    const given = collect(1, (take) =>
      queue.work(
        1,
        async () => {
          runs += 1;
          throw new Error('no');
        },
        async (id) => take(id),
      ),
    );
    await queue.send({ id: 'se_1', domain: 'a' });
    expect(await given).toEqual(['se_1']);
    expect(runs).toBe(3);
  });

  it('counts the failed runs of a job, not the interrupted ones', async () => {
    const queue = await start();
    const rejected: number[] = [];
    let stopped: Queue | undefined;
    await queue.send({ id: 'se_1', domain: 'a' });
    for (let turn = 0; turn < 2; turn++) {
      stopped = await start();
      await takeOne(stopped);
      await stopped.stop(0);
    }
    await collect(1, (take) =>
      queue.work(
        1,
        async (_id, _signal, before) => {
          rejected.push(before);
          throw new Error('no');
        },
        async (id) => take(id),
      ),
    );
    expect(rejected).toEqual([0, 1, 2]);
  });

  it('continues with a site whose job was abandoned', async () => {
    const queue = await start();
    const seen = await collect(1, (take) =>
      queue
        .work(
          1,
          async (id) => {
            if (id === 'se_1') throw new Error('no');
            take(id);
          },
          async () => queue.send({ id: 'se_2', domain: 'a' }),
        )
        .then(() => queue.send({ id: 'se_1', domain: 'a' })),
    );
    expect(seen).toEqual(['se_2']);
  });

  it('removes a waiting job, and aborts the run of an active one', async () => {
    const queue = await start();
    await queue.send({ id: 'se_1', domain: 'a' });
    await queue.send({ id: 'se_2', domain: 'b' });
    await queue.remove('se_1');
    const seen: string[] = [];
    const ended = collect(1, (take) =>
      queue.work(
        2,
        async (id, signal) => {
          seen.push(id);
          await queue.remove(id);
          await aborted(signal);
          take(id);
        },
        unwanted,
      ),
    );
    expect(await ended).toEqual(['se_2']);
    expect(seen).toEqual(['se_2']);
    expect(await queue.counts()).toEqual({ queued: 0, running: 0 });
  });

  it('returns running jobs when it stops, any number of times', async () => {
    for (let turn = 0; turn < 4; turn++) {
      const queue = await start();
      await queue.send({ id: 'se_1', domain: 'a' });
      await takeOne(queue);
      await queue.stop(0);
    }
    const queue = await start();
    expect(await queue.counts()).toEqual({ queued: 1, running: 0 });
  });

  it('lets running jobs finish when it stops', async () => {
    const queue = await start();
    await queue.send({ id: 'se_1', domain: 'a' });
    let end = () => {};
    let isDone = false;
    await collect(1, (take) =>
      queue.work(
        1,
        async (id) => {
          const ending = new Promise<void>((resolve) => (end = resolve));
          take(id);
          await ending;
          isDone = true;
        },
        unwanted,
      ),
    );
    const stopped = queue.stop(20);
    end();
    await stopped;
    expect(isDone).toBe(true);
    const again = await start();
    expect(await again.counts()).toEqual({ queued: 0, running: 0 });
  });

  it('queues unfinished jobs that it does not know, or has as done', async () => {
    const queue = await start();
    await queue.send({ id: 'se_done', domain: 'a' });
    await queue.remove('se_done');
    await queue.send({ id: 'se_waiting', domain: 'b' });
    await queue.recover([
      { id: 'se_done', domain: 'a' },
      { id: 'se_waiting', domain: 'b' },
      { id: 'se_lost', domain: 'c' },
    ]);
    const seen = await collect(3, (take) => queue.work(1, async (id) => take(id), unwanted));
    expect(seen.sort()).toEqual(['se_done', 'se_lost', 'se_waiting']);
  });

  it('reports an abandoned job again', async () => {
    const queue = await start();
    await queue.send({ id: 'se_1', domain: 'a' });
    await database.query(`update pgboss.job set state = 'failed' where name = 'exports'`);
    await queue.recover([{ id: 'se_1', domain: 'a' }]);
    const seen = await collect(1, (take) =>
      queue.work(
        1,
        async () => expect.fail('ran'),
        async (id) => take(id),
      ),
    );
    expect(seen).toEqual(['se_1']);
  });

  it('delivers each message to each webhook once', async () => {
    const queue = await start();
    const delivery: Delivery = { webhook: 'wh_1', message: 'msg_1', event: 'job.completed', at: 1, data: { list: [1, null] } };
    for (const webhook of ['wh_1', 'wh_2', 'wh_1']) await queue.sendDelivery({ ...delivery, webhook });
    const seen = await collect<Delivery>(2, (take) => queue.workDeliveries(async (value) => take(value)));
    expect(seen.sort((a, b) => (a.webhook < b.webhook ? -1 : 1))).toEqual([delivery, { ...delivery, webhook: 'wh_2' }]);
  });

  it('retries a failed delivery later', async () => {
    const queue = await start();
    await queue.sendDelivery({ webhook: 'wh_1', message: 'msg_1', event: 'job.completed', at: 1, data: {} });
    await collect(1, (take) =>
      queue.workDeliveries(async () => {
        take('tried');
        throw new Error('The receiver is away.');
      }),
    );
    await queue.stop(5);
    const rows = await database.query(
      `select state, retry_limit as limit, start_after > now() + interval '5 seconds' as later from pgboss.job where name = 'webhook-deliveries'`,
    );
    expect(rows).toEqual([{ state: 'retry', limit: 15, later: true }]);
  });

  it('repeats the deliveries of a killed process', async () => {
    const queue = await start();
    await queue.sendDelivery({ webhook: 'wh_1', message: 'msg_1', event: 'job.completed', at: 1, data: {} });
    const { promise: answer, resolve: end } = Promise.withResolvers<void>();
    await collect(1, (take) => queue.workDeliveries(({ message }) => (take(message), answer)));
    // As if the ten seconds had passed after which a process counts as killed: again each time, since this one still lives.
    const states = async () => {
      await database.query(`update pgboss.job set heartbeat_on = now() - interval '1 minute' where state = 'active'`);
      return database.query(`select state from pgboss.job where name = 'webhook-deliveries'`);
    };
    await expect.poll(states).toEqual([{ state: 'retry' }]);
    end();
  });
});

it('returns a job that comes from the database while the queue stops', async () => {
  const database = await openMigratedDatabase();
  // What takes se_2 waits for a lock, after the database has chosen it.
  await database.query(`
    create function slowly() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(1); return new; end $$;
    create trigger slowly before update on pgboss.job for each row
      when (new.state = 'active' and old.state < 'active' and new.data->>'id' = 'se_2') execute function slowly()`);
  const queue = createQueue(database, log);
  await queue.start();
  const begun: string[] = [];
  const events = new EventEmitter();
  const first = once(events, 'begun');
  await queue.work(
    2,
    async (id, signal) => {
      begun.push(id);
      events.emit('begun');
      await aborted(signal);
      events.emit('ended');
    },
    async (id) => expect.fail(`${id} was given up`),
  );
  await queue.send({ id: 'se_1', domain: 'a' });
  await first;
  const [stopped] = await database.transaction(async (transaction) => {
    await transaction.query('select pg_advisory_xact_lock(1)');
    await queue.send({ id: 'se_2', domain: 'b' });
    const own = '(select oid from pg_database where datname = current_database())';
    const waiting = `select 1 from pg_locks where locktype = 'advisory' and objid = 1 and not granted and database = ${own}`;
    await expect.poll(async () => (await database.query(waiting)).length).toBe(1);
    const ended = once(events, 'ended');
    const stopping = queue.stop(0);
    await ended;
    return [stopping];
  });
  await stopped;
  expect(begun).toEqual(['se_1']);
  const rows = await database.query(`select state, retry_limit - retry_count as left from pgboss.job where name = 'exports'`);
  expect(rows).toEqual([
    { state: 'retry', left: 3 },
    { state: 'retry', left: 3 },
  ]);
});

it('delays a job whose process was killed five times, and continues with the others', async () => {
  const database = await openMemoryDatabase();
  const queue = createQueue(database, log);
  onTestFinished(async () => {
    await queue.stop(0);
    await database.close();
  });
  await queue.start();
  const begun = new EventEmitter();
  await queue.work(
    10,
    async (id, signal) => {
      begun.emit(id);
      if (id === 'se_1') await aborted(signal);
    },
    async (id) => expect.fail(`${id} was given up`),
  );
  const [first, second] = [
    { id: 'se_1', domain: 'a' },
    { id: 'se_2', domain: 'b' },
  ];
  for (let death = 1; death <= 5; death++) {
    const run = once(begun, first.id);
    if (death === 1) await queue.send(first);
    // What is active when the embedded database opens was in the hands of a process that is gone.
    else await queue.recover([]);
    await run;
  }
  await queue.recover([]);
  const other = once(begun, second.id);
  await queue.send(second);
  await other;
  const [row] = await database.query<{ state: string; seconds: number }>(
    `select state, extract(epoch from start_after - now())::float as seconds from pgboss.job where data->>'id' = $1`,
    [first.id],
  );
  expect(row!.state).toBe('retry');
  expect(row!.seconds).toBeGreaterThan(5);
  expect(row!.seconds).toBeLessThan(31);
});

/** The first so many values that are handed to `take`. */
async function collect<Value = string>(
  count: number,
  begin: (take: (value: Value) => void) => Promise<unknown>,
): Promise<Value[]> {
  const values: Value[] = [];
  await new Promise<void>((resolve, reject) => {
    begin((value) => {
      values.push(value);
      if (values.length === count) resolve();
    }).catch(reject);
  });
  return values;
}

function aborted(signal: AbortSignal): Promise<unknown> {
  return signal.aborted ? Promise.resolve() : once(signal, 'abort');
}
