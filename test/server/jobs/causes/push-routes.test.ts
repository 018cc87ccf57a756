import { createHmac } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { openJobServer } from '../job-server.ts';
import { completeJob } from '../job-support.ts';

const { services, request, keyOf, clock } = await openJobServer();
const path = '/v1/sites/git.acme.com/hooks/github';
const commit = 'c'.repeat(40);

let secret: string;
let deliveries = 0;
beforeEach(async () => {
  await services.database.query('delete from carrel.idempotency_keys');
  await services.database.query('delete from carrel.jobs');
  await services.database.query('update carrel.sites set active_job = null');
  clock.now += 2000;
  ({ secret } = await (await request('PUT', path)).json());
});

interface PushOptions {
  after?: string;
  ref?: string;
  delivery?: string;
  key?: string;
  to?: string;
  event?: string;
}

async function push({
  after = commit,
  ref = 'refs/heads/main',
  delivery,
  key = secret,
  to = path,
  event = 'push',
}: PushOptions = {}) {
  const body = JSON.stringify({ ref, after, repository: { default_branch: 'main' } });
  const response = await request('POST', to, body, null, {
    'content-type': 'application/json',
    'x-hub-signature-256': `sha256=${createHmac('sha256', key).update(body).digest('hex')}`,
    'x-github-delivery': delivery ?? `delivery-${++deliveries}`,
    'x-github-event': event,
  });
  return { status: response.status, ...(await response.json()) };
}

test('a push to the branch of the site queues an export, once for a delivery and once while it waits', async () => {
  const first = await push({ delivery: 'one' });
  expect(first).toEqual({ status: 202, jobId: expect.stringMatching(/^se_/), reason: 'pushed' });
  expect((await services.jobs.get(first.jobId))?.request).toEqual({ commit });
  expect((await push({ after: 'd'.repeat(40) })).jobId).toBe(first.jobId);
  expect((await services.jobs.get(first.jobId))?.request).toEqual({ commit: 'd'.repeat(40) });
  await completeJob(services.jobs, first.jobId, { commit });
  expect((await push({ delivery: 'one', after: 'e'.repeat(40) })).jobId).toBe(first.jobId);
  const next = await push({ after: 'd'.repeat(40) });
  expect(next.status).toBe(202);
  expect(next.jobId).not.toBe(first.jobId);
});

test('the commit of the active export, another branch and other events export nothing', async () => {
  const { jobId } = await push();
  await completeJob(services.jobs, jobId, { commit });
  clock.now += 2000;
  expect(await push()).toEqual({ status: 200, jobId: null, reason: 'unchanged' });
  expect(await push({ ref: 'refs/heads/next', after: 'd'.repeat(40) })).toMatchObject({ status: 200, reason: 'other-branch' });
  for (const event of ['ping', 'create', ''])
    expect(await push({ event })).toMatchObject({ status: 200, jobId: null, reason: 'not-a-push' });
  expect(await push({ after: '0'.repeat(40) })).toMatchObject({ status: 200, reason: 'other-branch' });
});

test('a wrong secret, a replaced one and an unknown site are refused with the same words', async () => {
  const former = secret;
  ({ secret } = await (await request('PUT', path)).json());
  const wrong = await push({ key: former });
  expect(wrong).toMatchObject({ status: 401, code: 'PushRefused' });
  const unknown = await push({ to: '/v1/sites/nowhere.example.com/hooks/github' });
  expect([unknown.status, unknown.error]).toEqual([wrong.status, wrong.error]);
  expect((await push()).status).toBe(202);
});

test('hooks are listed without their secrets, and removed', async () => {
  const listed = await request('GET', '/v1/sites/git.acme.com/hooks');
  const text = await listed.text();
  expect(JSON.parse(text)).toEqual({
    hooks: [{ service: 'github', url: `http://api.example.com${path}`, createdAt: new Date(clock.now).toISOString() }],
  });
  expect(text).not.toContain(secret);
  const rows = await services.database.query<{ secret: string }>('select secret from carrel.push_hooks');
  expect(rows.map((row) => row.secret)).not.toContain(secret);
  expect((await request('DELETE', path)).status).toBe(204);
  expect((await request('DELETE', path)).status).toBe(404);
  expect((await push()).status).toBe(401);
});

test('a hook needs a key that may write, of the organization of the site', async () => {
  expect((await request('PUT', path, undefined, await keyOf('other'))).status).toBe(404);
  expect((await request('PUT', path, undefined, await keyOf('default', ['read']))).status).toBe(403);
  expect((await request('PUT', '/v1/sites/git.acme.com/hooks/gogs')).status).toBe(400);
});

test('GitHub may send a form, and its signature covers the form', async () => {
  const form = new URLSearchParams({
    payload: JSON.stringify({ ref: 'refs/heads/main', after: commit, repository: { default_branch: 'main' } }),
  }).toString();
  const send = async (type: string, key = secret, text = form) => {
    const response = await request('POST', path, text, null, {
      'content-type': type,
      'x-hub-signature-256': `sha256=${createHmac('sha256', key).update(form).digest('hex')}`,
      'x-github-delivery': `delivery-${++deliveries}`,
      'x-github-event': 'push',
    });
    return { status: response.status, ...(await response.json()) };
  };
  const first = await send('application/x-www-form-urlencoded');
  expect(first).toMatchObject({ status: 202, reason: 'pushed' });
  expect((await services.jobs.get(first.jobId))?.request).toEqual({ commit });
  for (const type of ['text/plain', 'multipart/form-data']) expect((await send(type)).status, type).toBe(415);
  expect((await send('application/x-www-form-urlencoded', 'forged')).code).toBe('PushRefused');
  expect((await send('application/x-www-form-urlencoded', secret, `${form}&payload={}`)).code).toBe('PushRefused');
});

test.each<[string, object, string]>([
  ['the deletion of its branch', { ref: 'refs/heads/main', after: '0'.repeat(40), deleted: true }, 'other-branch'],
  ['a tag', { ref: 'refs/tags/v1', after: commit }, 'other-branch'],
  ['a note', { ref: 'refs/notes/commits', after: commit }, 'other-branch'],
  ['a ref that is none', { ref: { name: 'main' } }, 'pushed'],
  ['a commit that is none', { ref: 'refs/heads/main', after: `${commit}; rm -rf /` }, 'pushed'],
  ['no JSON', [], 'pushed'],
])('a proven push of %s: %j is %s', async (_, payload, reason) => {
  const body = JSON.stringify(payload);
  const response = await request('POST', path, body, null, {
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    'x-github-event': 'push',
  });
  const received = await response.json();
  expect(received.reason).toBe(reason);
  // No job is for a commit that is not the branch's.
  expect((await services.jobs.get(received.jobId ?? ''))?.request ?? {}).toEqual({});
});

test('a body of a megabyte is read; a generic push needs none', async () => {
  const large = await push({ ref: `refs/heads/${'x'.repeat(200_000)}` });
  expect(large).toMatchObject({ status: 200, reason: 'other-branch' });
  const generic = '/v1/sites/git.acme.com/hooks/generic';
  const { secret: token } = await (await request('PUT', generic)).json();
  expect((await request('POST', generic, undefined, token)).status).toBe(202);
  expect((await request('POST', generic, undefined, 'svc_other')).status).toBe(401);
});
