// Who accepts the token of a page, over all routes of the API.
import { afterEach, describe, expect, test } from 'vitest';
import { messagePath, openAssistantServer, question, refused } from './assistant-server.ts';

const server = await openAssistantServer({ questionsPerMinute: 3, metricsToken: 'a token of metrics' });
const { assistant, clock, key, post, request, services } = server;
const domain = 'docs.example.com';
const origin = 'http://sites.example.com';
const source = { type: 'git', url: 'https://git.example.com/docs.git' };

const configure = async (settings: object = {}) => {
  expect((await request('PUT', `/v1/sites/${domain}`, { source, features: {}, ...settings })).status).toBe(200);
  clock.now += 60_000;
};
afterEach(() => configure());

async function tokenOf(name = domain): Promise<string> {
  return services.pageTokens.create((await services.sites.get(name))!);
}

interface Sent {
  token?: string;
  path?: string;
  body?: object;
  headers?: Record<string, string>;
  from?: string;
}

const ask = async ({ token, path = messagePath, body, headers, from }: Sent = {}) =>
  post(
    path,
    { fp: 'reader-1', messages: [question], ...body },
    { key: token ?? (await tokenOf()), headers: headers ?? { origin }, from },
  );

test('a page asks, rates and searches with its token, and reads the answers', async () => {
  const answer = await ask();
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
  const threadId = answer.headers.get('x-thread-id')!;
  const threadKey = answer.headers.get('x-thread-key')!;
  const [, messageId] = /"messageId":"(msg_\w+)"/.exec(await answer.text())!;
  const send = async (path: string, body?: object, method = 'POST', headers = {}) =>
    (await post(path, body, { key: await tokenOf(), method, headers: { origin, ...headers } })).status;
  expect(await send(`/discovery/v2/assistant/${domain}/feedback`, { threadId, threadKey, messageId, rating: 'up' })).toBe(204);
  expect(await send(`/discovery/v1/search/${domain}`, { query: 'install' })).toBe(200);
  expect(await send(`/discovery/v1/page/${domain}`, { path: 'guides/install' })).toBe(200);
  // Another token of the site continues the conversation of the same reader.
  clock.now += 600_000;
  expect((await ask({ body: { threadId } })).status).toBe(200);
  expect(
    await send(`/discovery/v2/assistant/${domain}/thread/${threadId}`, undefined, 'DELETE', { 'x-thread-key': threadKey }),
  ).toBe(204);
});

test('a page for an audience asks about what its readers see, and reads no conversation of others', async () => {
  const password = 'for everybody';
  const audiences = [{ groups: ['partner'], password: 'for partners' }];
  await configure({ visibility: 'password', password, audiences });
  const site = (await services.sites.get(domain))!;
  const [everybody, partner] = [services.pageTokens.create(site), services.pageTokens.create(site, { groups: ['partner'] })];
  const answer = await ask({ token: everybody });
  const threadId = answer.headers.get('x-thread-id')!;
  await answer.text();
  expect(await refused(ask({ token: partner, body: { threadId } }))).toEqual([404, 'ThreadUnknown']);
  expect((await ask({ token: everybody, body: { threadId } })).status).toBe(200);
  await (await ask({ token: partner })).text();
  expect(assistant.keys.slice(-2)).toEqual([domain, `${domain}\0partner`]);
  await configure({ visibility: 'public' });
  expect(await refused(ask({ token: partner }))).toEqual([401, 'PageTokenInvalid']);
});

describe('a question is refused', () => {
  test.each<[string, () => Promise<Sent>, [number, string]]>([
    ['with the token of another site', async () => ({ token: await tokenOf('foreign.example.com') }), [401, 'PageTokenInvalid']],
    [
      'with a token for a site of the same organization',
      async () => ({ path: messagePath.replace(domain, 'empty.example.com') }),
      [401, 'PageTokenInvalid'],
    ],
    [
      'for a site that does not exist',
      async () => ({ path: messagePath.replace(domain, 'none.test') }),
      [401, 'PageTokenInvalid'],
    ],
    ['from another origin', async () => ({ headers: { origin: 'https://evil.test' } }), [403, 'OriginNotAllowed']],
    ['from a sandboxed page', async () => ({ headers: { origin: 'null' } }), [403, 'OriginNotAllowed']],
    ['from another port of the host', async () => ({ headers: { origin: `${origin}:8080` } }), [403, 'OriginNotAllowed']],
    ['from a program without an origin', async () => ({ headers: {} }), [403, 'OriginNotAllowed']],
    ['with a forged token', async () => ({ token: `page_9999999999.${'A'.repeat(43)}` }), [401, 'PageTokenInvalid']],
    ['with a truncated token', async () => ({ token: (await tokenOf()).slice(0, -1) }), [401, 'PageTokenInvalid']],
    ['with an unsigned JSON web token', async () => ({ token: 'eyJhbGciOiJub25lIn0.e30.' }), [401, 'KeyUnknown']],
  ])('%s', async (_name, sent, expected) => {
    const questions = assistant.questions.length;
    const given = await sent();
    const response = await ask(given);
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
    expect(await refused(response)).toEqual(expected);
    expect(assistant.questions).toHaveLength(questions);
  });

  test('when the token has expired, or its site was removed', async () => {
    const token = await tokenOf();
    expect((await ask({ token })).status).toBe(200);
    clock.now += 3_600_000;
    expect(await refused(ask({ token }))).toEqual([401, 'PageTokenExpired']);
    const removed = await tokenOf('empty.example.com');
    expect((await request('DELETE', '/v1/sites/empty.example.com')).status).toBe(204);
    expect(await refused(ask({ token: removed, path: messagePath.replace(domain, 'empty.example.com') }))).toEqual([
      401,
      'PageTokenInvalid',
    ]);
  });

  test('with a token anywhere but in the header', async () => {
    const token = await tokenOf();
    const body = { fp: 'reader-1', messages: [question] };
    for (const query of ['token', 'key', 'access_token', 'authorization'])
      expect(await refused(post(`${messagePath}?${query}=${token}`, body, { key: null, headers: { origin } }))).toEqual([
        401,
        'KeyMissing',
      ]);
    const cookie = `token=${token}; carrel-session=${token}`;
    expect(await refused(post(messagePath, body, { key: null, headers: { origin, cookie } }))).toEqual([401, 'KeyMissing']);
    const basic = { origin, authorization: `Basic ${Buffer.from(`:${token}`).toString('base64')}` };
    expect(await refused(post(messagePath, body, { key: null, headers: basic }))).toEqual([401, 'KeyMissing']);
  });
});

