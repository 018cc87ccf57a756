// Events of readers through the real routes, over a real database.
import { beforeEach, expect, test } from 'vitest';
import { createLog } from '../../../server/platform/log.ts';
import { createApi } from '../../../server/routes.ts';
import { refused } from '../assistant/assistant-server.ts';
import { openAnalyticsServer } from './analytics-server.ts';

const server = await openAnalyticsServer({ eventsPerMinute: 40, eventsPerHour: 100 });
const { services, clock, record, rows, setMode } = server;
const view = (path = 'guides/install', more: object = {}) => ({ type: 'view', path, ...more });
const everything = async () =>
  JSON.stringify([
    await services.database.query('select * from carrel.events'),
    await services.database.query('select * from carrel.page_feedback'),
    await services.database.query('select * from carrel.visitor_salts'),
    await services.database.query('select * from carrel.counts'),
  ]);

beforeEach(async () => {
  await services.events.flush();
  await services.database.query('truncate carrel.events, carrel.page_feedback');
  await setMode('own');
  // Another hour, in which nothing was counted.
  clock.now =
    Date.parse('2030-01-01T00:30:00Z') + Math.ceil((clock.now - Date.parse('2030-01-01T00:00:00Z')) / 3_600_000) * 3_600_000;
});

test('a beacon with all kinds of events is recorded', async () => {
  const response = await record([
    view('/guides/install/?utm=1#npm', { referrer: 'https://search.example/path?q=private' }),
    { type: 'search', query: '  Install\tnpm ', hits: 3, clicked: 'guides/install' },
    { type: 'question', query: 'How do I install it?', answer: 'quotes', path: 'guides/install' },
    { type: 'page_feedback', path: 'guides/install', helpful: true, comment: 'Short and clear.' },
  ]);
  expect(response.status).toBe(202);
  expect(await response.json()).toEqual({ accepted: 4 });
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.headers.get('ratelimit')).toContain('"address";r=36');
  expect(response.headers.get('set-cookie')).toBeNull();
  await services.events.flush();
  const stored = await services.database.query(
    'select type, path, found, referrer, query, results, answer from carrel.events order by type',
  );
  const none = { path: 'guides/install', found: null, referrer: null, query: null, results: null, answer: null };
  expect(stored).toEqual([
    { ...none, type: 'question', query: 'How do I install it?', answer: 'quotes' },
    { ...none, type: 'search', query: 'Install npm', results: 3 },
    { ...none, type: 'view', found: true, referrer: 'https://search.example' },
  ]);
  expect(await rows('feedback')).toMatchObject([{ path: 'guides/install', helpful: 1, notHelpful: 0, comments: 1 }]);
});

test.each([
  ['application/json', 202],
  ['text/plain', 202],
  ['text/plain;charset=UTF-8', 202],
  ['application/octet-stream', 415],
  ['text/plainer', 415],
])('a body of the type %s: %i', async (type, status) => {
  expect((await record([view()], { headers: { 'content-type': type } })).status).toBe(status);
});

test('only routes for events read a text as JSON', async () => {
  const asked = await server.post('/discovery/v1/search/docs.example.com', '{"query":"x"}', {
    headers: { 'content-type': 'text/plain' },
  });
  expect(asked.status).toBe(415);
});

test.each<[string, unknown]>([
  ['no events', []],
  ['21 events', Array.from({ length: 21 }, () => view())],
  ['an unknown type', [{ type: 'keystroke', path: '' }]],
  ['no type', [{ path: '' }]],
  ['a view without a path', [{ type: 'view' }]],
  ['a path that is a number', [{ type: 'view', path: 1 }]],
  ['an empty query', [{ type: 'search', query: '', hits: 0 }]],
  ['fewer results than none', [{ type: 'search', query: 'x', hits: -1 }]],
  ['results without end', [{ type: 'search', query: 'x', hits: 1e300 }]],
  ['an answer of another kind', [{ type: 'question', query: 'x', answer: 'oracle' }]],
  ['a vote that is neither', [{ type: 'page_feedback', path: '', helpful: 'yes' }]],
  ['a comment of 1001 characters', [{ type: 'page_feedback', path: '', helpful: true, comment: 'x'.repeat(1001) }]],
  ['no list', 'view'],
])('%s: 400, and nothing is stored', async (_, events) => {
  expect(await refused(record(events))).toEqual([400, 'RequestInvalid']);
  expect(await rows('views')).toEqual([]);
});

