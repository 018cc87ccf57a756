import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../server/database/database.ts';
import { eachDatabase } from '../support/databases.ts';

eachDatabase((open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });

  describe('values', () => {
    it('come and go as JavaScript has them', async () => {
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

    it('several statements without parameters give the rows of the last one', async () => {
      expect(await database.query('select 1 as a; select 2 as b')).toEqual([{ b: 2 }]);
    });
  });
});
