import { accessSync, constants } from 'node:fs';
import { ExportError } from '../../integration/errors.ts';
import { configOptions, readDatabaseArguments } from './config-option.ts';
import { loadDatabase } from './server-modules.ts';
import type { Command } from './usage.ts';

/** `carrel restore`: its options and how it is used. */
export const command: Command<typeof configOptions> = {
  usage: 'restore FILE',
  summary: 'Restore a backup into an empty database: a new data folder, or PostgreSQL.',
  options: configOptions,
  words: [1, 1],
  examples: [
    ['restore carrel.sql', 'Restore into a new data folder'],
    ['restore carrel.sql --config carrel.json', 'Restore into the database that the options name'],
    ['restore carrel.sql && carrel doctor', 'Restore, then check'],
  ],
};

export async function run(args: string[]): Promise<number> {
  const read = readDatabaseArguments(command, args);
  if (!read) return 0;
  const { given, file, serverOptions } = read;
  try {
    accessSync(file, constants.R_OK);
  } catch (error) {
    throw new ExportError('BackupUnknown', `Cannot read "${given}".`, 'Specify a file that `carrel backup` wrote.', {
      cause: error,
    });
  }
  const { data, databaseUrl } = serverOptions;
  const { openDatabase, checkBackup, readBackup, createLog } = await loadDatabase();
  await checkBackup(file);
  const database = await openDatabase({ dataFolder: data, databaseUrl, log: createLog('silent') });
  try {
    const rows = await readBackup(database, file);
    console.log(
      `Restored ${rows} rows from ${given} to ${databaseUrl === undefined ? `the database in ${data}` : 'PostgreSQL'}. You can now start the server.`,
    );
  } finally {
    await database.close();
  }
  return 0;
}
