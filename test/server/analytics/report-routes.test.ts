// Reports through the real routes, over a real database.
import { expect, test } from 'vitest';
import { refused } from '../assistant/assistant-server.ts';
import { domain, openAnalyticsServer } from './analytics-server.ts';

const server = await openAnalyticsServer({ analyticsPerHour: 60 });
const { services, clock, record, report, rows } = server;
const at = (time: string) => (clock.now = Date.parse(time));
const view = (path: string) => ({ type: 'view', path });
const search = (query: string, hits: number, clicked?: string) => ({ type: 'search', query, hits, clicked });
const ask = (query: string, answer: string, path = 'guides/install') => ({ type: 'question', query, answer, path });
const vote = (path: string, helpful: boolean, comment?: string) => ({ type: 'page_feedback', path, helpful, comment });

at('2030-03-01T23:30:00Z');
await record([view(''), view('guides/install'), view('guides/old')], { from: '192.0.2.1' });
await record([view('guides/install')], { from: '192.0.2.2' });
await record([view('')], { to: 'foreign.example.com' });
at('2030-03-02T10:00:00Z');
await record([view('guides/install')], { from: '192.0.2.1' });
await record([
  ...[search('install', 3, 'guides/install'), search('Install', 3, 'guides/configure'), search('INSTALL', 3, 'guides/install')],
  ...[search('helm', 0), search('=HYPERLINK("https://evil.example")', 0)],
  ...[ask('How do I begin?', 'model'), ask('how do I begin?', 'quotes', ''), ask('Is there a chart?', 'none', '')],
]);
await record([vote('guides/install', true), vote('guides/configure', false)], { from: '192.0.2.1' });
await record([vote('guides/configure', false, '+1 of "them", missing: Helm\nand more')], { from: '192.0.2.2' });
await record([vote('guides/configure', true, '@first')], { from: '192.0.2.3' });
// The same reader has changed their mind.
await record([vote('guides/configure', false)], { from: '192.0.2.3' });
at('2030-03-02T12:00:00Z');

const march = '?from=2030-03-01&to=2030-03-02';

test('views of each page on each UTC day, and of paths that the site does not have', async () => {
  const all = await rows('views', march);
  expect(all).toEqual([
    { date: '2030-03-02', path: 'guides/install', found: true, views: 1, visitors: 1 },
    { date: '2030-03-01', path: 'guides/install', found: true, views: 2, visitors: 2 },
    { date: '2030-03-01', path: '', found: true, views: 1, visitors: 1 },
    { date: '2030-03-01', path: 'guides/old', found: false, views: 1, visitors: 1 },
  ]);
  expect(await rows('views', `${march}&found=false`)).toEqual([all[3]]);
  expect(await rows('views', `${march}&found=true`)).toEqual(all.slice(0, 3));
});

test('visitors of each day, also of those without', async () => {
  expect(await rows('visitors', '?from=2030-02-28&to=2030-03-02')).toEqual([
    { date: '2030-03-02', visitors: 1, views: 1 },
    { date: '2030-03-01', visitors: 2, views: 4 },
    { date: '2030-02-28', visitors: 0, views: 0 },
  ]);
  // Thirty days with the present one.
  const usual = await rows('visitors');
  expect([usual.length, usual[0]!.date, usual.at(-1)!.date]).toEqual([30, '2030-03-02', '2030-02-01']);
});

test('searches, and those that find nothing', async () => {
  const lastSearchedAt = '2030-03-02T10:00:00.000Z';
  const nothing = { hits: 1, withoutResults: 1, ctr: 0, topClickedPage: null, lastSearchedAt };
  const all = await rows('searches', march);
  expect(all).toEqual([
    {
      ...{ query: expect.stringMatching(/^install$/i), hits: 3, withoutResults: 0, ctr: 1, topClickedPage: 'guides/install' },
      lastSearchedAt,
    },
    { query: '=HYPERLINK("https://evil.example")', ...nothing },
    { query: 'helm', ...nothing },
  ]);
  expect(await rows('searches', `${march}&withoutResults=true`)).toEqual(all.slice(1));
});

