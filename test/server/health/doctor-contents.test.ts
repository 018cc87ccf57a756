import { expect, onTestFinished, test } from 'vitest';
import { checkContents } from '../../../server/health/doctor/contents.ts';
import { createQueue } from '../../../server/jobs/queue/queue.ts';
import { createLog } from '../../../server/platform/log.ts';
import { emptiedDatabase } from '../support/databases.ts';
import { openTestServer } from '../support/services.ts';

const now = Date.parse('2026-11-25T12:00:00Z');
const hour = 3_600_000;
const before = (hours: number) => new Date(now - hours * hour);

const open = emptiedDatabase();
const findings = async (database: Awaited<ReturnType<typeof open>>) =>
  Object.fromEntries((await checkContents(database, now, [])).map(({ check, ...finding }) => [check, finding]));

async function openWithKey() {
  const database = await open();
  await database.query(`insert into carrel.organizations values ('acme', 'Acme', 'enterprise', $1)`, [before(99)]);
  await database.query(
    `insert into carrel.keys (id, organization, kind, name, hash, hint, scopes, addresses, domains, origins, created_at, expires_at)
     values ('key_1', 'acme', 'admin', 'First', 'h', 'x', '{read,write,operator}', '{}', '{}', '{}', $1, null)`,
    [before(99)],
  );
  return database;
}

test('an empty database has nothing to warn of', async () => {
  const found = await findings(await open());
  expect(Object.keys(found)).toEqual(['sites', 'exports', 'queue', 'schedules', 'webhooks', 'secrets', 'keys']);
  expect(Object.values(found).map(({ state }) => state)).toEqual(Array(7).fill('ok'));
});

test('sites without an export, failed exports, waiting jobs and overdue schedules are named', async () => {
  const database = await openWithKey();
  const sites: [string, string | null, Date | null][] = [
    ['good.test', 'se_1', new Date(now + hour)],
    ['late.test', 'se_2', before(1)],
    ['new.test', null, before(0.1)],
  ];
  for (const [domain, job, next] of sites)
    await database.query(
      `insert into carrel.sites (domain, organization, source, settings, active_job, created_at, updated_at, next_check_at)
       values ($1, 'acme', '{}', '{}', $2, $3, $3, $4)`,
      [domain, job, before(9), next],
    );
  const job = (id: string, domain: string, status: string, hours: number, code: string | null = null) =>
    database.query(
      `insert into carrel.jobs (id, organization, domain, request, status, error_code, created_at, updated_at)
       values ($1, 'acme', $2, '{}', $3, $4, $5, $5)`,
      [id, domain, status, code, before(hours)],
    );
  await job('se_1', 'good.test', 'failed', 8, 'GitFailed');
  await job('se_3', 'good.test', 'completed', 7);
  await job('se_2', 'late.test', 'completed', 8);
  await job('se_4', 'late.test', 'failed', 7, 'GitFailed');
  await job('se_5', 'gone.test', 'failed', 7);
  await job('se_6', 'new.test', 'queued', 1);
  const found = await findings(database);
  expect(found).toMatchObject({
    sites: { state: 'warn', message: 'No export is served of 1 site: new.test.', next: 'Export it: carrel job start new.test' },
    exports: {
      state: 'warn',
      message: 'The last export failed of 1 site: late.test (GitFailed).',
      next: 'Read why: carrel job list --domain late.test',
    },
    queue: { state: 'warn', message: 'For 15 minutes, no worker has taken 1 job: se_6.' },
    schedules: { state: 'warn', message: 'The schedule is overdue by 15 minutes or more of 1 site: late.test.' },
    keys: { state: 'ok' },
  });
  await job('se_7', 'good.test', 'running', 0);
  expect((await findings(database)).queue).toMatchObject({ state: 'ok' });
});

test('keys that expire are reported before they do, and after', async () => {
  const database = await openWithKey();
  await database.query('update carrel.keys set expires_at = $1', [new Date(now + 24 * hour)]);
  expect((await findings(database)).keys).toMatchObject({
    state: 'warn',
    message: expect.stringContaining('expire within a week'),
  });
  await database.query('update carrel.keys set expires_at = $1', [before(1)]);
  expect((await findings(database)).keys).toMatchObject({ state: 'warn', message: expect.stringMatching(/^No admin key/) });
});

test('a webhook whose deliveries fail is named, without the secrets of its URL', async () => {
  const database = await openWithKey();
  await database.query(
    `insert into carrel.webhooks values ('wh_1', 'acme', 'https://hooks.test/in?token=SECRET', '{job.failed}', 's', $1)`,
    [before(9)],
  );
  const queue = createQueue(database, createLog('silent'));
  await queue.start();
  onTestFinished(() => queue.stop(0));
  expect((await findings(database)).webhooks).toMatchObject({ state: 'ok' });
  await queue.workDeliveries(() => Promise.reject(new Error('status 500')));
  await queue.sendDelivery({ webhook: 'wh_1', message: 'msg_1', event: 'job.failed', at: now, data: {} });
  await expect
    .poll(async () => (await findings(database)).webhooks)
    .toMatchObject({
      state: 'warn',
      message: 'Deliveries fail to 1 webhook: wh_1 (https://hooks.test).',
    });
});

test('operators read the findings of a running server, others do not', async () => {
  const { request, keyOf } = await openTestServer();
  const answer = await request('GET', '/v1/findings');
  expect(answer.status).toBe(200);
  expect(((await answer.json()) as { findings: { check: string }[] }).findings.map(({ check }) => check)).toContain('schedules');
  expect((await request('GET', '/v1/findings', undefined, await keyOf('default', ['write']))).status).toBe(403);
  expect((await request('GET', '/v1/findings', undefined, null)).status).toBe(401);
});
