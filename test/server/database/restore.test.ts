import pg from 'pg';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../../server/database/database.ts';
import { dump } from '../../../server/database/backup.ts';
import { migrate } from '../../../server/database/migrate.ts';
import { openDatabase } from '../../../server/database/open-database.ts';
import { restore } from '../../../server/database/restore.ts';
import { createLog } from '../../../server/platform/log.ts';
import { eachDatabase, freshPostgres, openMigratedDatabase } from '../support/databases.ts';
import { openMemoryDatabase } from '../support/embedded.ts';
import { awkward, insertSomeRows } from './some-rows.ts';

const log = createLog('silent');

async function textOf(database: Database): Promise<string> {
  let text = '';
  await dump(database, async (piece) => {
    text += piece;
  });
  return text;
}

/** As versions before the checksum wrote it, or as someone leaves it who has edited it. */
function withoutHash(backup: string): string {
  const text = backup.replace(/^-- SHA-256: .*\n/m, '');
  expect(text).not.toBe(backup);
  return text;
}

async function* pieces(text: string, size = 1000) {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

eachDatabase((open, kind) => {
  let database: Database;
  let backup: string;
  beforeAll(async () => {
    database = await open();
    await insertSomeRows(database);
    backup = await textOf(database);
    await open();
  });

  it('restores all rows, and sequences continue', async () => {
    expect(await restore(database, pieces(backup))).toBe(472);
    expect(await textOf(database)).toBe(backup);
    expect(await database.query(`select source->>'path' as path, settings from carrel.sites where preview_of is null`)).toEqual([
      { path: awkward, settings: { list: [1, null, { deep: 1e21 }] } },
    ]);
    await database.query(`insert into carrel.job_log (job, at, text) values ('se_2', now(), 'next')`);
    expect(await database.query(`select id from carrel.job_log where job = 'se_2'`)).toEqual([{ id: 451 }]);
  });

  describe('refuses', () => {
    it.each([
      ['an empty text', '', 'BackupInvalid', 'first line'],
      ['another file', 'select 1;\n', 'BackupInvalid', 'first line'],
      ['another format', '-- Carrel backup, format 2, migration 1\n', 'BackupNewer', 'format 2'],
      ['a newer migration', '-- Carrel backup, format 1, migration 999\n', 'BackupNewer', 'migration 999'],
    ])('%s', async (_name, text, code, part) => {
      await open();
      await expect(restore(database, pieces(text))).rejects.toMatchObject({ code, message: expect.stringContaining(part) });
    });

    it('a truncated backup, and changes nothing', async () => {
      await open();
      const cut = backup.slice(0, backup.lastIndexOf('-- End'));
      await expect(restore(database, pieces(cut))).rejects.toMatchObject({ code: 'BackupIncomplete' });
      const lines = withoutHash(backup).split('\n');
      lines.splice(
        lines.findIndex((line) => line.startsWith('insert into carrel.job_log')),
        1,
      );
      await expect(restore(database, pieces(lines.join('\n')))).rejects.toMatchObject({
        code: 'BackupIncomplete',
        message: expect.stringContaining('472 rows and has 471'),
      });
      expect(await database.query('select * from carrel.organizations')).toEqual([]);
    });

    it('a damaged backup, and changes nothing', async () => {
      await open();
      const changed = backup.replace('{"id": "Zulu"', '{"id": "Zula"');
      expect(changed).not.toBe(backup);
      await expect(restore(database, pieces(changed))).rejects.toMatchObject({ code: 'BackupDamaged' });
      const broken = withoutHash(backup).replace('{"id": "Zulu"', '{"id: "Zulu"');
      await expect(restore(database, pieces(broken))).rejects.toMatchObject({
        code: 'BackupDamaged',
        message: expect.stringMatching(/Line \d+ is not a row/),
      });
      expect(await database.query('select * from carrel.organizations')).toEqual([]);
      await restore(database, pieces(withoutHash(changed)));
      expect(await database.query(`select * from carrel.organizations where id = 'Zula'`)).toHaveLength(1);
    });

    it('rows of unknown tables, and runs nothing in the text', async () => {
      await open();
      const [head = ''] = backup.split('\n');
      const row = `insert into carrel.other overriding system value select * from jsonb_populate_record(null::carrel.other, '{}');`;
      await expect(restore(database, pieces(`${head}\n${row}\n`))).rejects.toMatchObject({ code: 'BackupInvalid' });
      expect(await restore(database, pieces(`${head}\ndrop schema carrel cascade;\n-- End of the backup: 0 rows\n`))).toBe(0);
      expect(await database.query('select * from carrel.organizations')).toEqual([]);
    });

    it('a database that contains rows', async () => {
      await open();
      await database.query(`insert into carrel.organizations values ('mine', 'Mine', 'standard', now())`);
      await expect(restore(database, pieces(backup))).rejects.toMatchObject({
        code: 'DatabaseNotEmpty',
        message: expect.stringContaining('carrel.organizations'),
      });
      expect(await database.query('select id from carrel.organizations')).toEqual([{ id: 'mine' }]);
    });
  });

  it('a database of another version is not dumped', async () => {
    await open();
    await database.query('insert into carrel.migrations (number) values (999)');
    try {
      await expect(textOf(database)).rejects.toMatchObject({ code: 'DatabaseOther', message: expect.stringContaining('999') });
    } finally {
      await database.query('delete from carrel.migrations where number = 999');
    }
  });

  it('to the other kind of database changes no byte of the backup', async () => {
    const other = kind === 'embedded' ? await openMigratedDatabase() : await openMemoryDatabase();
    onTestFinished(() => other.close());
    await restore(other, pieces(backup, 777));
    expect(await textOf(other)).toBe(backup);
  });

  it('is plain SQL that another program can run', async () => {
    const url = await freshPostgres();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(backup);
    await client.end();
    const restored = await openDatabase({ dataFolder: '', databaseUrl: url, log });
    try {
      await migrate(restored);
      expect(await textOf(restored)).toBe(backup);
    } finally {
      await restored.close();
    }
  });
});
