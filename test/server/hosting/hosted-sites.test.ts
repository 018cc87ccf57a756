import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { assistantSettingsSchema, settingsToStore, type StoredAssistantSettings } from '../../../server/sites/model-settings.ts';
import type { SiteSettings } from '../../../server/sites/sites.ts';
import type { ServerOptions } from '../../../server/platform/options.ts';
import { fileKey } from '../../../server/storage/storage-keys.ts';
import { removeOldExports } from '../../../server/jobs/retention.ts';
import { StorageUnavailable, type Storage } from '../../../server/storage/storage.ts';
import { createHostedSites } from '../../../server/hosting/hosted-sites.ts';
import { makeExport, registerSite, runJob, type MadeExport } from '../storage/exports.ts';
import { openLinkServer, type LinkServer } from '../storage/services.ts';
import { digestOf, eachStorage, openDisk } from '../storage/storages.ts';

const page = (text: string) => `<!doctype html><title>Docs</title><link rel="stylesheet" href="_carrel/a.css"><p>${text}</p>`;

type Get = (path: string, headers?: Record<string, string>, method?: string) => Promise<Response>;

interface OpenedSites extends LinkServer {
  get: Get;
  /** Completes a job of docs.test; a second later, so that the registry forgets what it had in memory. */
  exportSite(made: MadeExport): Promise<void>;
}

async function openSites(storage: Storage, keepExports = 5): Promise<OpenedSites> {
  const server = await openLinkServer({ storage, keepExports });
  await registerSite(server.services, 'docs.test');
  const handle = createHostedSites(server.services);
  return {
    ...server,
    async exportSite(made) {
      await runJob(server.services, 'docs.test', made);
      server.clock.now += 1001;
    },
    get: (path, headers = {}, method = 'GET') => handle(new Request(`http://sites.test${path}`, { method, headers })),
  };
}

async function text(answer: Response | Promise<Response>): Promise<[number, string]> {
  const { status } = await answer;
  return [status, await (await answer).text()];
}

eachStorage((open) => {
  test('serves the active export below its path like any export', async () => {
    const { get, exportSite } = await openSites(await open());
    const film = randomBytes(5 * 1024 * 1024);
    await exportSite(
      await makeExport({
        'index.html': page('home'),
        'guides/index.html': page('guides'),
        '404.html': page('lost'),
        'film.mp4': film,
        'empty.txt': '',
      }),
    );
    const home = await get('/sites/docs.test/');
    expect(await text(home)).toEqual([200, page('home')]);
    expect(home.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(home.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(home.headers.get('etag')).toBe(`"${digestOf(page('home')).slice(0, 16)}"`);
    expect((await get('/sites/docs.test/', { 'if-none-match': home.headers.get('etag')! })).status).toBe(304);
    expect(await text(get('/sites/docs.test/guides/'))).toEqual([200, page('guides')]);
    expect((await get('/sites/docs.test')).headers.get('location')).toBe('./docs.test/');
    expect(await text(get('/sites/docs.test/nowhere'))).toEqual([404, page('lost')]);
    expect(await text(get('/sites/docs.test/carrel.config.js'))).toEqual([200, 'window.carrelConfig = {};\n']);
    expect((await (await get('/sites/docs.test/carrel.json')).json()) as object).toMatchObject({ site: 'Docs' });
    expect(await text(get('/sites/docs.test/empty.txt'))).toEqual([200, '']);
    expect(digestOf(Buffer.from(await (await get('/sites/docs.test/film.mp4')).arrayBuffer()))).toBe(digestOf(film));
    const part = await get('/sites/docs.test/film.mp4', { range: 'bytes=10-13' });
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, film.subarray(10, 14)]);
    expect((await get('/sites/docs.test/', {}, 'POST')).status).toBe(405);
    for (const path of ['constructor', '__proto__', '..%2fcarrel.json', 'a%00b', '%e0%a4%a'])
      expect((await get(`/sites/docs.test/${path}`)).status).toBe(404);
  });

  test('serves a new active export within a second, and each request sees one export', async () => {
    const { get, clock, exportSite } = await openSites(await open());
    await exportSite(await makeExport({ 'index.html': page('one') }));
    expect(await text(get('/sites/docs.test/'))).toEqual([200, page('one')]);
    clock.now += 500;
    await exportSite(await makeExport({ 'index.html': page('two') }));
    clock.now += 1001;
    const answers = await Promise.all(Array.from({ length: 20 }, () => text(get('/sites/docs.test/'))));
    expect(answers).toEqual(Array.from({ length: 20 }, () => [200, page('two')]));
  });

  test('an export that retention removed is not served partially', async () => {
    const { services, get, clock, exportSite } = await openSites(await open(), 1);
    await exportSite(await makeExport({ 'index.html': page('one'), 'only-here.html': page('old') }));
    expect((await get('/sites/docs.test/')).status).toBe(200);
    await runJob(services, 'docs.test', await makeExport({ 'index.html': page('two') }));
    await removeOldExports(services, 'docs.test');
    // The registry still answers from memory and learns of it a little later.
    const late = get('/sites/docs.test/only-here.html');
    const home = get('/sites/docs.test/');
    clock.now += 1001;
    expect((await late).status).toBe(404);
    // A bucket's local cache may still have it, and whole.
    expect([page('one'), page('two')]).toContain((await text(home))[1]);
  });

  test('a large file is sent to its end even when its export is removed', async () => {
    const storage = await open();
    const { services, get, clock, exportSite } = await openSites(storage, 1);
    const film = randomBytes(9 * 1024 * 1024);
    await exportSite(await makeExport({ 'film.mp4': film }));
    const sent = await get('/sites/docs.test/film.mp4');
    clock.now += 1001;
    await exportSite(await makeExport({ 'index.html': page('two') }));
    await removeOldExports(services, 'docs.test');
    const whole = storage.kind === 's3' ? undefined : digestOf(film);
    expect(storage.kind === 's3' ? await sent.body!.cancel() : digestOf(Buffer.from(await sent.arrayBuffer()))).toBe(whole);
    expect((await get('/sites/docs.test/film.mp4')).status).toBe(404);
  });
});

