import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { followJob, startJob, type ServerProcess } from '../../support/server-process.ts';
import { firstExport, place, startServer } from './places.ts';

const day = 24 * 60 * 60 * 1000;
const domain = 'docs.example.com';
const jobs = '/v1/static-export/jobs';

async function bundle(server: ServerProcess, jobId: string): Promise<{ bundleUrl: string; expiresAt: string }> {
  const answer = await server.request('POST', `${jobs}/${jobId}/bundle`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as { bundleUrl: string; expiresAt: string };
}

test('a clock that is moved back by a day, and forward again, between start and bundle', async () => {
  const { root, data } = place();
  const clock = join(root, 'clock');
  writeFileSync(clock, '0');
  const server = await startServer(data, { CLOCK: clock, QUICK_EXPORT: '1000', SITE: domain });
  let newest = await firstExport(server);
  for (const moved of [-day, 0]) {
    const first = newest;
    const before = await bundle(server, first);
    const running = await startJob(server, { domain, version: 'running' });
    const waiting = await startJob(server, { domain, version: 'waiting' });
    await followJob(server, running, ({ stage }) => stage !== null && stage !== 'fetch');
    writeFileSync(clock, String(moved));

    for (const id of [running, waiting]) expect(await followJob(server, id)).toMatchObject({ status: 'completed', error: null });
    newest = await startJob(server, { domain, version: 'after' });
    expect((await followJob(server, newest)).status).toBe('completed');
    // The newest is served, whatever the clock said when it was started.
    const { activeJob } = (await (await server.request('GET', `/v1/sites/${domain}`)).json()) as { activeJob: string };
    expect(activeJob).toBe(newest);
    const listed = (await (await server.request('GET', `${jobs}?domain=${domain}`)).json()) as { jobs: { jobId: string }[] };
    expect(listed.jobs.slice(0, 4).map(({ jobId }) => jobId)).toEqual([newest, waiting, running, first]);

    const fresh = await bundle(server, newest);
    expect(Math.abs(Date.parse(fresh.expiresAt) - (Date.now() + moved + 3_600_000))).toBeLessThan(60_000);
    expect((await fetch(fresh.bundleUrl)).status).toBe(200);
    // A link of before lives as long as it says.
    expect((await fetch(before.bundleUrl)).status).toBe(moved < 0 ? 200 : 403);
  }
});
