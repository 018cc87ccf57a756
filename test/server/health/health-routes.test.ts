import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { emptyApi } from '../../../server/http/empty-api.ts';
import { addHealthRoutes } from '../../../server/health/health-routes.ts';
import type { Services } from '../../../server/services.ts';
import { errorAnswer, openModelServer, type ModelAnswer } from '../assistant/model-server.ts';
import { openTestServer } from '../support/services.ts';

const server = await openTestServer();

/** Asks the routes over services of which some parts are others. */
async function ask(path: string, parts: (services: Services) => Partial<Services> = () => ({}), headers: HeadersInit = {}) {
  const services = { ...server.services, ...parts(server.services) };
  const api = emptyApi(services);
  addHealthRoutes(api, services);
  return api.request(path, { headers });
}

const never = () => new Promise<never>(() => {});

describe('/healthz', () => {
  test('is 200 whatever the state of the database', async () => {
    const answer = await ask('/healthz', ({ database }) => ({ database: { ...database, query: never } }));
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok' }]);
  });
});

describe('/readyz', () => {
  test('is 200 without a key while database and storage are available', async () => {
    const probe = async () => {
      const answer = await server.request('GET', '/readyz', undefined, null);
      return [answer.status, await answer.json()];
    };
    // The first probe waits two seconds for the database, which a busy machine may need for itself.
    await expect.poll(probe).toEqual([200, { status: 'ok' }]);
  });

  test.each<[string, string, (services: Services) => Partial<Services>]>([
    [
      'database',
      'is unavailable.',
      ({ database }) => ({ database: { ...database, query: () => Promise.reject(new Error('password hunter2 of 10.0.0.7')) } }),
    ],
    ['database', 'does not answer: it is unavailable or slow.', ({ database }) => ({ database: { ...database, query: never } })],
    [
      'storage',
      'is unavailable.',
      ({ storage }) => ({ storage: { ...storage, check: () => Promise.reject(new Error('no bucket hunter2 of 10.0.0.7')) } }),
    ],
    ['storage', 'does not answer: it is unavailable or slow.', ({ storage }) => ({ storage: { ...storage, check: never } })],
  ])('names the %s, and no internals: %s', async (part, fault, parts) => {
    const answer = await ask('/readyz', parts);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('5');
    const body = await answer.json();
    expect(body).toEqual({
      code: 'NotReady',
      error: `The ${part} ${fault} The log of the server has the reason.`,
      requestId: expect.stringMatching(/^req_/),
    });
  });
});

describe('the model of the server in /readyz', () => {
  const listing = (...ids: string[]): ModelAnswer => ({
    headers: { 'content-type': 'application/json' },
    steps: [JSON.stringify({ data: ids.map((id) => ({ id })) })],
  });

  test.each<[string, ModelAnswer, { status: string; model: string }]>([
    ['lists it', listing('other', 'qwen'), { status: 'ok', model: 'ok' }],
    ['has no list', errorAnswer(404, 'not found'), { status: 'ok', model: 'ok' }],
    ['lists others', listing('other'), { status: 'ok', model: 'unlisted' }],
    ['rejects the key', errorAnswer(401, 'bad key secret-key-1'), { status: 'degraded', model: 'rejected' }],
    ['fails', errorAnswer(500, 'CUDA'), { status: 'degraded', model: 'unavailable' }],
    ['breaks off', { before: ['cut'], steps: [] }, { status: 'degraded', model: 'unavailable' }],
  ])('whose server %s leaves the server ready, and is asked once', async (_, play, expected) => {
    await using model = await openModelServer(play);
    const options = { ...server.services.options, modelUrl: model.url, model: 'qwen', modelKey: 'secret-key-1' };
    const services = { ...server.services, options };
    const api = emptyApi(services);
    addHealthRoutes(api, services);
    const state = async () => (await api.request('/readyz')).json();
    // A probe waits a second for the model, which a busy machine may need for itself.
    await expect.poll(state).toEqual(expected);
    for (const answer of [await api.request('/readyz'), await api.request('/readyz')])
      expect([answer.status, await answer.json()]).toEqual([200, expected]);
    expect(model.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/v1/models', 'Bearer secret-key-1'],
    ]);
  });

  test('that stops answering while no one asks is not called ok from memory', async () => {
    await using model = await openModelServer(listing('qwen'), { before: ['hang'], steps: [] });
    const options = { ...server.services.options, modelUrl: model.url, model: 'qwen' };
    const services = { ...server.services, options };
    const api = emptyApi(services);
    addHealthRoutes(api, services);
    await expect.poll(async () => (await api.request('/readyz')).json()).toEqual({ status: 'ok', model: 'ok' });
    const real = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => real() + 30 * 60_000);
    onTestFinished(() => clock.mockRestore());
    expect(await (await api.request('/readyz')).json()).toEqual({ status: 'ok', model: 'unknown' });
  });

  test('that does not answer is unknown at first, and is not waited for', async () => {
    await using model = await openModelServer({ before: ['hang'], steps: [] });
    const options = { ...server.services.options, modelUrl: model.url, model: 'qwen' };
    const answer = await ask('/readyz', () => ({ options }));
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok', model: 'unknown' }]);
  });
});

