import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { migrate } from '../../../server/database/migrate.ts';
import { openDatabase } from '../../../server/database/open-database.ts';
import { createLog } from '../../../server/platform/log.ts';
import { storedAdminKey } from '../../../src/cli/api-client.ts';
import { examineServer } from '../../../server/health/doctor/examine-server.ts';
import { checkClock, type Finding } from '../../../server/health/doctor/finding.ts';
import { checkNode } from '../../../server/health/doctor/machine.ts';
import { openEmbeddingServer } from '../../support/embedding-server.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { errorAnswer, openModelServer } from '../../server/assistant/model-server.ts';
import { startServer } from '../../server/faults/places.ts';
import { send, startBundleServer } from '../../server/active-exports/bundle-server.ts';
import { makeCertificate } from '../../server/sources/git-server.ts';
import { s3Credentials, startS3Server } from '../../server/storage/s3-server.ts';
import { freshPostgres } from '../../server/support/databases.ts';
import { addEmptyDatabase } from '../../server/support/embedded.ts';
import { carrel } from './carrel.ts';
import { freePort, listen } from '../../support/listen.ts';
import { writeFiles } from '../../support/write-files.ts';

/** A port that another program has. */
async function holdPort(): Promise<{ port: number; free: () => Promise<void> }> {
  const server = createServer((socket) => socket.end());
  const free = () => new Promise<void>((resolve) => server.close(() => resolve()));
  onTestFinished(free);
  return { port: await listen(server), free };
}

/** The environment of a server on a free port, with its data in this folder. */
async function serverOf(environment: NodeJS.ProcessEnv, cwd: string): Promise<NodeJS.ProcessEnv> {
  const own = { PORT: String(await freePort()), SITES_PORT: '0', CARREL_DATA: join(cwd, 'data') };
  return { ...process.env, ...own, ...environment };
}

/** What the command finds, as a process of its own. */
async function doctor(environment: NodeJS.ProcessEnv, cwd = temporaryFolder()) {
  const { code, stdout, stderr } = await carrel(['doctor', '--json'], { cwd, env: await serverOf(environment, cwd) });
  expect(stderr).toBe('');
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] };
  expect(code).toBe(ok ? 0 : 1);
  expect(findings.length).toBeGreaterThan(3);
  return { ok, ...read(findings) };
}

/** What the command finds about the server, without its process, the exporter and the sandbox. */
async function examined(environment: NodeJS.ProcessEnv, cwd = temporaryFolder()) {
  const all = await serverOf(environment, cwd);
  const findings: Finding[] = [];
  for await (const finding of examineServer(all, Date.now, storedAdminKey)) findings.push(finding);
  return { ok: findings.every(({ state }) => state !== 'fail'), ...read(findings) };
}

function read(findings: Finding[]) {
  for (const { state, next } of findings) expect(next === undefined).toBe(state === 'ok');
  return { findings, of: (check: string) => findings.find((finding) => finding.check === check)! };
}

test('a valid configuration has no findings, and stays unchanged', async () => {
  const cwd = temporaryFolder();
  const env = { ...process.env, PORT: String(await freePort()), SITES_PORT: '0' };
  const { code, stdout } = await carrel(['doctor'], { cwd, env });
  expect(stdout).toMatch(/^ok {4}node {12}Node \d+\.\d+\.\d+\n/);
  expect(stdout).toContain('A page was exported\n\nThe server can run on this machine.\n');
  expect(stdout).not.toContain('fail');
  // Linux alone has namespaces, in which components run.
  expect(process.platform !== 'linux' || /^ok {4}sandbox {9}Components of trusted docs can run/m.test(stdout)).toBe(true);
  expect(code).toBe(0);
  expect(readdirSync(cwd)).toEqual([]);
});

