import { expect, test } from 'vitest';
import { assistantOrigin, playgroundOrigins } from '../../../server/hosting/with-settings.ts';

const settings = (assistant: unknown) =>
  `// Settings.\nglobalThis.__carrel_config = ${JSON.stringify({ assistant }, null, 2)};\n`;

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
