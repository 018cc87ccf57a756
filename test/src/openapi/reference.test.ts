import { describe, expect, test } from 'vitest';
import { readReference } from '../../../src/openapi/reference.ts';
import { buildSite, type SiteOptions } from '../../../src/site/build-site.ts';
import { readSource } from '../../../src/source/read-source.ts';
import { outline } from '../site/site-of.ts';
import { docsFolder } from '../source/docs-folder.ts';

const specification = {
  openapi: '3.1.0',
  paths: {
    '/users': {
      get: { summary: 'List all users', tags: ['User accounts'] },
      post: { summary: 'Create a user', tags: ['User accounts'] },
    },
    '/users/{id}': {
      get: { tags: ['User accounts'], summary: 'Get userId', 'x-mint': { href: '/reference/one-user' } },
      delete: { summary: 'Delete', 'x-excluded': true },
      patch: { summary: 'Patch a user', 'x-hidden': true },
    },
    '/status': { get: {} },
  },
  webhooks: { created: { post: { summary: 'User created', tags: ['Events'] } } },
};
const yaml = 'openapi: 3.0.3\npaths:\n  /search:\n    get:\n      summary: Search\n      tags: [Search]\n';
const pages = { 'index.mdx': '# Home', 'guide.mdx': '# Guide' };
type Files = Parameters<typeof docsFolder>[0];

async function site(navigation: unknown, more: Record<string, unknown> = {}, files: Files = {}, options?: SiteOptions) {
  const docs = { name: 'Docs', theme: 'mint', colors: { primary: '#000000' }, navigation };
  const folder = docsFolder({
    'docs.json': { ...docs, ...more },
    'api/users.json': specification,
    'api/search.yaml': yaml,
    ...pages,
    ...files,
  });
  return buildSite(readReference(await readSource(folder)).source, options);
}

/** The paths of a site's pages of operations. */
const operationPaths = (docs: Awaited<ReturnType<typeof site>>) =>
  docs.pages.filter(({ source }) => source.operation).map(({ path, source }) => `${source.operation!.name} ${path}`);

describe('the operations of an API specification', () => {
  test('are pages in groups of their tags, those that the navigation names and all where it names the specification alone', async () => {
    const docs = await site({
      tabs: [
        { tab: 'Docs', pages: ['index'] },
        {
          tab: 'API',
          openapi: 'api/users.json',
          groups: [
            { group: 'Guides', pages: ['guide', 'GET /users'] },
            { group: 'All users' },
            { group: 'Search', openapi: { source: '/api/search.yaml', directory: '/find' } },
          ],
        },
      ],
    });
    expect(outline(docs, 'API')).toEqual([
      '- Guides',
      '  Guide /guide',
      '  List all users /api-reference/user-accounts/list-all-users',
      '- All users',
      '  GET /status /api-reference/get-status',
      '  + User accounts',
      '    List all users /api-reference/user-accounts/list-all-users',
      '    Create a user /api-reference/user-accounts/create-a-user',
      '    Get userId /reference/one-user',
      '  + Events',
      '    User created /api-reference/events/user-created',
      '- Search',
      '  + Search',
      '    Search /find/search/search',
    ]);
    expect(docs.navigation).toEqual({ listed: 8, exported: 8, missing: [] });
    expect(docs.problems).toEqual([]);
  });

  test.each([
    ['a specification that the entry names', 'api/search.yaml get /search', undefined, 'GET /search api-reference/search/search'],
    ['any specification of the folder', 'GET /search', undefined, 'GET /search api-reference/search/search'],
    [
      'the specification that the site names',
      'GET /users',
      '/api/users.json',
      'GET /users api-reference/user-accounts/list-all-users',
    ],
    ['a hidden operation', 'PATCH /users/{id}', undefined, 'PATCH /users/{id} api-reference/patch-a-user'],
    ['a webhook', 'webhook created', undefined, 'webhook created api-reference/events/user-created'],
  ])('an entry can name %s', async (_, entry, openapi, expected) => {
    const docs = await site({ pages: ['index', entry] }, openapi ? { api: { openapi } } : {});
    expect(operationPaths(docs)).toEqual([expected]);
    expect(docs.navigation).toEqual({ listed: 2, exported: 2, missing: [] });
  });

  test.each([
    ['path from the page', '../api/users.json GET /users'],
    ['path from the folder of the docs', '/api/users.json GET /users'],
    ['file name without extension', 'users get /users'],
    ['operation alone', 'GET /users'],
  ])('a page names its operation by the %s', async (_, openapi) => {
    const docs = await site(
      { pages: ['index', 'ref/users'] },
      {},
      { 'ref/users.mdx': `---\nopenapi: ${openapi}\n---\nOwn text.` },
    );
    expect(operationPaths(docs)).toEqual(['GET /users ref/users']);
    expect(docs.pages.find(({ path }) => path === 'ref/users')?.title).toBe('List all users');
    expect(docs.problems).toEqual([]);
  });

  test('two operations with the same path get a number; the same one listed twice is one page', async () => {
    const same = (summary: string) => ({ summary, tags: ['Things'] });
    const twins = {
      openapi: '3.0.0',
      paths: { '/a': { get: same('Get it') }, '/b': { get: same('Get it') }, '/c': { get: same('Get it') } },
    };
    const docs = await site(
      {
        groups: [
          { group: 'Home', pages: ['index', 'GET /b'] },
          { group: 'API', openapi: 'twins.json' },
        ],
      },
      {},
      { 'twins.json': twins },
    );
    expect(operationPaths(docs).sort()).toEqual([
      'GET /a api-reference/things/get-it-2',
      'GET /b api-reference/things/get-it',
      'GET /c api-reference/things/get-it-3',
    ]);
  });

  test('a path of an author’s page stays with that page', async () => {
    const docs = await site({ pages: ['index', 'GET /search'] }, {}, { 'api-reference/search/search.mdx': '# Mine' });
    expect(operationPaths(docs)).toEqual(['GET /search api-reference/search/search-2']);
  });

  test('no specification names a path outside the site or in the folder of our own scripts', async () => {
    const at = (href: string) => ({ get: { summary: href, 'x-mint': { href } } });
    const hostile = {
      openapi: '3.0.0',
      paths: {
        '/a': at('../../etc/passwd'),
        '/b': at('/_carrel/site'),
        '/c': at('https://example.com/x'),
        '/d': at('javascript:x()'),
      },
    };
    const navigation = {
      groups: [
        { group: 'Home', pages: ['index'] },
        { group: 'API', openapi: { source: 'hostile.json', directory: '../..' } },
      ],
    };
    expect(operationPaths(await site(navigation, {}, { 'hostile.json': hostile })).sort()).toEqual([
      'GET /a etc/passwd',
      'GET /b api-reference/carrel-site',
      'GET /c api-reference/https-example-com-x',
      'GET /d api-reference/javascript-x',
    ]);
  });

  test('belong to their language', async () => {
    const navigation = {
      languages: [
        { language: 'en', pages: ['index', 'GET /search'] },
        { language: 'de', pages: ['guide', 'GET /users'] },
      ],
    };
    expect(operationPaths(await site(navigation, {}, {}, { language: 'en' }))).toEqual([
      'GET /search api-reference/search/search',
    ]);
  });

  test('can be redirected to', async () => {
    const redirects = [{ source: '/old', destination: '/api-reference/search/search' }];
    const docs = await site({ pages: ['index', 'GET /search'] }, { redirects });
    expect(docs.redirects).toEqual([{ from: 'old', to: '/api-reference/search/search' }]);
  });
});

