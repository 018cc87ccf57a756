import { expect, test } from 'vitest';
import { assistantOrigin } from '../../../server/hosting/with-assistant.ts';

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
