import { expect, it } from 'vitest';
import { migrate, migrations } from '../../../server/database/migrate.ts';
import { openDatabase } from '../../../server/database/open-database.ts';
import { createLog } from '../../../server/platform/log.ts';
import { eachDatabase, freshPostgres } from '../support/databases.ts';

const log = createLog('silent');

it('several processes that start at the same time run each step once', async () => {
  const databaseUrl = await freshPostgres();
  const databases = await Promise.all(Array.from({ length: 5 }, () => openDatabase({ dataFolder: '', databaseUrl, log })));
  try {
    await Promise.all(databases.map((database) => migrate(database)));
    expect(await databases[0]!.query('select number from carrel.migrations order by number')).toEqual(
      migrations.map((_step, index) => ({ number: index + 1 })),
    );
  } finally {
    await Promise.all(databases.map((database) => database.close()));
  }
});

eachDatabase((open) => {
  it('a second start changes nothing, and a new version runs only its new steps', async () => {
    const database = await open();
    await migrate(database);
    const steps = [...migrations, 'create table carrel.later (id text); insert into carrel.later values (1)'];
    await migrate(database, steps);
    await migrate(database, steps);
    expect(await database.query('select id from carrel.later')).toEqual([{ id: '1' }]);
    await expect(migrate(database)).rejects.toMatchObject({
      code: 'DatabaseNewer',
      message: `The database is at migration ${steps.length}, but this version of Carrel knows only ${migrations.length}.`,
    });
    await database.query('drop table carrel.later');
    await database.query('delete from carrel.migrations where number = $1', [steps.length]);
  });

  it('a step that fails leaves nothing behind', async () => {
    const database = await open();
    const steps = [...migrations, 'create table carrel.half (id text)', 'select * from carrel.nothing'];
    await expect(migrate(database, steps)).rejects.toThrow('carrel.nothing');
    expect(await database.query(`select to_regclass('carrel.half') as half`)).toEqual([{ half: null }]);
    await migrate(database);
  });
});
