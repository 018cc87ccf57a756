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

  it('the permanent key that pages of hosted sites had expires within the hour, and other keys stay', async () => {
    const database = await open();
    await database.query('drop schema carrel cascade');
    const secretOfPages = migrations.findIndex((step) => step.includes('drop column secret'));
    await migrate(database, migrations.slice(0, secretOfPages));
    await database.query(`
      insert into carrel.organizations values ('team', 'Team', 'enterprise', now());
      insert into carrel.sites (domain, organization, source, settings, created_at, updated_at)
        values ('docs.test', 'team', '{}', '{}', now(), now());
      insert into carrel.keys (id, organization, kind, name, hash, hint, scopes, addresses, domains, origins, created_at, site, secret)
        select 'key_' || n, 'team', 'assistant', 'Key', n, '', '{}', '{}', array['docs.test'], '{}', now(), site, site
        from (values ('1', 'docs.test'), ('2', null)) as given (n, site)`);
    await migrate(database);
    const keys = await database.query(
      `select id, expires_at > now() + interval '50 minutes' and expires_at <= now() + interval '1 hour' as "inAnHour" from carrel.keys order by id`,
    );
    expect(keys).toEqual([
      { id: 'key_1', inAnHour: true },
      { id: 'key_2', inAnHour: null },
    ]);
    const columns = `select column_name from information_schema.columns where table_schema = 'carrel' and table_name = 'keys' and column_name = 'secret'`;
    expect(await database.query(columns)).toEqual([]);
  });

  it('a step that fails leaves nothing behind', async () => {
    const database = await open();
    const steps = [...migrations, 'create table carrel.half (id text)', 'select * from carrel.nothing'];
    await expect(migrate(database, steps)).rejects.toThrow('carrel.nothing');
    expect(await database.query(`select to_regclass('carrel.half') as half`)).toEqual([{ half: null }]);
    await migrate(database);
  });
});
