import { describe, expect, test } from 'vitest';
import { fileInMemory, textOf, type OpenedSite } from '../../../server/active-exports/open-site.ts';
import {
  assistantOrigin,
  playgroundOrigins,
  providerOrigins,
  withProvidersOff,
  withSettings,
} from '../../../server/hosting/with-settings.ts';

const settings = (assistant: unknown) =>
  `// Settings.\nglobalThis.__carrel_config = ${JSON.stringify({ assistant }, null, 2)};\n`;

describe('a collection', () => {
  const text =
    'globalThis.__carrel_config = { "features": { "analytics": { "mode": "providers", "providers": { "ga4": { "measurementId": "G-A" } } } } };';
  const collection: OpenedSite = {
    name: 'Two',
    deployment: 'client-hosted',
    file: async (path) => (path === 'vue/carrel.config.js' ? fileInMemory(path, new TextEncoder().encode(text)) : undefined),
  };
  const settingsOf = async (site: OpenedSite, path: string) => {
    const file = await site.file(path);
    return file && textOf(file);
  };

  test('gives the settings of the host to each of its sites', async () => {
    const settings = { features: { search: { enabled: false } } };
    const site = withSettings(collection, async () => settings);
    expect(await settingsOf(site, 'vue/carrel.config.js')).toMatch(/"G-A"[^]*"enabled": false/);
    expect(await settingsOf(site, 'carrel.config.js')).not.toContain('G-A');
    expect(await site.file('vue/carrel.config.js')).toBe(await site.file('vue/carrel.config.js'));
    expect(await site.file('router/carrel.config.js')).toBeUndefined();
  });

  test('has no analytics providers where sites share an origin', async () => {
    const found = await settingsOf(withProvidersOff(collection), 'vue/carrel.config.js');
    expect(providerOrigins(text).scripts).toHaveLength(1);
    expect(providerOrigins(found!).scripts).toEqual([]);
  });
});

test.each([
  ['https://api.example/discovery', 'https://api.example'],
  ['http://127.0.0.1:4400/discovery', 'http://127.0.0.1:4400'],
  ['http://[::1]:4400', 'http://[::1]:4400'],
])('%s', (url, origin) => {
  expect(assistantOrigin(settings({ url, domain: 'a' }))).toBe(origin);
});

test.each([
  [''],
  ['// globalThis.__carrel_config = {"assistant":{"url":"https://api.example"}};'],
  ['globalThis.__carrel_config = { assistant: { url: "https://api.example" } };'],
  ['globalThis.__carrel_config = '],
  [settings(undefined)],
  [settings('https://api.example')],
  [settings({ url: '/discovery' })],
  [settings({ url: 'javascript:alert(1)' })],
  [settings({ url: "https://a.example;script-src 'unsafe-inline'" })],
  [settings({ url: 'https://*' })],
  [settings({ url: 'https://api.example', enabled: false })],
  [settings({ url: 'https://api.example', mode: 'quotes' })],
  [settings({ url: 'https://api.example' }).replace('{', '{ "features": { "assistant": { "mode": "off" } },')],
])('%j contains no assistant', (text) => {
  expect(assistantOrigin(text)).toBeUndefined();
});

test.each([
  ['blank lines', '\n'.repeat(1_000_000)],
  ['blanks behind the settings', `self.__carrel_config={}${' '.repeat(1_000_000)}x`],
  ['names of the settings', 'self.__carrel_config\n'.repeat(50_000)],
])('a file with a megabyte of %s is read quickly', (_, text) => {
  expect(assistantOrigin(text)).toBeUndefined();
});

test.each([
  [{ mode: 'direct' }, ['https://api.example', 'https://login.example']],
  [{ mode: 'direct', hosts: ['b.example'] }, ['https://b.example', 'http://b.example']],
  [{ mode: 'proxy', url: 'https://carrel.example/x' }, ['https://carrel.example', 'https://login.example']],
  [{ mode: 'mock' }, []],
])('the playground %j sends requests for tokens to %j', (playground, origins) => {
  const text = `globalThis.__carrel_config = ${JSON.stringify({ features: { playground } })};`;
  const servers = '{"servers":["https://api.example"],"tokens":["https://login.example","https://*"]}';
  expect(playgroundOrigins(text, servers)).toEqual(origins);
});

test.each([
  [{ mode: 'direct' }, ['https://api.example']],
  [{ mode: 'direct', hosts: ['b.example:8443'] }, ['https://b.example:8443', 'http://b.example:8443']],
  [{ mode: 'direct', hosts: ["b.example;script-src 'unsafe-inline'", '*'] }, []],
  [{ mode: 'mock' }, []],
  [{ mode: 'proxy' }, []],
  [{ mode: 'proxy', url: 'https://carrel.example/x', hosts: ['b.example'] }, ['https://carrel.example']],
  [{ mode: 'proxy', url: "https://a.example;script-src 'unsafe-inline'" }, []],
  [undefined, []],
])('the playground %j sends requests to %j', (playground, origins) => {
  const text = `globalThis.__carrel_config = ${JSON.stringify({ features: { playground } })};`;
  expect(playgroundOrigins(text, '{"servers":["https://api.example","https://*"]}')).toEqual(origins);
});

