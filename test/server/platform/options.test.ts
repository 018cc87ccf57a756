import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ExportError } from '../../../integration/errors.ts';
import { readOptions } from '../../../server/platform/read-options.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';

const longSecret = 'a-secret-of-32-characters-or-more';

/** The lines of what is wrong. */
function faultsOf(environment: NodeJS.ProcessEnv, file?: string): string[] {
  try {
    readOptions({ environment, file });
  } catch (error) {
    if (!(error instanceof ExportError) || error.code !== 'ConfigurationInvalid' || !error.hint) throw error;
    return error.message.split('\n').slice(1);
  }
  return [];
}

function configFile(text: string): string {
  const file = join(temporaryFolder(), 'carrel.json');
  writeFileSync(file, text);
  return file;
}

test('uses the defaults when nothing is set', () => {
  expect(readOptions({ environment: {} })).toMatchObject({
    role: 'all',
    host: '127.0.0.1',
    port: 4400,
    sitesPort: 4401,
    data: resolve('.carrel'),
    linkSeconds: 3600,
    trustedProxies: [],
    log: 'info',
  });
});

test('converts the texts of the environment to values', () => {
  const environment = {
    PORT: ' 8080 ',
    CARREL_TRUSTED_PROXIES: '10.0.0.0/8, ::1,',
    CARREL_PRIVATE_HOSTS: 'git.internal,192.168.0.0/16',
    CARREL_PUBLIC_URL: 'https://docs.example.com/',
  };
  expect(readOptions({ environment })).toMatchObject({
    port: 8080,
    trustedProxies: ['10.0.0.0/8', '::1'],
    privateHosts: ['git.internal', '192.168.0.0/16'],
    publicUrl: 'https://docs.example.com',
  });
});

test('an empty variable counts as absent', () => {
  const { port, secret, databaseUrl } = readOptions({
    environment: { PORT: '', CARREL_SECRET: ' ', DATABASE_URL: '', CARREL_CONFIG: '' },
  });
  expect({ port, secret, databaseUrl }).toEqual({ port: 4400, secret: undefined, databaseUrl: undefined });
});

test('a secret can be in a file that a variable names; other values cannot', () => {
  const file = configFile(`${longSecret}\n`);
  expect(readOptions({ environment: { CARREL_SECRET_FILE: file, PORT_FILE: file } })).toMatchObject({
    secret: longSecret,
    port: 4400,
  });
  expect(faultsOf({ CARREL_SECRET_FILE: file, CARREL_SECRET: longSecret })).toEqual([
    '  CARREL_SECRET and CARREL_SECRET_FILE are both set. Keep one.',
  ]);
  expect(faultsOf({ DATABASE_URL_FILE: '/nowhere/url' })).toEqual([
    `  DATABASE_URL_FILE "/nowhere/url" can't be read (ENOENT). Correct its path, or allow this user to read it.`,
  ]);
  const empty = configFile(' \r\n');
  expect(faultsOf({ DATABASE_URL_FILE: empty })).toEqual([`  DATABASE_URL_FILE "${empty}" is empty. Write the secret into it.`]);
  const [short] = faultsOf({ CARREL_SECRET_FILE: configFile('short') });
  expect(short).toMatch(/^  CARREL_SECRET must have 32 characters/);
});

