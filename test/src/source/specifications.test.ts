import { describe, expect, test } from 'vitest';
import { buildSite } from '../../../src/site/build-site.ts';
import { readSource } from '../../../src/source/read-source.ts';
import { outline } from '../site/site-of.ts';
import { docsFolder } from './docs-folder.ts';

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

async function site(navigation: unknown, more: Record<string, unknown> = {}) {
  const docs = { name: 'Docs', theme: 'mint', colors: { primary: '#000000' }, navigation };
  const folder = docsFolder({
    'docs.json': { ...docs, ...more },
    'api/users.json': specification,
    'api/search.yaml': yaml,
    ...pages,
  });
  return buildSite(await readSource(folder));
}

describe('the pages of an API specification', () => {
  test('are missing by name and path when the specification is beside groups', async () => {
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
    expect(outline(docs, 'API')).toEqual(['- Guides', '  Guide /guide']);
    expect(docs.navigation).toEqual({
      listed: 8,
      exported: 2,
      missing: [
        { entry: 'GET /users', at: 'API › Guides', path: 'api-reference/user-accounts/list-all-users' },
        { entry: 'GET /users', at: 'API › All users', path: 'api-reference/user-accounts/list-all-users' },
        { entry: 'POST /users', at: 'API › All users', path: 'api-reference/user-accounts/create-a-user' },
        { entry: 'GET /users/{id}', at: 'API › All users', path: 'reference/one-user' },
        { entry: 'GET /status', at: 'API › All users', path: 'api-reference/get-status' },
        { entry: 'webhook created', at: 'API › All users', path: 'api-reference/events/user-created' },
        { entry: 'GET /search', at: 'API › Search', path: 'find/search/search' },
      ],
    });
    expect(docs.problems.map(({ kind, message }) => `${kind}: ${message}`)).toEqual([
      'openapi-page-not-supported: Pages generated from API specifications are not supported yet. Missing in API › Guides: "GET /users".',
      'openapi-page-not-supported: Pages generated from API specifications are not supported yet. Missing in API › All users: "GET /users", "POST /users", "GET /users/{id}", "GET /status", "webhook created".',
      'openapi-page-not-supported: Pages generated from API specifications are not supported yet. Missing in API › Search: "GET /search".',
    ]);
  });

  test.each([
    [
      'of the specification that an entry names',
      ['index', 'api/search.yaml get /search'],
      undefined,
      'api-reference/search/search',
    ],
    ['of any specification of the folder', ['index', 'GET /search'], undefined, 'api-reference/search/search'],
    [
      'of the one that the site names',
      ['index', 'GET /users'],
      { openapi: '/api/users.json' },
      'api-reference/user-accounts/list-all-users',
    ],
    ['that no specification has', ['index', 'GET /gone'], undefined, undefined],
  ])('are missing where an entry is an operation %s', async (_, entries, api, path) => {
    const { navigation } = await site({ pages: entries }, api && { api });
    expect(navigation.missing).toEqual([{ entry: entries[1], at: 'docs.json', ...(path && { path }) }]);
  });

  test.each([
    ['on another host', 'https://example.com/openapi.json'],
    ['that is not in the folder', 'gone.json'],
  ])('are one missing entry where the specification is %s', async (_, openapi) => {
    const { navigation } = await site({
      tabs: [
        { tab: 'Docs', pages: ['index'] },
        { tab: 'API', openapi },
      ],
    });
    expect(navigation.missing).toEqual([{ entry: `"openapi": "${openapi}"`, at: 'API' }]);
  });

  test('belong to a language: no other language reports them', async () => {
    const navigation = {
      languages: [
        { language: 'en', pages: ['index', 'GET /search'] },
        { language: 'de', pages: ['guide', 'GET /users'] },
      ],
    };
    const folder = docsFolder({ 'docs.json': { name: 'Docs', navigation }, 'api/users.json': specification, ...pages });
    const docs = buildSite(await readSource(folder), { language: 'en' });
    expect(docs.navigation.missing).toEqual([{ entry: 'GET /search', at: 'English' }]);
  });

  test('explain redirects to them', async () => {
    const redirects = [{ source: '/old', destination: '/api-reference/search/search' }];
    const docs = await site({ pages: ['index', 'GET /search'] }, { redirects });
    expect(docs.problems.find(({ kind }) => kind === 'redirect-without-target')?.message).toBe(
      'The redirect from "/old" points to "/api-reference/search/search", where the page of "GET /search" is missing. It is skipped.',
    );
  });
});