describe('says what to do about', () => {
  test('all errors of a configuration, and a system that cannot run components of trusted docs', async () => {
    const { ok, findings, of } = await doctor({ PORT: 'x', CARREL_ROLE: 'worker', PATH: temporaryFolder() });
    expect(ok).toBe(false);
    expect(findings.filter(({ check }) => check === 'configuration').map(({ message }) => message)).toEqual([
      expect.stringContaining('PORT "x" must be a number'),
      expect.stringContaining('CARREL_ROLE "worker" needs DATABASE_URL'),
    ]);
    const sandbox = {
      state: 'warn',
      message: expect.stringContaining('starts no process without a network'),
      next: expect.stringContaining('Only sites with trusted components need it.'),
    };
    expect(process.platform === 'linux' ? of('sandbox') : sandbox).toMatchObject(sandbox);
  });

  test('the former name of a limit', async () => {
    const { ok, findings } = await examined({ CARREL_JOB_MINUTES: '60' });
    expect(ok).toBe(true);
    expect(findings).toContainEqual({
      check: 'configuration',
      state: 'warn',
      message: 'CARREL_JOB_MINUTES is a limit now, and its name goes away in 0.3.',
      next: 'Set CARREL_LIMITS="jobMinutes=60" instead.',
    });
  });

  test('certificate authorities for git that do not exist', async () => {
    const { ok, of } = await examined({ CARREL_GIT_AUTHORITIES: 'authorities.pem' });
    expect(ok).toBe(false);
    expect(of('configuration').message).toContain(
      'CARREL_GIT_AUTHORITIES "authorities.pem" is not a readable file of certificates',
    );
  });

  test('a port that another program uses', async () => {
    const { port } = await holdPort();
    const { of } = await examined({ SITES_PORT: String(port) });
    expect(of('sites-port')).toMatchObject({ state: 'fail', message: expect.stringContaining(`port ${port}`) });
    expect(of('sites-port').next).toContain('SITES_PORT');
  });

  test('a URL that does not work', async () => {
    const { of } = await examined({ CARREL_PUBLIC_URL: `http://127.0.0.1:${await freePort()}` });
    expect(of('public-url')).toMatchObject({ state: 'warn' });
  });

  test('one host for API and sites, and no encryption', async () => {
    const { of } = await examined({ CARREL_PUBLIC_URL: 'http://127.0.0.1:1', CARREL_SITES_URL: 'http://127.0.0.1:2' });
    expect(of('sites-url')).toMatchObject({ state: 'warn', next: 'Give the sites a host of their own.' });
  });

  test('a link to a bundle that has expired, or that nothing replaces', async () => {
    const link = (seconds: number) => `https://api.example.com/v1/bundles/se_0?expires=${seconds}&signature=SECRET`;
    const { of } = await examined({ CARREL_BUNDLE_URL: link(1) });
    expect(of('bundle-link')).toMatchObject({
      state: 'warn',
      message: expect.stringContaining('expired at 1970-01-01T00:00:01.000Z'),
    });
    expect(JSON.stringify(of('bundle-link'))).not.toContain('SECRET');
    const { of: refreshed } = await examined({
      CARREL_BUNDLE_URL: link(1),
      CARREL_BUNDLE_REFRESH_URL: 'https://api.example.com',
    });
    expect(refreshed('bundle-link').state).toBe('ok');

    const server = await startBundleServer(send(Buffer.from('PK')));
    const amazon = `${server.link.split('?')[0]}?X-Amz-Date=29991231T235900Z&X-Amz-Expires=60&X-Amz-Signature=SECRET`;
    const { of: next } = await examined({ CARREL_BUNDLE_URL: amazon });
    expect(next('bundle-link')).toMatchObject({
      state: 'warn',
      message: 'CARREL_BUNDLE_URL works, but expires at 3000-01-01T00:00:00.000Z, and nothing replaces it.',
    });
    expect(server.requests).toMatchObject([{ range: 'bytes=0-0' }]);
  });

  test('a link to a bundle that does not work, and none that works', async () => {
    const server = await startBundleServer((_, response) => response.writeHead(403).end('<Code>AccessDenied</Code>'));
    const link = server.link.replace('expires=1', 'forever=1');
    const { of: refused } = await examined({ CARREL_BUNDLE_URL: link });
    expect(refused('bundle-link')).toMatchObject({
      state: 'warn',
      message: expect.stringContaining('/v1/bundles/se_1 answered 403 (AccessDenied)'),
      next: expect.stringContaining('Request a new one'),
    });
    expect(JSON.stringify(refused('bundle-link'))).not.toContain('SECRET');
    const api = 'https://api.example.com';
    const { of: replaced } = await examined({ CARREL_BUNDLE_URL: link, CARREL_BUNDLE_REFRESH_URL: api });
    expect(replaced('bundle-link')).toMatchObject({ state: 'ok', message: expect.stringContaining('does not work, but') });
    server.answer = send(Buffer.from('PK'));
    const { of: works } = await examined({ CARREL_BUNDLE_URL: link });
    expect(works('bundle-link')).toMatchObject({ state: 'ok', message: 'CARREL_BUNDLE_URL works, and has no expiry' });
    await server.close();
    const { of: away } = await examined({ CARREL_BUNDLE_URL: link });
    expect(away('bundle-link')).toMatchObject({ state: 'warn', message: expect.stringContaining('ECONNREFUSED') });
  });

  test('an embedding model that is away', async () => {
    await using server = await openEmbeddingServer();
    const options = { CARREL_EMBEDDINGS_URL: server.url, CARREL_EMBEDDINGS_MODEL: 'vectors' };
    expect((await examined(options)).of('embeddings')).toMatchObject({
      state: 'ok',
      message: expect.stringContaining('32 numbers'),
    });
    server.answers.refuses = { status: 401, times: 9 };
    expect((await examined(options)).of('embeddings')).toMatchObject({
      state: 'warn',
      message: expect.stringContaining('search is by words'),
    });
  });

  test('a storage folder that cannot be written', async () => {
    const cwd = temporaryFolder();
    writeFiles(cwd, { 'data/storage': 'a file in place of the folder' });
    expect((await examined({}, cwd)).of('storage')).toMatchObject({
      state: 'fail',
      message: expect.stringContaining('cannot be stored'),
    });
  });

  test('a model that is away, and one whose key is wrong', async () => {
    const away = { CARREL_MODEL_URL: `http://127.0.0.1:${await freePort()}/v1`, CARREL_MODEL: 'qwen' };
    const { of, ok } = await examined(away);
    expect(of('model')).toMatchObject({
      state: 'warn',
      message: expect.stringContaining('(ECONNREFUSED, nothing listens at its host and port): answers quote the docs'),
    });
    expect(ok).toBe(true);
    await using server = await openModelServer(errorAnswer(401, 'bad key secret-key-1'));
    const wrong = { CARREL_MODEL_URL: server.url, CARREL_MODEL: 'qwen', CARREL_MODEL_KEY: 'secret-key-1' };
    const { of: next } = await examined(wrong);
    expect(next('model')).toMatchObject({ state: 'fail', next: expect.stringContaining('CARREL_MODEL_KEY') });
    expect(JSON.stringify(next('model'))).not.toContain('secret-key-1');
  });

  test.runIf(process.platform !== 'win32')('keys that everyone can read', async () => {
    const cwd = temporaryFolder();
    writeFiles(cwd, { 'data/keys.json': '{}' });
    chmodSync(join(cwd, 'data/keys.json'), 0o644);
    const { of } = await examined({}, cwd);
    expect(of('private-files')).toMatchObject({ state: 'fail', next: expect.stringContaining('chmod 600') });
  });

  test('git credentials for every organization, and those that cannot be read', async () => {
    const file = join(temporaryFolder(), 'credentials');
    writeFileSync(file, 'https://me:p4ssw0rd@git.example.com\nhttps://me:p4ssw0rd@git.example.com organization=acme\n', {
      mode: 0o600,
    });
    const { of } = await examined({ CARREL_GIT_CREDENTIALS: file });
    expect(of('git-credentials')).toMatchObject({ state: 'warn', next: expect.stringContaining('organization=ID') });
    expect(of('git-credentials').message).toContain('1 of 2 entries');
    writeFileSync(file, 'https://me:p4ssw0rd@git.example.com for=acme\n');
    const { of: next } = await examined({ CARREL_GIT_CREDENTIALS: file });
    expect(next('git-credentials')).toMatchObject({ state: 'fail', message: expect.stringContaining('Line 1 of') });
    expect(JSON.stringify(next('git-credentials'))).not.toContain('p4ssw0rd');
  });

  test('a missing git', async () => {
    const { of, ok } = await examined({ PATH: temporaryFolder() });
    expect(of('git')).toMatchObject({ state: 'warn', next: expect.stringContaining('Install git') });
    expect(ok).toBe(true);
  });

  test('a PostgreSQL that does not answer', async () => {
    const { of } = await examined({ DATABASE_URL: `postgresql://carrel:hunter2@127.0.0.1:${await freePort()}/carrel` });
    expect(of('database').state).toBe('fail');
    expect(JSON.stringify(of('database'))).not.toContain('hunter2');
  });

  test('a bucket that does not answer', async () => {
    const { of } = await examined({
      CARREL_S3_BUCKET: 'docs',
      CARREL_S3_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
      AWS_ACCESS_KEY_ID: 'a',
      AWS_SECRET_ACCESS_KEY: 'b',
      AWS_REGION: 'eu-1',
    });
    expect(of('storage')).toMatchObject({
      state: 'fail',
      message: expect.stringContaining('The bucket "docs" rejects requests'),
    });
  });
});

