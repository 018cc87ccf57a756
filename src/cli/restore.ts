import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import { ExportError } from '../../integration/errors.ts';
import { configOptions, readServerOptions } from './config-option.ts';
import { loadDatabase } from './server-modules.ts';
import { defineCommand } from './usage.ts';

/** `carrel restore`: its options and how it is used. */
export const command = defineCommand({
  usage: 'restore FILE',
  summary: 'Restore a backup into an empty database: a new data folder, or PostgreSQL.',
  options: configOptions,
  examples: [
    ['restore carrel.sql', 'Restore into a new data folder'],
    ['restore carrel.sql --config carrel.json', 'Restore into the database that the options name'],
    ['restore carrel.sql && carrel doctor', 'Restore, then check'],
  ],
  async run({ options: { config }, words: [file = ''] }) {
    const serverOptions = readServerOptions(config);
    const { data, databaseUrl } = serverOptions;
    try {
      accessSync(resolve(file), constants.R_OK);
    } catch (error) {
      throw new ExportError('BackupUnknown', `Cannot read "${file}".`, 'Specify a file that `carrel backup` wrote.', {
        cause: error,
      });
    }
    const { openDatabase, checkBackup, readBackup, examineSealed, storedSecrets, lostError, createLog } = await loadDatabase();
    await checkBackup(resolve(file));
    const database = await openDatabase({ dataFolder: data, databaseUrl, log: createLog('silent') });
    try {
      const rows = await readBackup(database, resolve(file));
      console.log(
        `Restored ${rows} rows from ${file} to ${databaseUrl === undefined ? `the database in ${data}` : 'PostgreSQL'}. You can now start the server.`,
      );
      const lost = lostError((await examineSealed(database, storedSecrets(serverOptions))).lost);
      if (lost)
        console.error(
          `${lost.message}\nSet CARREL_SECRET to the secret of the server that was backed up, or copy its file "secret" to ${data}, before the start.`,
        );
    } finally {
      await database.close();
    }
  },
});
