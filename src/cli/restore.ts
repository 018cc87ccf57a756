import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import { ExportError } from '../../integration/errors.ts';
import { readBackup } from '../../server/database/restore.ts';
import { openDatabase } from '../../server/database/open-database.ts';
import { createLog } from '../../server/platform/log.ts';
import { readOptions } from '../../server/platform/read-options.ts';
import { configOptions } from './config-option.ts';
import { runWithLessMemory } from './less-memory.ts';
import { readArguments, type Command } from './usage.ts';

/** `carrel restore`: its options and how it is used. */
export const command: Command<typeof configOptions> = {
  usage: 'restore FILE',
  summary: 'Restore a backup into an empty database: a new data folder, or PostgreSQL.',
  options: configOptions,
  words: [1, 1],
};

export async function run(args: string[]): Promise<number> {
  const read = readArguments(command, args);
  if (!read) return 0;
  const [word = ''] = read.words;
  const file = resolve(word);
  try {
    accessSync(file, constants.R_OK);
  } catch (error) {
    throw new ExportError('BackupUnknown', `Cannot read "${read.words[0]}".`, 'Name a file that `carrel backup` wrote.', {
      cause: error,
    });
  }
  const serverOptions = readOptions({ environment: process.env, file: read.options.config });
  const { data, databaseUrl } = serverOptions;
  runWithLessMemory(serverOptions);
  const database = await openDatabase({ dataFolder: data, databaseUrl, log: createLog('silent') });
  try {
    const rows = await readBackup(database, file);
    console.log(
      `Restored ${rows} rows from ${read.words[0]} to ${databaseUrl === undefined ? `the database in ${data}` : 'PostgreSQL'}. You can now start the server.`,
    );
  } finally {
    await database.close();
  }
  return 0;
}
