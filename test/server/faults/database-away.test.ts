import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { followJob, startJob } from '../../support/server-process.ts';
import { createPostgresDatabase } from '../support/databases.ts';
import { startPostgres } from '../support/postgres.ts';
import { firstExport, place, startServer } from './places.ts';

test('a database that is away and back: 503 meanwhile, then all goes on by itself', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.end());
  const { data } = place();
  const server = await startServer(data, {
    DATABASE_URL: await createPostgresDatabase(postgres.url),
    QUICK_EXPORT: '1000',
    SITE: 'docs.example.com',
  });
  await firstExport(server);
  const page = `${server.sites}/sites/docs.example.com/index.html`;
  const before = await (await fetch(page)).text();

  await server.request('PATCH', '/v1/sites/docs.example.com', { features: { analytics: { mode: 'own' } } });
  const eventsPath = '/discovery/v1/events/docs.example.com';
  const sendView = () =>
    server.request('POST', eventsPath, { events: [{ type: 'view', path: '' }] }, { 'user-agent': 'Mozilla/5.0 Firefox/140.0' });
  await expect.poll(async () => (await sendView()).status).toBe(202);

  const running = await startJob(server, { domain: 'docs.example.com' });
  const waiting = await startJob(server, { domain: 'docs.example.com' });
  const ended = followJob(server, running);
  await followJob(server, running, ({ stage }) => stage !== null && stage !== 'fetch');
  const accepted = (await sendView()).status;
  await postgres.stop();

  const jobs = '/v1/static-export/jobs';
  const asked: [string, string, object?][] = [
    ['GET', jobs],
    ['POST', jobs, { domain: 'docs.example.com' }],
    ['GET', '/readyz'],
    ['GET', '/v1/keys'],
  ];
  for (const [method, path, body] of asked) {
    // What is kept in memory is so for a second.
    await expect.poll(async () => (await server.request(method, path, body)).status).toBe(503);
    const answer = await server.request(method, path, body);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    const text = await answer.text();
    expect(JSON.parse(text)).toEqual({ error: expect.any(String), code: expect.any(String), requestId: expect.any(String) });
    expect(text).not.toMatch(/postgres|127\.0\.0\.1|ECONN/);
  }
  await expect.poll(async () => (await sendView()).status).toBe(503);
  expect((await fetch(`${server.address}/healthz`)).status).toBe(200);
  // No event says that the second is over.
  await setTimeout(1000);
  expect(await (await fetch(page)).text()).toBe(before);

  await postgres.start();
  // The reader's stream has lived through it.
  expect(await ended).toMatchObject({ status: 'completed', progress: 100, error: null });
  expect((await followJob(server, waiting)).status).toBe('completed');
  expect((await fetch(`${server.address}/readyz`)).status).toBe(200);
  // What was accepted just before is stored afterward.
  expect(accepted).toBe(202);
  const views = async () => {
    const report = await server.request('GET', '/v1/analytics/docs.example.com/views');
    return ((await report.json()) as { views: { views: number }[] }).views[0]?.views;
  };
  await expect.poll(views, { interval: 500, timeout: 20_000 }).toBeGreaterThanOrEqual(2);
  expect((await followJob(server, await startJob(server, { domain: 'docs.example.com' }))).status).toBe('completed');
});
