import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { referenceDocs } from '../../../server/dashboard/reference-site.ts';
import { describe } from '../../../server/http/openapi.ts';
import { openTestServer } from '../support/services.ts';

const { api, services } = await openTestServer();
const description = describe(api, services.publicUrl);
const home = api.request('/reference/');

const operations = Object.entries(description.paths ?? {}).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
);

async function htmlOf(path: string): Promise<string> {
  const answer = await api.request(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.text();
}

/** Paths of the pages that the list for programs has: the sidebar of so many shows those of open groups. */
async function pagePaths(): Promise<string[]> {
  const list = await htmlOf('/reference/llms.txt');
  const links = [...list.matchAll(/\]\((?:\S*\/)?(api\/[^)]+)\.md\)/g)].map(([, path]) => `/reference/${path}/index.html`);
  return [...new Set(links)];
}

test('is a site with a page for every operation, which has its method and path', async () => {
  expect((await home).status).toBe(200);
  expect(operations.length).toBeGreaterThan(30);
  const pages = await pagePaths();
  expect(pages).toHaveLength(operations.length);
  const shown = await Promise.all(
    pages.map(async (path) => {
      const [, method, route] = /class="c-method [^"]*">(\w+)<\/span> <code>([^<]*)</.exec(await htmlOf(path)) ?? [];
      return `${method} ${route}`;
    }),
  );
  expect(shown.sort()).toEqual(operations.map(({ method, path }) => `${method} ${path}`).sort());
});

test('loads nothing from other hosts, and cannot be framed', async () => {
  const policy = (await home).headers.get('content-security-policy');
  expect(policy).toContain("default-src 'self'");
  expect(policy).toContain("img-src 'self' data:;");
  expect(policy).toContain("connect-src 'self' http://api.example.com");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/script-src|unsafe-eval|https:/);
});

test('sends requests of its playground to the API itself, and has no other settings', async () => {
  const settings = await htmlOf('/reference/carrel.config.js');
  expect(JSON.parse(settings.slice(settings.indexOf('{'), settings.lastIndexOf('}') + 1))).toEqual({
    features: { playground: { mode: 'direct' } },
  });
});

test('is exported once, below the data folder', async () => {
  await Promise.all([home, api.request('/reference/'), api.request('/reference/llms.txt')]);
  expect(readdirSync(join(services.options.data, 'reference'))).toHaveLength(1);
});

test('redirects the path without a slash, and answers what it does not contain with its own page', async () => {
  const answer = await api.request('/reference');
  expect([answer.status, answer.headers.get('location')]).toEqual([308, './reference/']);
  const missing = await api.request('/reference/nowhere');
  expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
});

test.each([{}, { accept: '*/*' }, { accept: 'application/json' }])(
  'the root returns its URL, and those of dashboard and description, to a program with %o',
  async (headers) => {
    const answer = await api.request('/', { headers: headers as Record<string, string> });
    expect(answer.status).toBe(200);
    const { name, ...places } = await answer.json();
    expect(name).toBe('Carrel');
    expect(Object.keys(places)).toEqual(['dashboard', 'reference', 'openapi']);
    for (const place of Object.values<string>(places)) {
      expect(place).toMatch(/^http:\/\/api\.example\.com\//);
      expect((await api.request(new URL(place).pathname)).status).toBe(200);
    }
  },
);

test('lists every operation once, by tag', () => {
  const { navigation } = JSON.parse(referenceDocs(description, 'https://api.example.com')['docs.json']!) as {
    navigation: { groups: { group: string; pages: string[] }[] };
  };
  expect(navigation.groups.slice(0, 3).map(({ group }) => group)).toEqual(['Start here', 'Static export', 'Bundles']);
  expect(navigation.groups.slice(1).flatMap(({ pages }) => pages)).toHaveLength(operations.length);
});