test('a body that is not JSON, and bodies of 100 KB and 1 MB', async () => {
  const path = '/discovery/v1/events/docs.example.com';
  const headers = { 'content-type': 'text/plain', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };
  expect(await refused(server.post(path, 'view', { key: null, headers }))).toEqual([400, 'BodyInvalid']);
  expect(await refused(record([{ type: 'search', query: 'x'.repeat(100_000), hits: 0 }]))).toEqual([413, 'BodyTooLarge']);
  expect(await refused(record([view('x'.repeat(1_000_000))]))).toEqual([413, 'BodyTooLarge']);
});

test.each<[string, string, string]>([
  ['control characters, and those that turn text around', 'in\0stall\u001b[31m\u202enow\u2028!', 'in stall [31m now !'],
  ['HTML stays text', '<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ['half a character', 'ok \ud83d', 'ok'],
  ['a long query is cut', 'a '.repeat(5000), `${'a '.repeat(100)}`.trim().padEnd(200)],
  ['a key', 'why is svc_dsc_abcdefghijklmnop refused', 'why is svc_[hidden] refused'],
  ['a token', 'Bearer eyJhbGciOi.x.y', 'Bearer [hidden]'],
  ['what looks like a key', 'AKIA1234567890abcdefghijklmnopqrst fails', '[hidden] fails'],
  ['an email address', 'mail ada@example.com', 'mail [hidden]'],
])('%s', async (_, query, stored) => {
  expect((await record([{ type: 'search', query, hits: 0 }])).status).toBe(202);
  expect((await rows('searches'))[0]!.query).toBe(stored);
});

test('a query of nothing but spaces is dropped', async () => {
  expect(await (await record([{ type: 'search', query: ' \n', hits: 0 }, view()])).json()).toEqual({ accepted: 1 });
});

test('pages that the site does not have: a view is not found, the rest is dropped', async () => {
  const answer = await record([
    view('guides/old'),
    { type: 'search', query: 'old', hits: 1, clicked: 'guides/old' },
    { type: 'question', query: 'Old?', answer: 'none', path: 'guides/old' },
    { type: 'page_feedback', path: 'guides/old', helpful: false },
  ]);
  expect(await answer.json()).toEqual({ accepted: 3 });
  expect(await rows('views')).toMatchObject([{ path: 'guides/old', found: false, views: 1 }]);
  expect(await rows('searches')).toMatchObject([{ ctr: 0, topClickedPage: null }]);
  expect(await rows('questions')).toMatchObject([{ topPage: null }]);
  expect(await rows('feedback')).toEqual([]);
});

test('a site that records nothing, one without an export, and made-up domains', async () => {
  for (const mode of [undefined, 'off', 'providers'] as const) {
    await setMode(mode);
    expect(await refused(record([view()]))).toEqual([403, 'AnalyticsOff']);
  }
  await setMode('both');
  expect((await record([view()])).status).toBe(202);
  expect(await refused(record([view()], { to: 'nowhere.example.com' }))).toEqual([404, 'SiteUnknown']);
  expect(await refused(record([view()], { to: "docs.example.com'%20or%20true--" }))).toEqual([404, 'SiteUnknown']);
  // A private site: what is answered must not depend on it.
  const { organization, ...open } = (await services.sites.get('docs.example.com'))!;
  await services.sites.put({ organization, ...open, settings: { ...open.settings, password: 'a hash' } });
  const unknown = (await (await record([view()], { to: 'nowhere.example.com' })).text()).replaceAll('nowhere', 'docs');
  expect((await (await record([view()])).text()).replace(/"requestId":"[^"]*"/, '')).toBe(
    unknown.replace(/"requestId":"[^"]*"/, ''),
  );
  expect(unknown).toContain('SiteUnknown');
  await services.sites.put({ organization, ...open });
  await setMode('own', 'empty.example.com');
  expect(await refused(record([view()], { to: 'empty.example.com' }))).toEqual([404, 'SiteWithoutExport']);
});

test.each<[string, Record<string, string>]>([
  ['a crawler', { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }],
  ['a program', { 'user-agent': 'curl/8.5.0' }],
  ['no browser', { 'user-agent': '' }],
  ['Do Not Track', { dnt: '1' }],
  ['Global Privacy Control', { 'sec-gpc': '1' }],
])('nothing is recorded of %s', async (_, headers) => {
  const answer = await record([view()], { headers });
  expect([answer.status, await answer.json()]).toEqual([202, { accepted: 0 }]);
  expect(await rows('views')).toEqual([]);
});

test('a flood ends at the limits of an address and of a site, which count events', async () => {
  const batch = Array.from({ length: 20 }, () => view());
  const send = async (from: string) => (await record(batch, { from })).status;
  expect([await send('192.0.2.7'), await send('192.0.2.7'), await send('192.0.2.7')]).toEqual([202, 202, 429]);
  // The same subscriber.
  expect([await send('2001:db8::1'), await send('2001:db8::2'), await send('2001:db8::3')]).toEqual([202, 202, 429]);
  expect([await send('192.0.2.8'), await send('192.0.2.9')]).toEqual([202, 429]);
  const refusal = await record([view()], { from: '192.0.2.10' });
  expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(60);
  expect(await refusal.json()).toMatchObject({ code: 'TooManyRequests', error: expect.stringContaining('for this site') });
  // Other sites and routes go on.
  expect((await record([view()], { to: 'foreign.example.com', from: '192.0.2.10' })).status).toBe(202);
  expect((await server.request('GET', '/v1/sites')).status).toBe(200);
  expect((await rows('views'))[0]).toMatchObject({ views: 100 });
});

test('no IP address is stored or logged, nor anything to tell visitors by after their day', async () => {
  const lines: string[] = [];
  const log = createLog('debug', { write: (line: string) => void lines.push(line) } as never);
  const api = createApi({ ...services, log });
  const send = () =>
    api.request(
      '/discovery/v1/events/docs.example.com',
      { method: 'POST', headers: { 'user-agent': 'Mozilla/5.0 Firefox/140.0' }, body: JSON.stringify({ events: [view()] }) },
      { incoming: { socket: { remoteAddress: '192.0.2.77' } } },
    );
  expect((await send()).status).toBe(202);
  await services.events.flush();
  expect(lines.join('')).toContain('/discovery/v1/events/docs.example.com');
  expect(lines.join('')).not.toContain('192.0.2.77');
  expect(await everything()).not.toContain('192.0.2.77');
  expect(await everything()).not.toContain('Firefox');

  const salts = () => services.database.query<{ salt: string }>('select salt from carrel.visitor_salts');
  const [first] = await salts();
  clock.now += 86_400_000;
  expect((await send()).status).toBe(202);
  expect(await rows('visitors')).toEqual(expect.arrayContaining([expect.objectContaining({ visitors: 1, views: 1 })]));
  const later = await salts();
  expect(later).toHaveLength(1);
  expect(later[0]).not.toEqual(first);
  const visitors = await services.database.query('select distinct visitor from carrel.events');
  expect(visitors).toHaveLength(2);
});

test('a removed site takes its events along, and others are still stored', async () => {
  const source = { type: 'git', url: 'https://git.example.com/docs.git' };
  await server.request('PUT', '/v1/sites/gone.example.com', { source });
  const add = (domain: string) =>
    services.events.add({ domain, address: '192.0.2.1', userAgent: 'x', events: [view() as never], isPage: () => true });
  const count = () =>
    services.database.query('select domain, count(*)::integer as views from carrel.events group by 1 order by 1');
  await add('gone.example.com');
  await services.events.flush();
  expect(await count()).toEqual([{ domain: 'gone.example.com', views: 1 }]);
  await add('gone.example.com');
  await add('docs.example.com');
  await server.request('DELETE', '/v1/sites/gone.example.com');
  await services.events.flush();
  expect(await count()).toEqual([{ domain: 'docs.example.com', views: 1 }]);
});