test('questions, and those without an answer', async () => {
  const lastAskedAt = '2030-03-02T10:00:00.000Z';
  const all = await rows('questions', march);
  expect(all).toEqual([
    { query: expect.stringMatching(/^how do I begin\?$/i), asked: 2, model: 1, quotes: 1, none: 0, topPage: '', lastAskedAt },
    { query: 'Is there a chart?', asked: 1, model: 0, quotes: 0, none: 1, topPage: '', lastAskedAt },
  ]);
  expect(await rows('questions', `${march}&withoutAnswer=true`)).toEqual([all[1]]);
});

test('feedback by page, one vote of a visitor a day, and the comments', async () => {
  const time = '2030-03-02T10:00:00.000Z';
  expect(await rows('feedback', march)).toEqual([
    { path: 'guides/configure', helpful: 0, notHelpful: 3, comments: 2, lastGivenAt: time },
    { path: 'guides/install', helpful: 1, notHelpful: 0, comments: 0, lastGivenAt: time },
  ]);
  const comments = await rows('feedback', `${march}&by=comment`);
  expect(comments).toHaveLength(2);
  expect(comments).toEqual(
    expect.arrayContaining([
      { path: 'guides/configure', helpful: false, comment: '+1 of "them", missing: Helm and more', givenAt: time },
      { path: 'guides/configure', helpful: false, comment: '@first', givenAt: time },
    ]),
  );
});

test('callers of the assistant: pages, programs, and records of older versions', async () => {
  for (const headers of [{ origin: 'https://docs.example.com' }, {}, {}] as Record<string, string>[])
    await (await server.ask({}, { headers })).text();
  const asker = { organization: 'default', domain, key: 'key_1', fp: 'x' };
  await services.threads.open(asker, { id: 'msg_0123456789abcdef', question: 'Old?' });
  await services.threads.open({ ...asker, organization: 'other' }, { id: 'msg_0123456789abcde0', question: 'Foreign?' });
  const period = { from: '2030-03-02T00:00:00.000Z', to: '2030-03-03T00:00:00.000Z' };
  const answer = await report(`${domain}/callers?from=2030-03-02&to=2030-03-02`);
  expect(await answer.json()).toEqual({ ...period, web: 1, api: 2, other: 1, total: 4 });
  const csv = await report(`${domain}/callers?from=2030-03-02&to=2030-03-02&format=csv`);
  expect(await csv.text()).toBe('web,api,other,total\r\n1,2,1,4\r\n');
});

