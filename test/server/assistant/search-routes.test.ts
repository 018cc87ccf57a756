import { beforeEach, describe, expect, test } from 'vitest';
import { openAssistantServer, refused } from './assistant-server.ts';

const { post, clock, key, adminKey } = await openAssistantServer({ searchesPerHour: 30 });
const searchPath = '/discovery/v1/search/docs.example.com';
const pagePath = '/discovery/v1/page/docs.example.com';
const empty = (path: string) => path.replace('docs', 'empty');

beforeEach(() => {
  clock.now += 3_600_000;
});

describe('search', () => {
  const search = async (body: object) =>
    (await (await post(searchPath, { query: 'install', ...body })).json()) as { path: string }[];

  test('returns sections, best first', async () => {
    expect(await search({})).toEqual([
      {
        content: 'install',
        path: 'guides/install',
        metadata: { title: 'Install', sections: ['Install', 'With npm'], anchor: 'npm', language: 'en', version: 'v2', score: 1 },
      },
      {
        content: 'install',
        path: 'guides/install',
        metadata: { title: 'Install', sections: ['Install'], anchor: '', language: 'en', score: 0.4 },
      },
    ]);
    expect(await search({ pageSize: 1 })).toHaveLength(1);
    expect(await search({ scoreThreshold: 0.5 })).toHaveLength(1);
    const filter = { version: 'v2', language: null, tag: 'x', groups: ['a'] };
    const tagged = await search({ filter, scoreThreshold: null, unknown: 1 });
    expect(tagged).toEqual([
      expect.objectContaining({ metadata: expect.objectContaining({ tag: 'x' }) }),
      expect.objectContaining({ metadata: expect.objectContaining({ tag: 'x' }) }),
    ]);
  });

  test.each<[string, object]>([
    ['no query', { query: undefined }],
    ['an empty query', { query: ' \n' }],
    ['a query that is no text', { query: 7 }],
    ['a long query', { query: 'x'.repeat(1001) }],
    ['no results', { pageSize: 0 }],
    ['too many results', { pageSize: 51 }],
    ['half a result', { pageSize: 1.5 }],
    ['a score above 1', { scoreThreshold: 1.1 }],
    ['a score below 0', { scoreThreshold: -0.1 }],
    ['a filter that is none', { filter: [] }],
    ['groups that are no list', { filter: { groups: 'x' } }],
  ])('refuses %s', async (_, body) => {
    expect(await refused(post(searchPath, { query: 'x', ...body }))).toEqual([400, 'RequestInvalid']);
  });

  test('is for assistant keys of the site', async () => {
    expect(await refused(post(searchPath, { query: 'x' }, { key: null }))).toEqual([401, 'KeyMissing']);
    expect(await refused(post(searchPath, { query: 'x' }, { key: adminKey }))).toEqual([403, 'KeyNotAssistant']);
    expect(await refused(post(searchPath.replace('docs', 'foreign'), { query: 'x' }))).toEqual([404, 'SiteUnknown']);
    expect(await refused(post(empty(searchPath), { query: 'x' }))).toEqual([404, 'SiteWithoutExport']);
  });
});

describe('page', () => {
  test('returns the Markdown of a page for every form of its path', async () => {
    for (const path of ['guides/install', '/guides/install/', '/guides/install#npm', 'guides/install?x'])
      expect(await (await post(pagePath, { path, groups: ['a'] })).json()).toEqual({
        path: 'guides/install',
        content: '# Install\n',
      });
  });

  test('has the error text in `message`, too', async () => {
    for (const [response, status] of [
      [await post(pagePath, { path: '../../etc/passwd' }), 404],
      [await post(pagePath, {}), 400],
      [await post(pagePath, { path: 'x'.repeat(2001) }), 400],
      [await post(pagePath, '{'), 400],
      [await post(pagePath, { path: 'x' }, { key: null }), 401],
      [await post(empty(pagePath), { path: 'x' }), 404],
    ] as const) {
      expect(response.status).toBe(status);
      const body = (await response.json()) as Record<string, string>;
      // A refused body also names its fields.
      expect(
        Object.keys(body)
          .filter((key) => key !== 'fields')
          .sort(),
      ).toEqual(['code', 'error', 'message', 'requestId']);
      expect(body.message).toBe(body.error);
    }
  });
});

test('searches and pages have separate counts for the organization', async () => {
  for (let times = 0; times < 30; times++) await post(searchPath, { query: 'x' });
  const refusal = await post(searchPath, { query: 'x' }, { key });
  expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused(refusal)).toEqual([429, 'TooManyRequests']);
  expect((await post(pagePath, { path: 'guides/install' })).headers.get('ratelimit')).toMatch(/^"organization";r=29;t=\d+$/);
});
