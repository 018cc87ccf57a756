import { readOptions } from '../../server/platform/read-options.ts';
import { configOptions } from './config-option.ts';
import { runWithLessMemory } from './own-process.ts';
import { loadDatabase } from './server-modules.ts';
import { defineCommand } from './usage.ts';

/** `carrel migrate`: its options and how it is used. */
export const command = defineCommand({
  usage: 'migrate',
  summary: 'Create or update the tables of the database for this version of the server, and end.',
  options: configOptions,
  examples: [
    ['migrate', 'Migrate the database in .carrel'],
    ['migrate --config carrel.json', 'Migrate the database that the options name'],
    ['backup before.sql && carrel migrate', 'Back up first, so that you can go back'],
  ],
  async run({ options: { config } }) {
    const serverOptions = readOptions({ environment: process.env, file: config });
    runWithLessMemory(serverOptions);
    const { data, databaseUrl } = serverOptions;
    const { openDatabase, migrate, createQueue, createLog } = await loadDatabase();
    const log = createLog('warn');
    const database = await openDatabase({ dataFolder: data, databaseUrl, log });
    try {
      const { from, to } = await migrate(database);
      // The tables of the job queue are in a schema of their own, which the queue updates when it starts.
      const queue = createQueue(database, log);
      await queue.start();
      await queue.stop(0);
      const name = databaseUrl === undefined ? `The database in ${data}` : 'PostgreSQL';
      console.log(from === to ? `${name} already has all ${to} migrations.` : `${name} was migrated from ${from} to ${to}.`);
    } finally {
      await database.close();
    }
  },
});