test('lists the sites that are served, and no other', async () => {
  const { services, get, clock, exportSite } = await openSites(await openDisk());
  await registerSite(services, 'secret.test', 'other');
  const home = await get('/');
  expect(await text(home)).toEqual([200, expect.stringContaining('<p>No site has been exported yet.</p>')]);
  expect(home.headers.get('content-security-policy')).toBe("default-src 'none'");
  await exportSite(await makeExport({ 'index.html': page('home') }));
  clock.now += 1001;
  const listed = await (await get('/')).text();
  expect(listed.match(/<li>.*<\/li>/g)).toEqual(['<li><a href="sites/docs.test/">docs.test</a></li>']);
  expect((await get('/', {}, 'HEAD')).status).toBe(200);
});

test('lists the sites only for hosts of the server and of its sites', async () => {
  const { services, clock } = await openSites(await openDisk());
  await registerSite(services, 'docs.example.com');
  await runJob(services, 'docs.example.com', await makeExport({ 'index.html': page('home') }));
  clock.now += 1001;
  const options = { ...services.options, allowHosts: ['other.example.com'] };
  const handle = createHostedSites({ ...services, options, sitesUrl: 'https://sites.example.com' });
  const list = (host: string) => text(handle(new Request(`http://${host}:8080/`)));
  for (const host of ['sites.example.com', 'docs.example.com', 'other.example.com', '127.0.0.1'])
    expect(await list(host), host).toEqual([200, expect.stringContaining('docs.example.com')]);
  expect(await list('elsewhere.example.com')).toEqual([
    403,
    expect.stringMatching(/"elsewhere\.example\.com"\. Set .*CARREL_SITES_URL/),
  ]);
});