describe('the origins of analytics providers', () => {
  const originsOf = (analytics: unknown) =>
    providerOrigins(`globalThis.__carrel_config = ${JSON.stringify({ features: { analytics } })};`);
  const google = 'https://www.googletagmanager.com';
  const both = (...origins: string[]) => ({ scripts: origins, requests: origins });

  test.each<[string, object, ReturnType<typeof providerOrigins>]>([
    [
      'ga4',
      { measurementId: 'G-A' },
      { scripts: [google], requests: [google, 'https://*.google-analytics.com', 'https://*.analytics.google.com'] },
    ],
    ['gtm', { tagId: 'GTM-A' }, both(google)],
    ['plausible', { domain: 'a.example' }, both('https://plausible.io')],
    ['plausible', { domain: 'a.example', server: 'p.example:8443' }, both('https://p.example:8443')],
    ['fathom', { siteId: 'A' }, both('https://cdn.usefathom.com')],
    [
      'posthog',
      { apiKey: 'phc_a' },
      { scripts: ['https://us-assets.i.posthog.com'], requests: ['https://us.i.posthog.com', 'https://us-assets.i.posthog.com'] },
    ],
    ['posthog', { apiKey: 'phc_a', apiHost: 'https://ph.example.com/x/' }, both('https://ph.example.com')],
    ['pirsch', { id: 'A' }, both('https://api.pirsch.io')],
    ['matomo', { url: 'https://stats.example.com/matomo', siteId: 1 }, both('https://stats.example.com')],
    ['umami', { url: 'https://u.example', websiteId: '94db1cb1-74f4-4a40-ad6c-962362670409' }, both('https://u.example')],
    [
      'umami',
      { url: 'https://cloud.umami.is', websiteId: '94db1cb1-74f4-4a40-ad6c-962362670409' },
      {
        scripts: ['https://cloud.umami.is'],
        requests: ['https://cloud.umami.is', 'https://gateway.umami.is', 'https://api-gateway.umami.dev'],
      },
    ],
  ])('%s %j', (name, fields, origins) => {
    expect(originsOf({ mode: 'providers', providers: { [name]: fields } })).toEqual(origins);
    expect(originsOf({ mode: 'both', providers: { [name]: fields } })).toEqual(origins);
    for (const mode of ['off', 'own', undefined, 1]) expect(originsOf({ mode, providers: { [name]: fields } })).toEqual(both());
  });

  test('include further hosts, once each, and only beside a provider', () => {
    const gtm = { tagId: 'GTM-A' };
    const hosts = ['tags.example.com', '*.example.net', 'www.googletagmanager.com'];
    expect(originsOf({ mode: 'providers', providers: { gtm }, hosts })).toEqual(
      both(google, 'https://tags.example.com', 'https://*.example.net'),
    );
    expect(originsOf({ mode: 'providers', hosts })).toEqual(both());
  });

  // A file that someone changed by hand.
  test.each<{ providers: unknown }>(
    [
      { fathom: { siteId: 'A"><script>' } },
      { fathom: 'A' },
      { ga4: { measurementId: 'G-A&l=x' } },
      { plausible: { domain: 'a.example', server: "p.example; script-src * 'unsafe-inline'" } },
      { plausible: { domain: 'a b' } },
      { posthog: { apiKey: "phc_a'" } },
      { matomo: { url: 'https://stats.example.com/ https://evil.example', siteId: 1 } },
      { matomo: { url: 'https://*', siteId: 1 } },
      { matomo: { url: 'https://a:b:c', siteId: 1 } },
      { umami: { url: 'https://u.example:99999', websiteId: '94db1cb1-74f4-4a40-ad6c-962362670409' } },
      { matomo: { url: 'http://stats.example.com', siteId: 1 } },
      { matomo: { url: 'https://stats.example.com', siteId: '1);alert(1' } },
      { umami: { url: 'https://u.example;', websiteId: '94db1cb1-74f4-4a40-ad6c-962362670409' } },
      { __proto__: { siteId: 'A' }, constructor: {} },
      [],
      null,
    ].map((providers) => ({ providers })),
  )('do not come from %j', ({ providers }) => {
    const { scripts, requests } = originsOf({ mode: 'providers', providers });
    for (const origin of [...scripts, ...requests]) expect(origin).toBe('https://plausible.io');
    expect(JSON.stringify([scripts, requests])).not.toMatch(/evil|unsafe|;/);
  });

  test.each(['a.example; script-src *', "'unsafe-inline'", '*', 'https://a.example', '*.*.example', 1])(
    'do not come from the host %j',
    (host) => {
      expect(originsOf({ mode: 'providers', providers: { gtm: { tagId: 'GTM-A' } }, hosts: [host] })).toEqual(both(google));
    },
  );
});
