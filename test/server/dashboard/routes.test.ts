import { readdirSync } from 'node:fs';
import { OpenAPIHono } from '@hono/zod-openapi';
import { expect, test } from 'vitest';
import type { ApiEnvironment } from '../../../server/http/api.ts';
import { emptyApi } from '../../../server/http/empty-api.ts';
import { addDashboardRoutes } from '../../../server/dashboard/routes.ts';
import { openTestServer } from '../support/services.ts';

const { api, services } = await openTestServer();
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; img-src 'self' data:; frame-src http://sites.example.com; frame-ancestors 'none'; form-action 'none'; base-uri 'none'";

test.each(['/dashboard', '/dashboard/', '/dashboard/default', '/dashboard/default/manual', '/dashboard/%3Cscript%3E/x'])(
  '%s is the one page, under its strict policy and without a cookie',
  async (path) => {
    const answer = await api.request(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-security-policy')).toBe(policy);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(await answer.text()).toBe(await (await api.request('/dashboard')).text());
  },
);

test('all files of the page exist, are cached forever, and the scripts have no types', async () => {
  const page = await (await api.request('/dashboard')).text();
  const named = [...page.matchAll(/(?:src|href)="(\/[^"]+_assets[^"]+)"/g)].map((match) => match[1]!);
  expect(named.map((path) => path.split('/').at(-1))).toEqual(['favicon.svg', 'inter.woff2', 'style.css', 'main.ts']);
  const [, , sheet, script] = named;
  const folder = script!.slice(0, script!.lastIndexOf('/'));
  const scripts = readdirSync(new URL('../../../server/dashboard/client', import.meta.url)).map((name) => `${folder}/${name}`);
  const importsOf = new Map<string, number>();
  const stored: string[] = [];
  for (const path of [sheet!, ...scripts]) {
    const answer = await api.request(path);
    expect(answer.status, path).toBe(200);
    expect(answer.headers.get('content-type')).toBe(`text/${path.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const text = await answer.text();
    expect(text).not.toMatch(/\binterface \w|innerHTML|sessionStorage|document\.cookie|https?:\/\/\w/);
    stored.push(...(text.match(/localStorage[^;]*/g) ?? []));
    // What a script imports is a script of the dashboard too.
    const imports = [...text.matchAll(/from '([^']+)'/g)].map(([, name]) => `${folder}/${name!.replace('./', '')}`);
    expect(imports.filter((imported) => !scripts.includes(imported))).toEqual([]);
    importsOf.set(path, imports.length);
  }
  expect(importsOf.get(script!)).toBeGreaterThan(3);
  // The browser keeps one text, and never a key or a session.
  expect(stored).toEqual(['localStorage.getItem(storedId)', 'localStorage.setItem(storedId, made)']);
});

test('all fonts that the stylesheet names come from the server', async () => {
  const page = await (await api.request('/dashboard')).text();
  const sheet = /href="(\/[^"]+style\.css)"/.exec(page)![1]!;
  const fonts = [...(await (await api.request(sheet)).text()).matchAll(/url\('([^']+)'\)/g)].map(([, name]) => name!);
  expect(fonts).toEqual(['inter.woff2', 'inter-ext.woff2', 'geist-mono.woff2']);
  for (const name of fonts) {
    const answer = await api.request(sheet.replace('style.css', name));
    expect(answer.headers.get('content-type')).toBe('font/woff2');
    expect(new TextDecoder().decode((await answer.arrayBuffer()).slice(0, 4))).toBe('wOF2');
  }
});

test.each([
  '/dashboard/_assets/000000000000/style.css',
  '/dashboard/_assets/HASH/nothing.js',
  '/dashboard/_assets/HASH/..%2froutes.ts',
])('%s is unknown', async (path) => {
  const page = await (await api.request('/dashboard')).text();
  const hash = /_assets\/([0-9a-f]{12})\//.exec(page)![1]!;
  const answer = await api.request(path.replace('HASH', hash));
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ code: 'AssetUnknown' });
});

test('behind a proxy that strips a path prefix, the page requests its files and the API below that path', async () => {
  const behind: OpenAPIHono<ApiEnvironment> = emptyApi(services);
  addDashboardRoutes(behind, {
    publicUrl: 'https://example.com/carrel"x',
    sitesUrl: 'https://sites.example.com',
    sendMail: undefined,
    oidc: undefined,
  });
  const page = await (await behind.request('/dashboard')).text();
  expect(page).toContain('data-base="/carrel%22x"');
  expect(page).toContain('href="/carrel%22x/dashboard/_assets/');
});

test('the root redirects a browser to the dashboard', async () => {
  const answer = await api.request('/', { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
  expect([answer.status, answer.headers.get('location'), answer.headers.get('vary')]).toEqual([303, '/dashboard', 'accept']);
});
