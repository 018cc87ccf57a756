import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../server/database/database.ts';
import { eachDatabase } from '../support/databases.ts';

eachDatabase((open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });

  describe('values', () => {
    it('are read and written as JavaScript values', async () => {
      const at = new Date('2026-11-21T10:20:30.456Z');
      await database.query(
        'create temporary table v (i bigint, d double precision, t timestamptz, j jsonb, a text[], b boolean, n text)',
      );
      const a = ['one', 'two, "three"', '{four}', 'ü', ''];
      const j = { list: [1, 'two', null], deep: { yes: true } };
      await database.query('insert into v values ($1, $2, $3, $4, $5, $6, $7)', [
        9_007_199_254_740_991,
        1.5,
        at,
        j,
        a,
        true,
        undefined,
      ]);
      expect(await database.query('select * from v')).toEqual([
        { i: 9_007_199_254_740_991, d: 1.5, t: at, j, a, b: true, n: null },
      ]);
      await database.query('update v set j = $1, a = $2', [JSON.stringify([1, 'two']), []]);
      expect(await database.query('select j, a from v where i = any($1::bigint[])', [[9_007_199_254_740_991]])).toEqual([
        { j: [1, 'two'], a: [] },
      ]);
      expect(await database.query('select count(*) as count, sum(1) as sum, max(i) as max from v')).toEqual([
        { count: 1, sum: 1, max: 9_007_199_254_740_991 },
      ]);
    });

    it('several statements without parameters return the rows of the last one', async () => {
      expect(await database.query('select 1 as a; select 2 as b')).toEqual([{ b: 2 }]);
    });
  });

  describe('a transaction', () => {
    beforeAll(async () => {
      await database.query('create table if not exists carrel.t (n integer primary key)');
    });
    afterAll(async () => {
      await database.query('drop table carrel.t');
    });

    it('commits everything or nothing', async () => {
      const added = await database.transaction(async (transaction) => {
        await transaction.query('insert into carrel.t values ($1)', [1]);
        return transaction.query('insert into carrel.t values ($1) returning n', [2]);
      });
      expect(added).toEqual([{ n: 2 }]);
      const fault = new Error('The work failed.');
      const failing = database.transaction(async (transaction) => {
        await transaction.query('insert into carrel.t values ($1)', [3]);
        throw fault;
      });
      await expect(failing).rejects.toBe(fault);
      const wrong = database.transaction(async (transaction) => {
        await transaction.query('insert into carrel.t values ($1)', [4]);
        await transaction.query('insert into carrel.t values ($1)', [1]);
      });
      await expect(wrong).rejects.toMatchObject({ code: '23505' });
      expect(await database.query('select n from carrel.t order by n')).toEqual([{ n: 1 }, { n: 2 }]);
    });

    it('does not mix with concurrent queries', async () => {
      await Promise.all(
        Array.from({ length: 30 }, (_value, index) =>
          database
            .transaction(async (transaction) => {
              await transaction.query('insert into carrel.t values ($1)', [100 + index]);
              await transaction.query('select pg_sleep(0.001)');
              if (index % 2) throw new Error('Every second one fails.');
            })
            .catch(() => {}),
        ),
      );
      expect(await database.query('select count(*) as count from carrel.t where n >= 100')).toEqual([{ count: 15 }]);
    });
  });

  describe('notifications', () => {
    it('are received until listening ends, separately for each channel', async () => {
      const heard: string[] = [];
      const other: string[] = [];
      let last = () => {};
      const stop = await database.listen('carrel_jobs', (payload) => (heard.push(payload), last()));
      const stopOther = await database.listen('carrel_other', (payload) => other.push(payload));
      const next = () => new Promise<void>((resolve) => (last = resolve));
      const first = next();
      await database.query(`select pg_notify('carrel_other', 'for the other'), pg_notify('carrel_jobs', $1)`, ['it\'s "one" ü']);
      await first;
      const second = next();
      await database.transaction(async (transaction) => {
        await transaction.query(`select pg_notify('carrel_jobs', 'two')`);
      });
      await second;
      await database
        .transaction(async (transaction) => {
          await transaction.query(`select pg_notify('carrel_jobs', 'never')`);
          throw new Error('Rolled back.');
        })
        .catch(() => {});
      const third = next();
      await database.query(`select pg_notify('carrel_jobs', 'three')`);
      await third;
      await stop();
      await stopOther();
      expect(heard).toEqual(['it\'s "one" ü', 'two', 'three']);
      expect(other).toEqual(['for the other']);
    });
  });
});