describe('the configuration file', () => {
  test('has the same keys, and the environment overrides it', () => {
    const CARREL_CONFIG = configFile('{ "port": 5000, "limits": { "linkSeconds": 120 }, "trustedProxies": ["127.0.0.1"] }');
    expect(readOptions({ environment: { CARREL_CONFIG, PORT: '6000' } })).toMatchObject({
      port: 6000,
      linkSeconds: 120,
      trustedProxies: ['127.0.0.1'],
    });
  });

  test.each([
    ['{ "prot": 1 }', 'prot in FILE is not an option. The options are: role, host, port,'],
    ['{ "Port": 1 }', 'Port in FILE is not an option. Write "port".'],
    ['{ "CARREL_DATA": "x" }', 'CARREL_DATA in FILE is not an option. Write "data".'],
    ['{ "__proto__": 1 }', '__proto__ in FILE is not an option.'],
    ['{ "port": true }', 'port in FILE true must be a number.'],
    ['{ "port": null }', 'port in FILE null must be a number.'],
    ['{ "port": "80 or so" }', 'port in FILE "80 or so" must be a number.'],
    ['{ "data": 5 }', 'data in FILE 5 '],
    ['{ "secret": "hunter2" }', 'secret in FILE must have 32 characters or more.'],
    ['{ "limits": 5 }', 'limits in FILE 5 must be internal or public.'],
    ['{ "limits": { "preset": "open" } }', 'limits in FILE "open" must be internal or public.'],
    ['{ "limits": { "jobMinutes": 0 } }', 'jobMinutes in limits in FILE 0 must be 1 or more.'],
    ['{ "limits": ["public"] }', '0 in limits in FILE is not a limit.'],
    ['[]', 'The configuration file "FILE" must contain one object'],
    ['null', 'The configuration file "FILE" must contain one object'],
    ['{ port: 1 }', 'The configuration file "FILE" is not JSON'],
    ['', 'The configuration file "FILE" is not JSON'],
  ])('is reported as invalid: %s', (text, line) => {
    const file = configFile(text);
    const faults = faultsOf({}, file);
    expect(faults).toHaveLength(1);
    expect(faults[0]!.replaceAll(file, 'FILE')).toContain(line);
    expect(faults[0]).not.toContain('hunter2');
  });

  test('is reported when it is missing, or a folder', () => {
    expect(faultsOf({ CARREL_CONFIG: '/no/such/file.json' })[0]).toContain('"/no/such/file.json" can\'t be read (ENOENT)');
    expect(faultsOf({}, temporaryFolder())[0]).toContain("can't be read (EISDIR)");
  });
});

describe('limits', () => {
  const limitsIn = (environment: NodeJS.ProcessEnv, file?: string) => {
    const notes: string[] = [];
    const { jobMinutes, questionsPerMinute, questionsPerDay } = readOptions({
      environment,
      file,
      note: (what, next) => notes.push(`${what} ${next}`),
    });
    return { jobMinutes, questionsPerMinute, questionsPerDay, notes };
  };
  const internal = { jobMinutes: 30, questionsPerMinute: undefined, questionsPerDay: 10_000, notes: [] };
  const atPublic = { ...internal, questionsPerMinute: 10, questionsPerDay: 200 };

  test.each([
    ['the default', '', internal],
    ['a preset', 'public', atPublic],
    ['one limit', 'jobMinutes=60', { ...internal, jobMinutes: 60 }],
    ['a preset, and limits that differ', ' questionsPerDay = 500,public,', { ...atPublic, questionsPerDay: 500 }],
  ])('are those of %s', (_, CARREL_LIMITS, expected) => {
    expect(limitsIn({ CARREL_LIMITS })).toEqual(expected);
  });

  test('are an object or a text in the file, and the environment changes single ones', () => {
    const object = configFile('{ "limits": { "preset": "public", "jobMinutes": 60 } }');
    expect(limitsIn({}, object)).toEqual({ ...atPublic, jobMinutes: 60 });
    expect(limitsIn({}, configFile('{ "limits": "public, jobMinutes=60" }'))).toEqual({ ...atPublic, jobMinutes: 60 });
    expect(limitsIn({ CARREL_LIMITS: 'internal, jobMinutes=90' }, object)).toEqual({ ...internal, jobMinutes: 90 });
  });

  test('that are options of their own, as in 0.1, go on working with a note', () => {
    expect(limitsIn({ CARREL_JOB_MINUTES: '60', CARREL_LIMITS: 'public' })).toEqual({
      ...atPublic,
      jobMinutes: 60,
      notes: ['CARREL_JOB_MINUTES is a limit now, and its name goes away in 0.3. Set CARREL_LIMITS="jobMinutes=60" instead.'],
    });
    const file = configFile('{ "questionsPerMinute": 3 }');
    const { questionsPerMinute, notes } = limitsIn({}, file);
    expect([questionsPerMinute, notes]).toEqual([3, [expect.stringContaining('questionsPerMinute in ')]]);
  });
});

