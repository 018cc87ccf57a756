import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ExportError } from '../../integration/errors.ts';
import type { ServerOptions } from '../../server/platform/options.ts';
import { openApiClient, type ApiClient } from './api-client.ts';
import { configOptions, readServerOptions } from './config-option.ts';
import { loadDatabase } from './server-modules.ts';
import { defineCommand } from './usage.ts';

/** `carrel backup`: its options and how it is used. */
export const command = defineCommand({
  usage: 'backup FILE',
  summary: 'Back up the database of the server to a file of plain SQL.',
  options: configOptions,
  examples: [
    ['backup carrel.sql', 'Back up the database in .carrel'],
    ['backup carrel.sql --config carrel.json', 'Back up the database that the options name'],
    ['backup "carrel-$(date +%F).sql"', 'A file for each day'],
  ],
  async run({ options: { config }, words: [file = ''] }) {
    await backUp(readServerOptions(config), resolve(file), process.env);
    console.log(`${file} contains the whole database. Protect it like the server: anyone who has the file can read it.`);
  },
});

async function backUp(serverOptions: ServerOptions, file: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const { data, databaseUrl } = serverOptions;
  const remote = { ...environment, CARREL_DATA: data };
  if (databaseUrl === undefined && !existsSync(join(data, 'database'))) {
    if (environment.CARREL_URL) return downloadBackup(file, openApiClient(remote));
    throw new ExportError(
      'DatabaseUnknown',
      `"${data}" does not contain a database.`,
      'Set the data folder of the server (CARREL_DATA), its PostgreSQL database (DATABASE_URL), or its URL and an admin key (CARREL_URL, CARREL_KEY).',
    );
  }
  const { openDatabase, writeBackup, createLog } = await loadDatabase();
  let database;
  try {
    database = await openDatabase({ dataFolder: data, databaseUrl, log: createLog('silent') });
  } catch (error) {
    if (!(error instanceof ExportError) || error.code !== 'DataInUse') throw error;
    return downloadBackup(file, clientOf(remote, error));
  }
  try {
    await writeBackup(database, file);
  } finally {
    await database.close();
  }
}

/** Only the server that uses the embedded database can read it; it sends the backup to operators. */
async function downloadBackup(file: string, server: ApiClient): Promise<void> {
  const { body } = await server.request('GET', '/v1/backup');
  const { writeWhole } = await loadDatabase();
  await writeWhole(file, async (write) => {
    let last = '';
    const decoder = new TextDecoder();
    for await (const piece of body!) {
      last = (last + decoder.decode(piece, { stream: true })).slice(-200);
      await write(piece);
    }
    if (!/\n-- End of the backup: \d+ rows\n$/.test(last)) {
      throw new ExportError('BackupIncomplete', `The backup from "${server.url}" was cut off.`, 'Try again.');
    }
  });
}

function clientOf(environment: NodeJS.ProcessEnv, cause: ExportError): ApiClient {
  try {
    return openApiClient(environment);
  } catch (error) {
    if (!(error instanceof ExportError) || error.code !== 'KeyNotGiven') throw error;
    throw new ExportError(
      'DataInUse',
      cause.message,
      'Set CARREL_URL and CARREL_KEY (an admin key with the scope operator) to get the backup from the running server, or stop the server first.',
      { cause },
    );
  }
}
