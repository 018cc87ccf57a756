import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../../server/database/migrate.ts';
import { openDatabase } from '../../../server/database/open-database.ts';
import { createLog } from '../../../server/platform/log.ts';
import { serverOptionsSchema } from '../../../server/platform/options.ts';
import { startServer } from '../../../server/server.ts';
import { gitUrl } from '../../../server/sources/git-url.ts';
import { checkGitCredentials, isFor, readGitCredentials } from '../../../server/sources/git-credentials.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { carrelExport } from '../jobs/exporters.ts';
import { addOrganization } from '../jobs/job-support.ts';
import { addEmptyDatabase } from '../support/embedded.ts';

const entry = 'https://robot:p4ssw0rd@git.example.com';

function fileOf(text: string): string {
  const file = join(temporaryFolder(), 'credentials');
  writeFileSync(file, text);
  return file;
}

async function serves(fields: string, path: string, owner: { organization: string; isAlone: boolean }): Promise<boolean> {
  const [credential] = await readGitCredentials(fileOf(`# Who may read what\n\n${entry}${fields}\n`));
  return isFor(credential!, owner, gitUrl(`https://git.example.com/${path}`));
}

describe('an entry serves', () => {
  test.each<[fields: string, alone: boolean, acme: boolean, rivals: boolean]>([
    ['', true, false, false],
    [' organization=acme', true, true, false],
    [' organization=acme repositories=acme/*', true, true, false],
    [' organization=acme repositories=other/*', false, false, false],
    [' repositories=acme/*', true, true, true],
    [' repositories=other', false, false, false],
  ])('"%s": the only organization %s, one of two %s, the other %s', async (fields, ...expected) => {
    const owners = [
      { organization: 'acme', isAlone: true },
      { organization: 'acme', isAlone: false },
      { organization: 'rivals', isAlone: false },
    ];
    expect(await Promise.all(owners.map((owner) => serves(fields, 'acme/docs.git', owner)))).toEqual(expected);
  });

  test.each<[pattern: string, path: string, is: boolean]>([
    ['acme/docs', 'acme/docs', true],
    ['acme/docs.git', 'acme/docs', true],
    ['/acme/docs/', 'acme/docs.git', true],
    ['acme/docs', 'acme/docs-2', false],
    ['acme/docs', 'acme/docs/more', false],
    ['acme/docs-*', 'acme/docs-2', true],
    ['acme/*', 'acme/team/docs', false],
    ['acme/**', 'acme/team/docs', true],
    ['acme/*,handbook', 'handbook', true],
    ['a.c', 'abc', false],
    ['acme/*', 'ACME/docs', false],
    ['acme/*', 'acme/../rivals/docs', false],
    ['acme/**', 'acme/%2e%2e/rivals/docs', false],
    ['acme/*', 'acme/x%2f..%2f..%2frivals%2fdocs', false],
    ['acme/**', 'acme/x%2f..%2f..%2frivals%2fdocs', false],
    ['acme/**', 'acme/x%252f..%252f..%252frivals', false],
    ['acme/**', 'acme//rivals', false],
    ['**', 'acme/%5c..%5crivals', false],
    ['**', 'acme/%', false],
  ])('repositories=%s, for %s: %s', async (pattern, path, is) => {
    expect(await serves(` repositories=${pattern}`, path, { organization: 'acme', isAlone: false })).toBe(is);
  });
});

test.each(['https://git.example.com:8443/acme/docs', 'https://other.example.com/acme/docs'])(
  'an entry does not serve another host: %s',
  async (url) => {
    const [credential] = await readGitCredentials(fileOf(`${entry} organization=acme`));
    expect(isFor(credential!, { organization: 'acme', isAlone: true }, gitUrl(url))).toBe(false);
  },
);

test.each([
  ['no password', 'https://git.example.com'],
  ['another protocol', 'ftp://robot:p4ssw0rd@git.example.com'],
  ['a misspelled field', `${entry} organisation=acme`],
  ['a field twice', `${entry} organization=acme organization=rivals`],
  ['an empty field', `${entry} repositories=`],
  ['a word more', `${entry} acme`],
])('%s is refused with its line, which is not shown', async (_name, line) => {
  const fault = checkGitCredentials(fileOf(`\n${line}\n`), 1);
  await expect(fault).rejects.toMatchObject({ code: 'GitCredentialsInvalid', message: expect.stringContaining('Line 2 of ') });
  await expect(fault).rejects.not.toThrow('p4ssw0rd');
});

test('a server of two organizations does not start with an entry that serves both', async () => {
  const data = join(temporaryFolder(), 'data');
  mkdirSync(data);
  await addEmptyDatabase(data);
  const database = await openDatabase({ dataFolder: data, log: createLog('silent') });
  await migrate(database);
  for (const id of ['acme', 'rivals']) await addOrganization(database, id);
  await database.close();
  const start = (gitCredentials: string) =>
    startServer({
      options: { ...serverOptionsSchema.parse({ data, log: 'silent' }), port: 0, sitesPort: 0, role: 'api', gitCredentials },
      exporter: carrelExport,
    });
  const shared = start(fileOf(`${entry} organization=acme\n${entry}\n`));
  await expect(shared).rejects.toMatchObject({
    code: 'GitCredentialsShared',
    message: expect.stringMatching(/^An entry of .* would serve all 2 organizations/),
  });
  await expect(shared).rejects.not.toThrow('p4ssw0rd');
  const started = await start(fileOf(`${entry} organization=acme\n`));
  onTestFinished(() => started.stop());
  expect(await started.services.organizations.list()).toHaveLength(2);
});
