import { expect, test } from 'vitest';
import { completeJob, makeExport, registerSite, startJob } from '../storage/exports.ts';
import { openTestServer } from '../support/services.ts';

const { services, request, keyOf } = await openTestServer();
const { jobs, storage } = services;

test('the usage counts all jobs, and what is stored', async () => {
  const key = await keyOf('counted');
  await registerSite(services, 'counted.test', 'counted');
  const made = await makeExport({ 'index.html': 'a'.repeat(1000) });
  for (let at = 0; at < 120; at++) {
    const { id } = await jobs.create({ organization: 'counted', domain: 'counted.test', request: {} });
    if (at > 2) await jobs.cancel(id);
    else await completeJob(services, await startJob(services, id), made);
  }
  const usage = await (await request('GET', '/v1/usage', undefined, key)).json();
  expect(usage.jobs).toEqual({ queued: 0, running: 0, completed: 3, failed: 0, canceled: 117 });
  expect(usage.exports.stored).toBe(3);
  const stored = (await jobs.stored('counted.test')).map(({ result }) => result!);
  expect(usage.exports.bundleBytes).toBe(stored.reduce((sum, { archive }) => sum + archive.sizeBytes, 0));
  expect(usage.exports.exportBytes).toBe(stored.reduce((sum, { bytes }) => sum + bytes, 0));
  expect(await (await request('GET', '/v1/usage?organization=counted')).json()).toEqual(usage);
});

test('an operator removes an organization with its sites, exports, keys and running jobs, and the audit log says so', async () => {
  const key = await keyOf('leaving');
  await registerSite(services, 'leaving.test', 'leaving');
  await registerSite(services, 'staying.test', 'staying');
  const made = await makeExport({ 'index.html': 'Leaving' });
  for (const [organization, domain] of [
    ['leaving', 'leaving.test'],
    ['staying', 'staying.test'],
  ] as const) {
    const { id } = await jobs.create({ organization, domain, request: {} });
    await completeJob(services, await startJob(services, id), made);
  }
  const running = await jobs.create({ organization: 'leaving', domain: 'leaving.test', request: {} });
  const run = await startJob(services, running.id);
  await request('POST', '/v1/webhooks', { url: 'http://93.184.215.14/' }, key);
  expect(await storage.list!('sites/leaving.test/')).not.toEqual([]);
  const one = '/v1/organizations/leaving';

  expect((await request('DELETE', one, undefined, await keyOf('staying'))).status).toBe(403);
  expect((await request('DELETE', '/v1/organizations/nobody')).status).toBe(404);
  const own = await request('DELETE', '/v1/organizations/default');
  expect([own.status, (await own.json()).code]).toEqual([409, 'OrganizationIsOwn']);
  expect((await request('DELETE', one)).status).toBe(204);

  expect((await request('GET', one)).status).toBe(404);
  expect(await jobs.advance(run, { stage: 'render', progress: 50, pageCount: 1 })).toBe(false);
  for (const table of ['keys', 'sites', 'jobs', 'webhooks'])
    expect(await services.database.query(`select from carrel.${table} where organization = 'leaving'`)).toEqual([]);
  expect(await storage.list!('sites/leaving.test/')).toEqual([]);
  expect(await storage.list!('sites/staying.test/')).not.toEqual([]);
  const { entries } = await (await request('GET', '/v1/audit?event=organization.delete')).json();
  expect(entries).toMatchObject([{ target: 'leaving' }]);
});
