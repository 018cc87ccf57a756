import { createHash } from 'node:crypto';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { siteHandler } from '../../../server/hosting/handler.ts';
import { openSite } from '../../../server/active-exports/open-site.ts';
import { longPage, makeFolder, makeZip, manifestOf, smallSite } from './small-site.ts';

const { 'carrel.config.js': _settings, ...listed } = smallSite;
const files = { ...smallSite, 'carrel.json': manifestOf('client-hosted', listed) };
const folder = await makeFolder(files);
const zip = await makeZip(files);

describe.each([
  ['a folder', folder],
  ['a zip', zip],
])('serving %s', (_name, source) => {
  const request = async (pathname: string, headers: Record<string, string> = {}, method = 'GET') =>
    siteHandler(await openSite(source))(new Request(`http://docs.test${pathname}`, { headers, method }));

  test.each([
    ['/', 'text/html; charset=utf-8'],
    ['/index.html', 'text/html; charset=utf-8'],
    ['/guides/install/', 'text/html; charset=utf-8'],
    ['/guides/install/index.html', 'text/html; charset=utf-8'],
    ['/guides/a%20b%20&%20c/', 'text/html; charset=utf-8'],
    ['/guides/install.md', 'text/markdown; charset=utf-8'],
    ['/images/logo.svg', 'image/svg+xml; charset=utf-8'],
    ['/carrel.json', 'application/json; charset=utf-8'],
    ['/carrel.config.js', 'text/javascript; charset=utf-8'],
    ['/empty.txt', 'text/plain; charset=utf-8'],
  ])('answers %s as %s', async (pathname, type) => {
    const response = await request(pathname);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(type);
  });

  test('redirects a page without its slash to the one with it, so that relative links work', async () => {
    const response = await request('/guides/install?q=npm');
    expect(response.status).toBe(308);
    expect(response.headers.get('location')).toBe('./install/?q=npm');
    expect((await request('/v1.2')).headers.get('location')).toBe('./v1.2/');
    expect((await request('/guides/a%20b%20&%20c')).headers.get('location')).toBe('./a%20b%20%26%20c/');
  });

  test('lets pages send requests to the assistant in the settings, and to no other host', async () => {
    const settings = 'globalThis.__carrel_config = {"assistant":{"url":"https://api.example/discovery","domain":"a"}};';
    const asking = await makeFolder({ ...files, 'carrel.config.js': settings });
    const policyOf = async (place: string) =>
      (await siteHandler(await openSite(place))(new Request('http://docs.test/guides/install/'))).headers.get(
        'content-security-policy',
      );
    expect(await policyOf(asking)).toContain("; connect-src 'self' https://api.example");
    expect(await policyOf(source)).not.toContain('connect-src');
  });

  test.each(['/nowhere', '/guides/', '/guides', '/_carrel/', '/.env', '/guides/install/nowhere/at/all'])(
    'answers %s with the 404 page: no such page, no listing',
    async (pathname) => {
      const response = await request(pathname);
      expect(response.status).toBe(404);
      expect(await response.text()).toContain('No such page');
    },
  );

  test.each(['/..%2f..%2fetc%2fpasswd', '/%2e%2e%2fsecret', '/..%5c..%5csecret', '/index.html%00', '/%', '//etc/passwd'])(
    'stays inside the site for %s',
    async (pathname) => {
      expect((await request(pathname)).status).toBe(404);
    },
  );

  test('allows the inline style of the 404 page by its hash', async () => {
    const hash = createHash('sha256').update('p { color: red }').digest('base64');
    expect((await request('/nowhere')).headers.get('content-security-policy')).toContain(
      `style-src-elem 'self' 'sha256-${hash}'`,
    );
  });

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('compresses with %s and sends the length', async (encoding, decompress) => {
    const response = await request('/guides/install/', { 'accept-encoding': encoding });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(response.headers.get('content-length')).toBe(String(bytes.length));
    expect(response.headers.get('vary')).toContain('accept-encoding');
    expect(decompress(bytes).toString()).toBe(longPage);
  });

  test('each encoding has its own ETag, and a client that has it receives 304', async () => {
    const accept = { 'accept-encoding': 'gzip' };
    const etag = (await request('/guides/install/', accept)).headers.get('etag')!;
    expect(etag).not.toBe((await request('/guides/install/')).headers.get('etag'));
    expect((await request('/guides/install/', { ...accept, 'if-none-match': `"other", W/${etag}` })).status).toBe(304);
    expect((await request('/guides/install/', { 'if-none-match': etag })).status).toBe(200);
  });

  test('responds to a range with exactly those bytes, uncompressed', async () => {
    const response = await request('/guides/install/', { range: 'bytes=2-8', 'accept-encoding': 'br' });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes 2-8/${longPage.length}`);
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(await response.text()).toBe(longPage.slice(2, 9));
  });

  test('responds to a range beyond the end with 416 and the size', async () => {
    const response = await request('/guides/install/', { range: `bytes=${longPage.length}-` });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe(`bytes */${longPage.length}`);
  });

  test('sends the whole file when the client has part of another version', async () => {
    expect((await request('/guides/install/', { range: 'bytes=0-1', 'if-range': '"old"' })).status).toBe(200);
    const etag = (await request('/guides/install/')).headers.get('etag')!;
    expect((await request('/guides/install/', { range: 'bytes=0-1', 'if-range': etag })).status).toBe(206);
  });

  test('responds to HEAD like to GET, without the body', async () => {
    const response = await request('/guides/install/', {}, 'HEAD');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe(String(longPage.length));
    expect(await response.text()).toBe('');
  });

  test('an image that is opened as a page runs nothing', async () => {
    expect((await request('/images/logo.svg')).headers.get('content-security-policy')).toMatch(/^default-src 'none'.*; sandbox$/);
  });

  test('refuses methods other than GET and HEAD', async () => {
    const response = await request('/', {}, 'POST');
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD');
  });

  test.each([
    ['/', '# Home\n'],
    ['/guides/install/', '# Install\n'],
  ])('sends the Markdown of %s to a client that prefers Markdown', async (pathname, markdown) => {
    const response = await request(pathname, { accept: 'text/markdown' });
    expect(await response.text()).toBe(markdown);
    expect(response.headers.get('vary')).toContain('accept,');
  });

  test.each<[string, string, Record<string, string>?]>([
    ['/_carrel/reader.0123456789ab.js', 'public, max-age=31536000, immutable'],
    ['/_carrel/search/0123456789ab/en/terms-a.js', 'public, max-age=31536000, immutable'],
    ['/', 'no-cache'],
    ['/images/logo.svg', 'no-cache'],
    ['/carrel.config.js', 'no-cache'],
    ['/carrel.json', 'no-cache'],
    // The browser then uses what it has loaded ahead of a click.
    ['/', 'private, max-age=30', { 'sec-purpose': 'prefetch' }],
    ['/_carrel/reader.0123456789ab.js', 'public, max-age=31536000, immutable', { 'sec-purpose': 'prefetch' }],
  ])('sends %s with the cache policy %s', async (pathname, expected, headers) => {
    expect((await request(pathname, headers)).headers.get('cache-control')).toBe(expected);
  });
});

test.each([
  ['cloud', "default-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data: https:"],
  ['client-hosted', "default-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data: https:"],
  ['air-gapped', "default-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:"],
])('sends its policy with every response of a %s export', async (deployment, policy) => {
  const site = await openSite(await makeFolder({ ...smallSite, 'carrel.json': manifestOf(deployment) }));
  for (const pathname of ['/', '/guides/install', '/_carrel/reader.0123456789ab.js']) {
    const { headers } = await siteHandler(site)(new Request(`http://docs.test${pathname}`));
    expect(headers.get('content-security-policy')).toBe(policy);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
  }
});

test.each([
  ['client-hosted', "img-src 'self' data: blob: tides.example.com https:"],
  ['air-gapped', "img-src 'self' data: blob: tides.example.com"],
])('an existing %s site runs its own scripts, and loads from the allowed hosts', async (deployment, images) => {
  const manifest = { ...JSON.parse(manifestOf(deployment)), guest: { allow: ['tides.example.com'] } };
  const site = await openSite(await makeFolder({ ...smallSite, 'carrel.json': JSON.stringify(manifest) }));
  const { headers } = await siteHandler(site)(new Request('http://docs.test/'));
  const policy = headers.get('content-security-policy')!.split('; ');
  expect(policy).toContain("script-src 'self' 'unsafe-inline' 'unsafe-eval' blob: tides.example.com");
  expect(policy).toContain("connect-src 'self' data: blob: tides.example.com");
  expect(policy).toContain(images);
  expect(policy.filter((directive) => /https?:(?!$)|\*/.test(directive))).toEqual([]);
});

test('a manifest can add only hosts to the policy', async () => {
  const manifest = { ...JSON.parse(manifestOf()), guest: { allow: ['a.example; script-src *'] } };
  const folder = await makeFolder({ ...smallSite, 'carrel.json': JSON.stringify(manifest) });
  await expect(openSite(folder)).rejects.toMatchObject({ code: 'ManifestInvalid' });
});

test.each([
  ['client-hosted', "; frame-src 'self' https://player.example; media-src 'self' https://films.example"],
  ['air-gapped', ''],
])('lets a page of a %s export load its own embeds only', async (deployment, more) => {
  const page =
    '<iframe title="x" src="https://player.example/1?a=1&#x26;b=2"></iframe><video controls src="https://films.example/2.mp4"></video>';
  const site = await openSite(await makeFolder({ ...smallSite, 'film/index.html': page, 'carrel.json': manifestOf(deployment) }));
  const policy = async (pathname: string) =>
    (await siteHandler(site)(new Request(`http://docs.test${pathname}`))).headers.get('content-security-policy');
  expect(await policy('/film/')).toBe((await policy('/')) + more);
  expect(await policy('/')).not.toContain('example');
});

test('serves a site under a path', async () => {
  const handle = siteHandler(await openSite(folder), { base: '/docs/' });
  const status = async (pathname: string) => (await handle(new Request(`http://docs.test${pathname}`))).status;
  expect(await status('/docs/')).toBe(200);
  expect(await status('/docs/guides/install/')).toBe(200);
  expect(await status('/guides/install/')).toBe(404);
  expect(await status('/docsify/')).toBe(404);
  const bare = await handle(new Request('http://docs.test/docs'));
  expect(bare.headers.get('location')).toBe('./docs/');
});

test("does not serve the author's instructions to the model", async () => {
  const guided = await makeFolder({ ...smallSite, '_carrel/assistant.md': 'Be brief.', '_carrel/other.md': 'Other' });
  const handle = siteHandler(await openSite(guided));
  const answer = async (pathname: string) => handle(new Request(`http://docs.test${pathname}`));
  expect((await answer('/_carrel/other.md')).status).toBe(200);
  for (const pathname of [
    '/_carrel/assistant.md',
    '/_carrel/assistant',
    '/_carrel/%61ssistant.md',
    '/_carrel/ASSISTANT.md',
    '/_carrel//assistant.md',
  ]) {
    const response = await answer(pathname);
    expect(await response.text(), pathname).not.toContain('brief');
  }
  expect((await answer('/_carrel/assistant.md')).status).toBe(404);
});

test('follows no symbolic link out of the folder', async () => {
  const outside = await makeFolder({ 'secret.txt': 'secret', 'index.html': 'secret' });
  const inside = await makeFolder(smallSite);
  await symlink(path.join(outside, 'secret.txt'), path.join(inside, 'secret.txt'));
  await symlink(outside, path.join(inside, 'folder'));
  await symlink(path.join(inside, 'index.md'), path.join(inside, 'inside.md'));
  const handle = siteHandler(await openSite(inside));
  const status = async (pathname: string) => (await handle(new Request(`http://docs.test${pathname}`))).status;
  expect(await status('/secret.txt')).toBe(404);
  expect(await status('/folder/secret.txt')).toBe(404);
  expect(await status('/folder/')).toBe(404);
  expect(await status('/folder')).toBe(404);
  expect(await status('/inside.md')).toBe(200);
});

test('streams a large file, and a range of it', async () => {
  const large = 'a'.repeat(5 * 1024 * 1024) + 'end';
  const site = await openSite(await makeFolder({ ...smallSite, 'film.mp4': large }));
  const get = (headers: Record<string, string>) => siteHandler(site)(new Request('http://docs.test/film.mp4', { headers }));
  expect((await (await get({})).arrayBuffer()).byteLength).toBe(large.length);
  expect(await (await get({ range: 'bytes=-4' })).text()).toBe('aend');
});