test('an empty PostgreSQL, one of this version, and a newer one are distinguished', async () => {
  const DATABASE_URL = await freshPostgres();
  const database = await openDatabase({ dataFolder: '', databaseUrl: DATABASE_URL, log: createLog('silent') });
  onTestFinished(() => database.close());
  expect((await examined({ DATABASE_URL })).of('database').message).toMatch(
    /^PostgreSQL \d.* the first start creates its tables$/,
  );
  await migrate(database);
  const { of } = await examined({ DATABASE_URL });
  expect(of('database')).toMatchObject({ state: 'ok', message: expect.stringContaining('is available and has all') });
  expect(of('keys').message).toBe('The first start creates the first keys');
  expect(of('database-clock').state).toBe('ok');
  const shared = await examined({ DATABASE_URL, CARREL_ROLE: 'worker', CARREL_SECRET: 'x'.repeat(32) });
  expect(shared.of('storage')).toMatchObject({ state: 'warn', next: expect.stringContaining('CARREL_S3_BUCKET') });
  expect(shared.of('sites-port')).toBeUndefined();
  await database.query('delete from carrel.migrations where number = (select max(number) from carrel.migrations)');
  expect((await examined({ DATABASE_URL })).of('database')).toMatchObject({ state: 'warn' });
  const manual = await examined({ DATABASE_URL, CARREL_MIGRATIONS: 'manual' });
  expect(manual.of('database')).toMatchObject({ state: 'fail', next: expect.stringContaining('carrel migrate') });
  expect(manual.of('sites')).toBeUndefined();
  await database.query('insert into carrel.migrations (number) values (99)');
  expect((await examined({ DATABASE_URL })).of('database')).toMatchObject({
    state: 'fail',
    message: expect.stringContaining('is at migration 99'),
  });
});

