import { beforeAll, describe, expect, test } from 'vitest';
import { emptyApi } from '../../../server/api.ts';
import { addHealthRoutes } from '../../../server/operation/health-routes.ts';
import type { Services } from '../../../server/services.ts';
import { openTestServer, type TestServer } from '../support/services.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});

/** Asks the routes over services of which some parts are others. */
async function ask(path: string, parts: (services: Services) => Partial<Services> = () => ({}), headers: HeadersInit = {}) {
  const services = { ...server.services, ...parts(server.services) };
  const api = emptyApi(services);
  addHealthRoutes(api, services);
  return api.request(path, { headers });
}

const never = () => new Promise<never>(() => {});

describe('/healthz', () => {
  test('tells that the process lives, whatever the database does', async () => {
    const answer = await ask('/healthz', ({ database }) => ({ database: { ...database, query: never } }));
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok' }]);
  });
});

describe('/readyz', () => {
  test('tells that database and storage answer, without a key', async () => {
    const answer = await server.request('GET', '/readyz', undefined, null);
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok' }]);
  });

  test.each<[string, string, (services: Services) => Partial<Services>]>([
    [
      'database',
      'is away',
      ({ database }) => ({ database: { ...database, query: () => Promise.reject(new Error('password hunter2 of 10.0.0.7')) } }),
    ],
    ['database', 'does not answer', ({ database }) => ({ database: { ...database, query: never } })],
    [
      'storage',
      'is away',
      ({ storage }) => ({ storage: { ...storage, check: () => Promise.reject(new Error('no bucket hunter2 of 10.0.0.7')) } }),
    ],
    ['storage', 'does not answer', ({ storage }) => ({ storage: { ...storage, check: never } })],
  ])('names the %s that %s, and nothing from inside', async (part, _fault, parts) => {
    const answer = await ask('/readyz', parts);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('5');
    const body = await answer.json();
    expect(body).toEqual({
      code: 'NotReady',
      error: `The ${part} is away. The log of the server says why.`,
      requestId: expect.stringMatching(/^req_/),
    });
  });
});

describe('/metrics', () => {
  test('tells of the process, of requests and jobs, and of the queue as it is', async () => {
    await server.request('GET', '/healthz');
    const answer = await ask('/metrics', ({ queue }) => ({
      queue: { ...queue, counts: async () => ({ queued: 7, running: 2 }) },
    }));
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    const text = await answer.text();
    expect(text).toContain('carrel_queue_jobs{state="queued"} 7');
    expect(text).toContain('carrel_queue_jobs{state="running"} 2');
    expect(text).toContain('carrel_http_request_seconds_count{method="GET",route="/healthz",status="200"}');
    expect(text).toContain('process_resident_memory_bytes');
    expect(text).toContain('# TYPE carrel_jobs_total counter');
  });

  test('counts the real queue', async () => {
    expect(await (await ask('/metrics')).text()).toContain('carrel_queue_jobs{state="queued"} 0');
  });

  test('leaves out a queue that cannot be counted', async () => {
    const answer = await ask('/metrics', ({ queue }) => ({
      queue: { ...queue, counts: () => Promise.reject(new Error('away')) },
    }));
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text).not.toContain('carrel_queue_jobs{');
    expect(text).toContain('carrel_jobs_total');
  });

  test.each([
    [{}, 401],
    [{ authorization: 'Bearer wrong' }, 401],
    [{ authorization: 'Basic t0ken' }, 401],
    [{ authorization: 't0ken' }, 401],
    [{ authorization: 'Bearer t0ken' }, 200],
  ])('asks for the token when there is one: %j gives %i', async (headers, status) => {
    const withToken = ({ options }: Services) => ({ options: { ...options, metricsToken: 't0ken' } });
    const answer = await ask('/metrics', withToken, headers as HeadersInit);
    expect(answer.status).toBe(status);
    if (status === 401) {
      expect(await answer.json()).toMatchObject({ code: 'MetricsTokenWrong' });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });
});
