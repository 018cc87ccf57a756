import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { followJob, startJob } from '../../support/server-process.ts';
import { addSite, place, startServer } from './places.ts';

const jobs = '/v1/static-export/jobs';

/** Resident memory in MB, where the system tells. */
function memoryOf(process: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${process}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

test('two thousand requests at once are slow at most', async () => {
  const { data, docs } = place();
  const server = await startServer(data, { CARREL_LOG: 'error', CARREL_LIMITS: 'jobMinutes=1' });
  await addSite(server, 'docs.example.com', docs);
  const known = await startJob(server, { domain: 'docs.example.com' });
  const idle = memoryOf(server.child.pid!);

  const kinds: [what: string, expected: number, ask: (turn: number) => Promise<Response>][] = [
    ['status', 200, () => server.request('GET', `${jobs}/${known}`)],
    ['list', 200, () => server.request('GET', `${jobs}?limit=20`)],
    [
      'start',
      202,
      (turn) => server.request('POST', jobs, { domain: 'docs.example.com' }, { 'idempotency-key': `k${turn % 50}` }),
    ],
    ['start of an unknown site', 404, () => server.request('POST', jobs, { domain: 'elsewhere.example.com' })],
    [
      'made-up key',
      401,
      (turn) => fetch(`${server.address}${jobs}`, { headers: { authorization: `Bearer svc_${String(turn).padStart(43, 'a')}` } }),
    ],
  ];
  const answers = await Promise.all(
    Array.from({ length: 2000 }, async (_, turn) => {
      const [what, expected, ask] = kinds[turn % kinds.length]!;
      const answer = await ask(turn);
      const body = (await answer.json()) as { jobId?: string };
      return { what, expected, status: answer.status, jobId: body.jobId };
    }),
  );
  expect(answers.filter(({ status, expected }) => status !== expected)).toEqual([]);
  // Started with the same key, it is the same job: the turns that start have ten keys between them.
  expect(new Set(answers.filter(({ what }) => what === 'start').map(({ jobId }) => jobId)).size).toBe(10);

  // A flood of events from one address, of which a minute has room for fifteen requests.
  const { jobs: all } = (await (await server.request('GET', `${jobs}?domain=docs`)).json()) as { jobs: { jobId: string }[] };
  await followJob(server, all.at(-1)!.jobId);
  await server.request('PATCH', '/v1/sites/docs', { features: { analytics: { mode: 'own' } } });
  const events = Array.from({ length: 20 }, () => ({ type: 'search', query: 'x'.repeat(500), hits: 0 }));
  const flood = await Promise.all(
    Array.from({ length: 2000 }, async () => {
      const headers = { 'user-agent': 'Mozilla/5.0 Firefox/140.0' };
      const answer = await server.request('POST', '/discovery/v1/events/docs', { events }, headers);
      await answer.text();
      return answer.status;
    }),
  );
  expect(new Set(flood)).toEqual(new Set([202, 429]));
  // A new minute may begin meanwhile.
  expect(flood.filter((status) => status === 202).length).toBeLessThanOrEqual(45);
  expect(memoryOf(server.child.pid!) - idle).toBeLessThan(300);
  expect((await fetch(`${server.address}/readyz`)).status).toBe(200);
  expect(server.output()).not.toMatch(/"level":"(?:error|fatal)"/);
});