test('a page has one URL: index.html redirects to its folder', async () => {
  const { get, exportSite } = await openSites(await openDisk());
  await exportSite(
    await makeExport({ 'index.html': page('home'), 'guides/index.html': page('guides'), 'a-index.html': page('a') }),
  );
  const redirected = async (path: string, method = 'GET', headers = {}) => {
    const answer = await get(path, headers, method);
    const location = answer.headers.get('location');
    return [answer.status, location && new URL(location, `http://sites.test${path}`).href];
  };
  const base = 'http://sites.test/sites/docs.test/';
  expect(await redirected('/sites/docs.test/index.html')).toEqual([308, base]);
  expect(await redirected('/sites/docs.test/guides/index.html?q=a%20b&x')).toEqual([308, `${base}guides/?q=a%20b&x`]);
  expect(await redirected('/sites/docs.test/guides/index.html', 'HEAD')).toEqual([308, `${base}guides/`]);
  expect(await redirected('/sites/docs.test/guides/index.html', 'GET', { 'if-none-match': '*' })).toEqual([
    308,
    `${base}guides/`,
  ]);
  expect(await redirected('/sites/docs.test/guides/')).toEqual([200, null]);
  expect(await redirected('/sites/docs.test/a-index.html')).toEqual([200, null]);
  expect(await redirected('/sites/docs.test/nowhere/index.html')).toEqual([404, null]);
  expect(await redirected('/sites/docs.test/guides/index.html', 'POST')).toEqual([405, null]);
});

test('does not reveal which sites exist, if their list is off', async () => {
  const { services, get } = await openSites(await openDisk());
  services.options.sitesIndex = 'off';
  await registerSite(services, 'secret.test', 'other');
  const [status, home] = await text(get('/'));
  expect(status).toBe(200);
  expect(home).toBe('Documentation sites, each at /sites/{domain}/. Ask the operator of this server for the address of yours.\n');
  expect(await text(get('/healthz'))).toEqual([200, 'ok\n']);
  // Registered and never exported, unknown, and malformed: the same answer.
  for (const path of [
    '/sites/docs.test/',
    '/sites/nobody.test/a',
    '/sites/-',
    '/sites/',
    '/sites',
    '/v1/sites',
    '/sites/a..b/',
    '//docs.test/',
  ])
    expect(await text(get(path)), path).toEqual([404, 'There is no such site here, or it has not been exported yet.\n']);
  expect(await text(get('/', {}, 'HEAD'))).toEqual([200, '']);
  expect((await get('/sites/nobody.test/')).headers.get('x-content-type-options')).toBe('nosniff');
});

test('a domain in capitals redirects to its one URL, on this host', async () => {
  const { get, exportSite } = await openSites(await openDisk());
  await exportSite(await makeExport({ 'index.html': page('home') }));
  const answer = await get('/sites/DOCS.test//evil.example/?q=1');
  expect([answer.status, answer.headers.get('location')]).toEqual([308, '/sites/docs.test//evil.example/?q=1']);
});

test('a deleted site is no longer served', async () => {
  const { services, get, clock, exportSite } = await openSites(await openDisk());
  await exportSite(await makeExport({ 'index.html': page('home') }));
  expect((await get('/sites/docs.test/')).status).toBe(200);
  await services.sites.remove('default', 'docs.test');
  clock.now += 1001;
  expect((await get('/sites/docs.test/')).status).toBe(404);
});

test('responds with 503 while the storage is unavailable, and with the site afterward', async () => {
  const disk = await openDisk();
  let away = false;
  const storage: Storage = { ...disk, get: (key) => (away ? Promise.reject(new StorageUnavailable('gone')) : disk.get(key)) };
  const { get, exportSite } = await openSites(storage);
  await exportSite(await makeExport({ 'index.html': page('home') }));
  away = true;
  for (const round of [1, 2]) {
    const answer = await get('/sites/docs.test/');
    expect(answer.headers.get('retry-after'), `${round}`).toBe('5');
    expect(await text(answer)).toEqual([503, 'The storage of this site is not available. Try again in a moment.\n']);
  }
  away = false;
  expect((await get('/sites/docs.test/')).status).toBe(200);
  away = true;
  expect((await get('/sites/docs.test/')).status).toBe(503);
  away = false;
  expect((await get('/sites/docs.test/')).status).toBe(200);
});

test('open sites are served while the database is unavailable', async () => {
  const server = await openLinkServer();
  await registerSite(server.services, 'docs.test');
  await runJob(server.services, 'docs.test', await makeExport({ 'index.html': page('home') }));
  let away = false;
  const sites = { ...server.services.sites };
  const get: typeof sites.get = (domain) => (away ? Promise.reject(new Error('no database')) : server.services.sites.get(domain));
  const handle = createHostedSites({ ...server.services, sites: { ...sites, get } });
  const ask = (domain: string) => handle(new Request(`http://sites.test/sites/${domain}/`));
  expect((await ask('docs.test')).status).toBe(200);
  away = true;
  expect((await ask('docs.test')).status).toBe(200);
  expect((await ask('other.test')).status).toBe(503);
});