describe('an invalid option is reported with its value and the expected value', () => {
  test.each([
    [{ PORT: 'eighty' }, 'PORT "eighty" must be a number. Port of the API'],
    [{ PORT: '65536' }, 'PORT "65536" must be at most 65535.'],
    [{ PORT: '80.5' }, 'PORT "80.5" must be a whole number.'],
    [{ PORT: '-1' }, 'PORT "-1" must be 0 or more.'],
    [{ CARREL_ROLE: 'boss' }, 'CARREL_ROLE "boss" must be one of all, api, worker.'],
    [{ CARREL_PUBLIC_URL: 'docs.example.com' }, 'CARREL_PUBLIC_URL "docs.example.com" must be an http(s) URL'],
    [{ CARREL_PUBLIC_URL: 'javascript:alert(1)' }, 'must be an http(s) URL'],
    [{ CARREL_PUBLIC_URL: 'https://example.com/?a=1' }, 'must be a URL without a user name, query or fragment (#)'],
    [{ CARREL_LIMITS: 'linkSeconds=5' }, 'linkSeconds in CARREL_LIMITS "5" must be 60 or more.'],
    [{ CARREL_LIMITS: 'linkSeconds=604801' }, 'must be at most 604800.'],
    [{ CARREL_LIMITS: 'linkSeconds=' }, 'linkSeconds in CARREL_LIMITS "" must be a number.'],
    [{ CARREL_LIMITS: 'jobMinutes=1=2' }, 'jobMinutes in CARREL_LIMITS "1=2" must be a number.'],
    [{ CARREL_LIMITS: 'public, internal' }, 'preset in CARREL_LIMITS has two values, "public" and "internal". Keep one.'],
    [{ CARREL_LIMITS: 'jobMinutes=1,jobMinutes=2' }, 'jobMinutes in CARREL_LIMITS has two values, "1" and "2". Keep one.'],
    [{ CARREL_LIMITS: 'open' }, 'CARREL_LIMITS "open" must be internal or public.'],
    [{ CARREL_LIMITS: 'public, jobHours=1' }, 'jobHours in CARREL_LIMITS is not a limit. The limits are: linkSeconds, '],
    [{ CARREL_LIMITS: '__proto__=1' }, '__proto__ in CARREL_LIMITS is not a limit.'],
    [{ CARREL_JOB_MINUTES: '0' }, 'CARREL_JOB_MINUTES "0" must be 1 or more.'],
    [{ CARREL_LOG: 'loud' }, 'CARREL_LOG "loud" must be one of silent, error, warn, info, debug.'],
    [{ CARREL_TRUSTED_PROXIES: '10.0.0.0/33' }, '"10.0.0.0/33", which is neither an IP address nor a CIDR range'],
    [{ CARREL_TRUSTED_PROXIES: 'proxy.example.com' }, '"proxy.example.com", which is neither an IP address nor a CIDR range'],
    [{ CARREL_PLAYGROUND_PRIVATE_HOSTS: '10.1' }, 'CARREL_PLAYGROUND_PRIVATE_HOSTS "10.1" has "10.1"'],
    [{ CARREL_PRIVATE_HOSTS: '10.1' }, '"10.1", which is neither a host nor a CIDR range'],
    [{ CARREL_PRIVATE_HOSTS: 'https://git.internal' }, '"https://git.internal", which is neither a host nor a CIDR range'],
    [{ CARREL_GIT_CREDENTIALS: '/no/such/file' }, 'CARREL_GIT_CREDENTIALS "/no/such/file" is not a readable file'],
    [
      { CARREL_GIT_AUTHORITIES: '/no/such/file' },
      'CARREL_GIT_AUTHORITIES "/no/such/file" is not a readable file of certificates',
    ],
    [{ CARREL_GIT_AUTHORITIES: import.meta.filename }, 'is not a readable file of certificates'],
  ])('%j', (environment, line) => {
    const faults = faultsOf(environment);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(line);
  });

  test('the data folder must not be inside a file', () => {
    const file = configFile('{}');
    expect(faultsOf({ CARREL_DATA: join(file, 'data') })[0]).toContain(`"${file}" is a file`);
  });

  test('a folder that the start creates is not an error', () => {
    expect(readOptions({ environment: { CARREL_DATA: join(temporaryFolder(), 'a/b/c') } }).data).toMatch(/c$/);
  });
});