describe('a page that cannot be made is missing with its reason', () => {
  test.each<[string, string, string, Files]>([
    ['on another host', 'https://example.com/openapi.json', 'https://example.com/openapi.json is on another host', {}],
    ['that is not in the folder', 'gone.json', 'gone.json is not in the docs folder', {}],
    ['of another format', 'data.json', 'data.json is not an OpenAPI specification', { 'data.json': '{"a":1}' }],
    [
      'without operations',
      'empty.json',
      'empty.json could not be read: it has neither paths nor webhooks',
      { 'empty.json': '{"openapi":"3.1.0"}' },
    ],
    [
      'that is not JSON',
      'broken.json',
      'broken.json could not be read: Flow map must end with a }',
      { 'broken.json': '{\n  "openapi": "3.1.0",\n' },
    ],
  ])('of a specification %s', async (_, openapi, reason, files) => {
    const docs = await site(
      {
        tabs: [
          { tab: 'Docs', pages: ['index'] },
          { tab: 'API', openapi },
        ],
      },
      {},
      files,
    );
    expect(docs.navigation).toEqual({
      listed: 2,
      exported: 1,
      missing: [{ entry: `"openapi": "${openapi}"`, at: 'API', reason }],
    });
    expect(docs.problems.map(({ message }) => message)).toContain(`Missing in API: "openapi": "${openapi}": ${reason}.`);
  });

  test('of an operation that no specification has', async () => {
    const { navigation } = await site({ pages: ['index', 'GET /gone', 'api/search.yaml POST /search'] });
    expect(navigation.missing).toEqual([
      { entry: 'GET /gone', at: 'docs.json', reason: 'no specification in the docs folder has it' },
      { entry: 'api/search.yaml POST /search', at: 'docs.json', reason: 'api/search.yaml does not have it' },
    ]);
  });

  test('and the line of a mistake in the specification', async () => {
    const docs = await site(
      { pages: ['index'], tabs: [] },
      { api: { openapi: 'broken.yaml' } },
      { 'broken.yaml': 'openapi: 3.1.0\npaths:\n  /a: {get: [}\n', 'a.mdx': '---\nopenapi: GET /a\n---\n' },
    );
    expect(docs.problems).toContainEqual(
      expect.objectContaining({ kind: 'specification-not-read', page: 'broken.yaml', line: 3 }),
    );
  });
});