test('a lost file of the active export is a server error, not a missing page', async () => {
  const { services, get, exportSite } = await openSites(await openDisk());
  await exportSite(await makeExport({ 'index.html': page('home') }));
  await services.storage.remove([fileKey('docs.test', digestOf(page('home')))]);
  expect((await get('/sites/docs.test/')).status).toBe(503);
});

describe('carrel.config.js of a hosted site', () => {
  const settings = { builder: 'docs', deployment: 'client-hosted' } as const;
  const kept = (given: object) =>
    settingsToStore(assistantSettingsSchema.parse(given), undefined, { domain: 'docs.test', secrets: ['secret'], trusted: true });

  async function openHosted(options: Partial<ServerOptions>, own?: string) {
    const server = await openSites(await openDisk());
    const { services, clock } = server;
    Object.assign(services.options, options);
    const made = await makeExport({ 'index.html': page('home'), '404.html': page('lost') });
    if (own !== undefined) await writeFile(join(made.folder, 'carrel.config.js'), own);
    await server.exportSite(made);
    const put = async (assistant?: StoredAssistantSettings) => {
      const source = { type: 'folder', path: '/docs' } as const;
      await services.sites.put({
        ...{ domain: 'docs.test', organization: 'default', source },
        settings: { ...settings, ...(assistant && { assistant }) },
      });
      clock.now += 1001;
    };
    const file = (headers: Record<string, string> = {}, method = 'GET') =>
      server.get('/sites/docs.test/carrel.config.js', { 'accept-encoding': 'identity', ...headers }, method);
    const policy = async (path: string) => (await server.get(`/sites/docs.test/${path}`)).headers.get('content-security-policy');
    return { ...server, put, file, policy, assistant: async () => assistantIn(await (await file()).text()) };
  }

  function assistantIn(script: string): { url: string; domain: string; key: string; suggestions?: string[] } | undefined {
    const context: { __carrel_config?: { assistant: never }; window: object } = { window: {} };
    runInNewContext(script, context);
    return context.__carrel_config?.assistant;
  }

  const withModel = { modelUrl: 'http://127.0.0.1:9/v1', model: 'any' };

  test('contains only the assistant of the server and a token of the site, and the policy allows pages to ask there', async () => {
    const { services, assistant, file, policy } = await openHosted(withModel);
    const named = (await assistant())!;
    expect(named).toEqual({
      url: 'http://api.example.com/discovery',
      domain: 'docs.test',
      key: expect.stringMatching(/^page_\d{10}\.[\w-]{43}$/),
    });
    const key = services.pageTokens.keyOf(named.key, await services.sites.get('docs.test'));
    expect(key).toMatchObject({ kind: 'assistant', organization: 'default', domains: ['docs.test'] });
    for (const path of ['', 'nowhere']) expect(await policy(path)).toContain("connect-src 'self' http://api.example.com");
    const answer = await file();
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const length = Number(answer.headers.get('content-length'));
    expect(length).toBe((await answer.arrayBuffer()).byteLength);
    const head = await file({}, 'HEAD');
    expect([head.status, Number(head.headers.get('content-length')), await head.text()]).toEqual([200, length, '']);
  });

  test('has another token after a while, which no cache keeps for longer', async () => {
    const { services, clock, assistant, file } = await openHosted(withModel);
    const answer = await file();
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const [, etag] = [await answer.text(), answer.headers.get('etag')!];
    const { key } = (await assistant())!;
    clock.now += 1_800_000;
    const changed = await file({ 'if-none-match': etag });
    expect(changed.status).toBe(200);
    const next = assistantIn(await changed.text())!;
    expect(next.key).not.toBe(key);
    const site = await services.sites.get('docs.test');
    clock.now += 1_800_000;
    expect(services.pageTokens.keyOf(next.key, site)).toMatchObject({ domains: ['docs.test'] });
    expect(() => services.pageTokens.keyOf(key, site)).toThrow(expect.objectContaining({ code: 'PageTokenExpired' }));
  });

  test('a file without a token may be stored', async () => {
    const { file } = await openHosted({});
    expect((await file()).headers.get('cache-control')).toBe('no-cache');
  });

  test.each<[string, Partial<ServerOptions>, StoredAssistantSettings | undefined, boolean]>([
    ['neither the server nor the site has a model', {}, undefined, false],
    ['the site has its own model', {}, kept({ model: { baseUrl: 'http://127.0.0.1:9/v1', model: 'any' } }), true],
    ['the site has none', withModel, kept({ model: null }), false],
    ['the site uses the one of the server', withModel, kept({}), true],
    ['its panel is off', withModel, kept({ panel: false }), false],
    ['settings of an older version are kept', withModel, { tools: true }, true],
  ])('when %s', async (_, options, settings, on) => {
    const { put, file, policy } = await openHosted(options);
    await put(settings);
    const script = await (await file()).text();
    expect(assistantIn(script) !== undefined).toBe(on);
    expect(script === 'window.carrelConfig = {};\n').toBe(!on);
    expect((await policy(''))!.includes('connect-src')).toBe(on);
  });

  test.each<[string, NonNullable<SiteSettings['features']>, object]>([
    ['the panel is off', { assistant: { mode: 'off' } }, { features: { assistant: { mode: 'off' } } }],
    [
      'search is off and a provider is on',
      { search: { enabled: false }, analytics: { mode: 'providers', providers: { fathom: { siteId: 'A' } } } },
      {
        assistant: expect.anything(),
        features: { search: { enabled: false }, analytics: { mode: 'providers', providers: { fathom: { siteId: 'A' } } } },
      },
    ],
    [
      'requests of the playground go through the server',
      { playground: { mode: 'proxy', hosts: ['api.example.com'] } },
      {
        assistant: expect.anything(),
        features: {
          playground: {
            ...{ mode: 'proxy', hosts: ['api.example.com'], url: 'http://api.example.com', domain: 'docs.test' },
            key: expect.stringMatching(/^page_/),
          },
        },
      },
    ],
  ])('when %s', async (_, features, expected) => {
    const { services, clock, file } = await openHosted(withModel);
    const source = { type: 'folder', path: '/docs' } as const;
    await services.sites.put({ domain: 'docs.test', organization: 'default', source, settings: { ...settings, features } });
    clock.now += 1001;
    const context: { __carrel_config?: object } = {};
    runInNewContext(await (await file()).text(), context);
    expect(context.__carrel_config).toEqual(expected);
  });

  test('keeps the other settings of the file in the export', async () => {
    const own = `globalThis.__carrel_config = {"assistant":{"url":"https://old.example","suggestions":["How?"]},"more":1};`;
    const { assistant, file } = await openHosted(withModel, own);
    expect(await assistant()).toMatchObject({ url: 'http://api.example.com/discovery', suggestions: ['How?'] });
    expect(await (await file()).text()).toContain('"more": 1');
  });

  test('the providers of an export are off until the settings of the site turn them on', async () => {
    const own = `globalThis.__carrel_config = {"features":{"analytics":{"mode":"providers","providers":{"fathom":{"siteId":"A"}}}}};`;
    const { services, clock, file, policy } = await openHosted({}, own);
    const analytics = async () => {
      const context: { __carrel_config?: { features: { analytics: object } } } = {};
      runInNewContext(await (await file()).text(), context);
      return context.__carrel_config!.features.analytics;
    };
    const providers = { fathom: { siteId: 'A' } };
    expect(await analytics()).toEqual({ mode: 'off', providers });
    expect(await policy('')).not.toContain('fathom');
    const features = { analytics: { mode: 'providers' } } as const;
    const source = { type: 'folder', path: '/docs' } as const;
    await services.sites.put({ domain: 'docs.test', organization: 'default', source, settings: { ...settings, features } });
    clock.now += 1001;
    expect(await analytics()).toEqual({ mode: 'providers', providers });
    expect(await policy('')).toContain("script-src 'self' https://cdn.usefathom.com");
  });

  test('stays the same while the database is unavailable', async () => {
    const { services, clock, assistant, get } = await openHosted(withModel);
    const before = await assistant();
    expect(before).toBeDefined();
    const { query } = services.database;
    services.database.query = () => Promise.reject(new Error('The database is away.'));
    clock.now += 1001;
    expect([await assistant(), (await get('/sites/docs.test/')).status]).toEqual([before, 200]);
    services.database.query = query;
  });
});