test('a site at its own URL is asked from there', async () => {
  await configure({ siteUrl: 'https://help.example.com/guide/' });
  for (const own of ['https://help.example.com', origin, `https://${domain}`])
    expect((await ask({ headers: { origin: own } })).status, own).toBe(200);
});

test('a page from before the assistant was turned off is refused, and programs are not', async () => {
  const token = await tokenOf();
  await configure({ features: { assistant: { mode: 'off' } } });
  expect(await refused(ask({ token }))).toEqual([403, 'AssistantOff']);
  expect((await ask({ token: key, headers: {} })).status).toBe(200);
});

test('readers have their own limits, whatever tokens they use', async () => {
  const reader = { body: { fp: 'hasty' } };
  for (let asked = 0; asked < 3; asked++) {
    expect((await ask(reader)).status).toBe(200);
    clock.now += 1;
  }
  expect(await refused(ask(reader))).toEqual([429, 'TooManyRequests']);
  expect((await ask({ body: { fp: 'patient' } })).status).toBe(200);
});

interface Operation {
  security?: Record<string, string[]>[];
}
const description = (await (await request('GET', '/openapi.json', undefined, null)).json()) as {
  paths: Record<string, Record<string, Operation>>;
};
const routes = Object.entries(description.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, { security = [] }]) => ({
    ...{ method: method.toUpperCase(), path: path.replaceAll('{domain}', domain).replaceAll(/\{\w+\}/g, 'manual') },
    schemes: security.flatMap((scheme) => Object.keys(scheme)),
  })),
);

test('the description names the routes that accept tokens', () => {
  expect(routes.filter(({ schemes }) => schemes.includes('pageToken')).map(({ method, path }) => `${method} ${path}`)).toEqual([
    `POST /discovery/v2/assistant/${domain}/message`,
    `GET /discovery/v2/assistant/${domain}/message/manual/stream`,
    `POST /discovery/v1/assistant/${domain}/message`,
    `POST /discovery/v2/assistant/${domain}/feedback`,
    `DELETE /discovery/v2/assistant/${domain}/thread/manual`,
    `POST /discovery/v1/search/${domain}`,
    `POST /discovery/v1/page/${domain}`,
    `POST /v1/playground/${domain}`,
  ]);
});

const closed = routes.filter(({ schemes }) => schemes.length > 0 && !schemes.includes('pageToken'));
const sessions = closed.filter(({ schemes }) => schemes.every((scheme) => scheme === 'session'));

test('covers all parts of the API', () => {
  expect(closed.length).toBeGreaterThan(40);
  expect(sessions.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /v1/session', 'DELETE /v1/session']);
});

test.each(closed.filter((route) => !sessions.includes(route)))(
  '$method $path does not accept a token',
  async ({ method, path }) => {
    const body = ['POST', 'PUT', 'PATCH'].includes(method) ? {} : undefined;
    const response = await request(method, path, body, await tokenOf(), { origin });
    const { code, error } = (await response.json()) as { code: string; error: string };
    expect([response.status, typeof error]).toEqual([401, 'string']);
    expect(['KeyUnknown', 'KeyMissing', 'SessionLinkInvalid', 'PushRefused', 'MetricsTokenWrong']).toContain(code);
  },
);

test.each(sessions)('$method $path knows no session by a token', async ({ method, path }) => {
  const response = await request(method, path, undefined, await tokenOf(), { origin });
  expect([204, 401]).toContain(response.status);
  expect(await response.text()).not.toContain('organization');
});

test('AI tools need a key', async () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const headers = { origin, accept: 'application/json, text/event-stream' };
  expect(await refused(request('POST', `/mcp/${domain}`, call, await tokenOf(), headers))).toEqual([401, 'KeyUnknown']);
});