describe('combinations of options', () => {
  const databaseUrl = { DATABASE_URL: 'postgresql://carrel@db/carrel' };
  test.each([
    [{ CARREL_ROLE: 'worker' }, 'CARREL_ROLE "worker" needs DATABASE_URL'],
    [{ CARREL_ROLE: 'api', ...databaseUrl }, 'CARREL_ROLE "api" needs CARREL_SECRET'],
    [{ CARREL_S3_ENDPOINT: 'http://s3.internal' }, 'CARREL_S3_ENDPOINT "http://s3.internal" has no bucket'],
    [{ CARREL_S3_PREFIX: 'docs/' }, 'CARREL_S3_PREFIX "docs/" has no bucket'],
    [{ PORT: '4401' }, 'is also the port of the API (4401)'],
    [{ SITES_PORT: '4400' }, 'SITES_PORT "4400" is also the port of the API (4400)'],
    [
      { CARREL_PUBLIC_URL: 'https://docs.example.com/api', CARREL_SITES_URL: 'https://DOCS.example.com:443/sites' },
      'CARREL_SITES_URL "https://DOCS.example.com:443/sites" has the same origin as CARREL_PUBLIC_URL',
    ],
    [{ CARREL_SITES_URL: 'http://127.0.0.1:4400' }, 'has the same origin as the API'],
  ])('are rejected: %j', (environment, line) => {
    const faults = faultsOf(environment);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(line);
  });

  test.each([
    { CARREL_ROLE: 'worker', ...databaseUrl, CARREL_SECRET: longSecret },
    { PORT: '0', SITES_PORT: '0' },
    { CARREL_PRIVATE_HOSTS: '[::1],fd00::/8,localhost,git.example.com' },
    { CARREL_PUBLIC_URL: 'https://docs.example.com', CARREL_SITES_URL: 'https://sites.example.com' },
    { CARREL_S3_BUCKET: 'docs', CARREL_S3_ENDPOINT: 'http://127.0.0.1:9000', CARREL_S3_PREFIX: 'a/' },
  ])('are valid: %j', (environment) => {
    expect(faultsOf(environment)).toEqual([]);
  });
});

test('reports all errors at once', () => {
  const file = configFile('{ "prot": 1, "workers": 0 }');
  const faults = faultsOf({ CARREL_CONFIG: file, PORT: 'x', CARREL_ROLE: 'worker', CARREL_TRUSTED_PROXIES: 'nobody' });
  expect(faults.map((fault) => fault.trim().split(' ')[0])).toEqual([
    'prot',
    'PORT',
    'workers',
    'CARREL_ROLE',
    'CARREL_TRUSTED_PROXIES',
  ]);
});

test('never prints a secret', () => {
  const faults = faultsOf({
    CARREL_SECRET: 'hunter2',
    DATABASE_URL: 'mysql://root:hunter2@db/x',
    CARREL_PUBLIC_URL: 'https://me:hunter2@example.com',
  });
  expect(faults).toHaveLength(3);
  expect(faults.join('\n')).not.toContain('hunter2');
});

test('creates nothing', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'here'));
  readOptions({ environment: { CARREL_DATA: join(folder, 'here/data') } });
  expect(() => readOptions({ environment: { CARREL_CONFIG: join(folder, 'here/data') } })).toThrow("can't be read");
});