describe('/readyz after a part was available', () => {
  /** A route whose storage does as it is told. */
  function openRoute() {
    const storage = { fails: false, checks: 0, running: 0, most: 0, delay: 0 };
    const check = async () => {
      storage.checks++;
      storage.most = Math.max(storage.most, ++storage.running);
      if (storage.delay > 0) await setTimeout(storage.delay);
      storage.running--;
      if (storage.fails) throw new Error('no room');
    };
    const services = { ...server.services, storage: { ...server.services.storage, check } };
    const api = emptyApi(services);
    addHealthRoutes(api, services);
    const probe = async () => {
      const answer = await api.request('/readyz');
      return [answer.status, ((await answer.json()) as { error?: string }).error] as const;
    };
    return { storage, probe };
  }

  const ready = [200, undefined];
  const away = [503, 'The storage is unavailable. The log of the server has the reason.'];

  test('is 503 only after several failed checks, and 200 after the first successful one', async () => {
    const { storage, probe } = openRoute();
    await expect.poll(probe).toEqual(ready);
    storage.fails = true;
    const before = storage.checks;
    expect(await probe()).toEqual(ready);
    await expect.poll(probe, { interval: 50 }).toEqual(away);
    expect(storage.checks - before).toBeGreaterThanOrEqual(3);
    storage.fails = false;
    expect(await probe()).toEqual(ready);
  });

  test.each([
    ['fails', { fails: true }, away],
    [
      'hangs',
      { delay: 60_000 },
      [503, 'The storage does not answer: it is unavailable or slow. The log of the server has the reason.'],
    ],
  ])('is 503 at the first probe after an idle half hour if the storage then %s', async (_, state, expected) => {
    const { storage, probe } = openRoute();
    await expect.poll(probe).toEqual(ready);
    const real = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => real() + 30 * 60_000);
    onTestFinished(() => clock.mockRestore());
    expect(await probe()).toEqual(ready);
    clock.mockImplementation(() => real() + 60 * 60_000);
    Object.assign(storage, state);
    expect(await probe()).toEqual(expected);
  });

  test('responds immediately, with one check for many probes, while the storage is slow', async () => {
    const { storage, probe } = openRoute();
    await expect.poll(probe).toEqual(ready);
    storage.delay = 4_000;
    const until = performance.now() + 6_000;
    let longest = 0;
    let probes = 0;
    while (performance.now() < until) {
      const asked = performance.now();
      const answers = await Promise.all(Array.from({ length: 10 }, probe));
      longest = Math.max(longest, performance.now() - asked);
      for (const answer of answers) expect(answer).toEqual(ready);
      probes += answers.length;
      await setTimeout(50);
    }
    expect(probes).toBeGreaterThan(100);
    expect(longest).toBeLessThan(storage.delay - 500);
    expect(storage.most).toBe(1);
    expect(storage.checks).toBeLessThan(5);
  });

  test('is 503 as soon as the server is stopping', async () => {
    const stopping = new AbortController();
    const services = { ...server.services, stopping: stopping.signal };
    const api = emptyApi(services);
    addHealthRoutes(api, services);
    await expect.poll(async () => (await api.request('/readyz')).status).toBe(200);
    stopping.abort();
    const answer = await api.request('/readyz');
    expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([
      503,
      'The server is stopping. Use another one.',
    ]);
  });
});

describe('/metrics', () => {
  test('has metrics of the process, of requests and jobs, and of the current queue', async () => {
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

  test('omits the queue when it cannot be counted', async () => {
    const answer = await ask('/metrics', ({ queue }) => ({
      queue: { ...queue, counts: () => Promise.reject(new Error('away')) },
    }));
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text).not.toContain('carrel_queue_jobs{');
    expect(text).toContain('carrel_jobs_total');
  });

  test.each<[status: number, host: string, allowHosts: string[]]>([
    [200, '127.0.0.1', []],
    [200, 'carrel.docs.svc', []],
    [200, 'carrel.example.com', ['carrel.example.com']],
    [200, 'carrel.example.com', ['*']],
    [403, 'carrel.example.com', []],
    [403, 'carrel.example.com', ['example.com']],
  ])('respond with %i for the host %s if %j are allowed', async (status, host, allowHosts) => {
    const answer = await ask(`http://${host}/metrics`, ({ options }) => ({ options: { ...options, allowHosts } }));
    expect([answer.status, (await answer.text()).includes('CARREL_ALLOW_HOSTS')]).toEqual([status, status === 403]);
  });

  const withToken = ({ options }: Services) => ({ options: { ...options, metricsToken: 't0ken' } });

  test.each<Record<string, string>>([
    {},
    { authorization: 'Bearer wrong' },
    { authorization: 'Basic t0ken' },
    { authorization: 't0ken' },
  ])('require the token if there is one: %j', async (headers) => {
    const answer = await ask('/metrics', withToken, headers);
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: 'MetricsTokenWrong' });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('are given to a request with the token', async () => {
    expect((await ask('/metrics', withToken, { authorization: 'Bearer t0ken' })).status).toBe(200);
  });
});