test('CSV that no spreadsheet takes for formulas', async () => {
  const searches = await report(`${domain}/searches${march}&withoutResults=true&format=csv`);
  expect(searches.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(searches.headers.get('content-disposition')).toBe('attachment; filename="docs.example.com-searches.csv"');
  expect(await searches.text()).toBe(
    [
      'query,hits,withoutResults,ctr,topClickedPage,lastSearchedAt',
      `"'=HYPERLINK(""https://evil.example"")",1,1,0,,2030-03-02T10:00:00.000Z`,
      'helm,1,1,0,,2030-03-02T10:00:00.000Z',
      '',
    ].join('\r\n'),
  );
  const comments = await (await report(`${domain}/feedback${march}&by=comment&format=csv`)).text();
  expect(comments).toContain(`,"'+1 of ""them"", missing: Helm and more",`);
  expect(comments).toContain(`,"'@first",`);
  expect(await (await report(`${domain}/views?from=2020-01-01&to=2020-01-01&format=csv`)).text()).toBe(
    'date,path,found,views,visitors\r\n',
  );
});

test('long lists come in parts', async () => {
  const all = await rows('views', march);
  const parts: unknown[] = [];
  let cursor: string | undefined = '';
  for (let turn = 0; cursor !== undefined; turn++) {
    const answer = await report(`${domain}/views${march}&limit=3${cursor && `&cursor=${cursor}`}`);
    const body = (await answer.json()) as { views: unknown[]; cursor?: string };
    parts.push(...body.views);
    cursor = body.cursor;
    expect(turn).toBeLessThan(2);
  }
  expect(parts).toEqual(all);
  const csv = await report(`${domain}/views${march}&limit=3&format=csv`);
  const rest = await report(`${domain}/views${march}&limit=3&format=csv&cursor=${csv.headers.get('x-next-cursor')}`);
  expect((await csv.text()).split('\r\n')).toHaveLength(5);
  expect((await rest.text()).split('\r\n')).toHaveLength(3);
  expect(rest.headers.get('x-next-cursor')).toBeNull();
});

test.each<[string, number]>([
  // Half an hour before midnight in UTC.
  ['from=2030-03-01T23:30:00Z&to=2030-03-01T23:30:01Z', 3],
  ['from=2030-03-02T00:30:00%2B01:00&to=2030-03-02T00:30:01%2B01:00', 3],
  ['from=2030-03-02T00:30:00+01:00&to=2030-03-02T00:30:01+01:00', 3],
  ['from=2030-03-01T19:30:00-04:00&to=2030-03-01T19:30:01-04:00', 3],
  ['from=2030-03-02T00:00:00Z', 1],
  ['from=2030-03-02T00:00:00%2B14:00', 4],
  ['to=2030-03-01', 3],
])('times with and without an offset: %s', async (query, found) => {
  expect(await rows('views', `?${query}`)).toHaveLength(found);
});

test.each<[string, string, string]>([
  ['a beginning after the end', 'from=2030-03-03&to=2030-03-02', 'must be before'],
  ['a beginning at the end', 'from=2030-03-02T00:00:00Z&to=2030-03-02T00:00:00Z', 'must be before'],
  ['a beginning in the future', 'from=2031-01-01', 'must be before'],
  ['a day that does not exist', 'from=2030-02-30', 'must be a day such as'],
  ['words', 'from=yesterday', 'must be a day such as'],
  ['a time without an offset', 'from=2030-03-01T00:00:00', 'must be a day such as'],
  ['another format', 'format=xml', 'must be json or csv'],
  ['no rows', 'limit=0', 'at least 1'],
  ['too many rows', 'limit=10001', 'at most 10000'],
  ['another filter', 'found=maybe', '"true" or "false"'],
])('%s: 400', async (_, query, reason) => {
  const answer = await report(`${domain}/views?${query}`);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ code: 'RequestInvalid', error: expect.stringContaining(reason) });
});

test('a cursor that no answer had', async () => {
  expect(await refused(report(`${domain}/views?cursor=nonsense`))).toEqual([400, 'CursorInvalid']);
});

test('only with an admin key of the organization', async () => {
  const other = await server.keyOf('other', ['read']);
  const reader = await server.keyOf('default', ['read']);
  for (const name of ['views', 'visitors', 'searches', 'questions', 'feedback', 'callers']) {
    expect(await refused(report(`${domain}/${name}`, other))).toEqual([404, 'SiteUnknown']);
    expect(await refused(report(`foreign.example.com/${name}`, reader))).toEqual([404, 'SiteUnknown']);
    expect(await refused(report(`${domain}/${name}`, server.key))).toEqual([403, 'KeyNotAdmin']);
  }
  expect((await report('foreign.example.com/views', other)).status).toBe(200);
  expect((await report(`${domain}/views`, reader)).status).toBe(200);
});

test('reports are limited per organization and hour', async () => {
  clock.now += 3_600_000;
  for (let turn = 0; turn < 60; turn++) expect((await report(`${domain}/callers`)).status).toBe(200);
  const refusal = await report(`${domain}/views`);
  expect(refusal.status).toBe(429);
  expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await report('foreign.example.com/views', await server.keyOf('other'))).status).toBe(200);
});