test('a probe is written to a bucket, read and removed', async () => {
  const s3 = await startS3Server();
  onTestFinished(() => s3.end());
  for (const [name, value] of Object.entries({ ...s3Credentials, AWS_REGION: 'us-east-1' })) vi.stubEnv(name, value);
  const { of } = await examined({
    CARREL_S3_BUCKET: s3.bucket,
    CARREL_S3_ENDPOINT: s3.endpoint,
    CARREL_S3_PREFIX: 'docs',
  });
  expect(of('storage')).toMatchObject({ state: 'ok' });
  expect(of('storage-clock')).toMatchObject({ state: 'ok' });
});

test('a running server is queried, not disturbed', async () => {
  const cwd = temporaryFolder();
  const env = { PORT: String(await freePort()), SITES_PORT: String(await freePort()) };
  await startServer(join(cwd, 'data'), { ...env, CARREL_LOG: 'silent', QUICK_EXPORT: '0' });
  const { of, ok } = await examined({ ...env, CARREL_PUBLIC_URL: `http://127.0.0.1:${env.PORT}` }, cwd);
  expect(of('database').message).toContain('uses the embedded database');
  expect(of('port').message).toContain('The running server uses port');
  expect(of('sites-port').message).toContain('The running server uses port');
  expect(of('public-url').message).toContain('is the URL of a Carrel server');
  expect(of('private-files').message).toBe('Files with secrets are private');
  expect(of('storage').message).toMatch(/stores, returns and removes files$|the first one creates their folder$/);
  expect(of('keys')).toMatchObject({ state: 'ok', message: 'There is an admin key with the scope operator' });
  expect(['schedules', 'webhooks', 'queue', 'exports'].map((check) => of(check).state)).toEqual(Array(4).fill('ok'));
  expect(ok).toBe(true);
  rmSync(join(cwd, 'data/keys.json'));
  const { of: unknown } = await examined(env, cwd);
  expect(unknown('sites')).toMatchObject({ state: 'warn', message: expect.stringContaining('no admin key is known') });
  expect(unknown('sites').next).toContain('CARREL_KEY');

  const folder = temporaryFolder();
  const { key, certificate } = makeCertificate(folder);
  const proxy = createTlsServer({ key: readFileSync(key), cert: readFileSync(certificate) }, async ({ url }, response) => {
    const answer = await fetch(`http://127.0.0.1:${url === '/healthz' ? env.PORT : env.SITES_PORT}${url}`);
    response.writeHead(answer.status, { 'x-request-id': answer.headers.get('x-request-id') ?? '' }).end(await answer.text());
  });
  onTestFinished(() => void proxy.close());
  const CARREL_PUBLIC_URL = `https://localhost:${await listen(proxy)}`;
  const untrusted = await examined({ ...env, CARREL_PUBLIC_URL }, cwd);
  expect(untrusted.of('public-url')).toMatchObject({
    state: 'fail',
    message: expect.stringContaining('self-signed certificate'),
  });
  const trusted = await doctor({ ...env, CARREL_PUBLIC_URL, NODE_EXTRA_CA_CERTS: certificate }, cwd);
  expect(trusted.of('public-url')).toMatchObject({ state: 'warn', message: expect.stringMatching(/expires in 1 days/) });

  // This server has another data folder, and answers at the port that is asked for.
  const elsewhere = temporaryFolder();
  await addEmptyDatabase(join(elsewhere, 'data'));
  const holder = await openDatabase({ dataFolder: join(elsewhere, 'data'), log: createLog('silent') });
  onTestFinished(() => holder.close());
  const other = await examined({ PORT: env.PORT }, elsewhere);
  expect(other.ok).toBe(false);
  expect(other.of('database').message).toBe(
    `Another process uses the embedded database. The server at http://127.0.0.1:${env.PORT} has another data folder.`,
  );
  expect(other.of('port').message).toContain('Another Carrel server, with another data folder, uses port');
  await holder.close();
  const free = await examined({ PORT: env.PORT }, elsewhere);
  expect(free.of('database').message).toContain('The embedded database is available');
});

test.each([
  [0, 'ok'],
  [-30_000, 'warn'],
  [30_000, 'warn'],
  [1_000_000, 'fail'],
])('a clock that differs by %i ms is %s', async (difference, state) => {
  expect(await checkClock('clock', 'database', 1_000_000_000 + difference, 1_000_000_000, 1_000_000_050)).toMatchObject({
    state,
  });
});

test.each([
  ['22.17.9', 'fail'],
  ['22.18.0', 'ok'],
  ['24.0.0', 'ok'],
  ['9.99.0', 'fail'],
])('Node %s is %s', async (version, state) => {
  expect(await checkNode(version)).toMatchObject({ state });
});
