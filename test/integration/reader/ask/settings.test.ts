import { expect, test } from 'vitest';
import { askSettings } from '../../../../integration/reader/ask/settings.ts';

const page = 'https://docs.example/guides/install/';
const quoting = { enabled: true, server: undefined, suggestions: [] };

function read(config: unknown, place = page) {
  const faults: string[] = [];
  return { settings: askSettings(config, place, (fault) => faults.push(fault)), faults };
}

test.each([[undefined], [null], [{}], [{ assistant: null }], [{ assistant: {} }], [{ assistant: { url: '' } }], ['text'], [[]]])(
  'without settings (%j) the docs are quoted, and nothing is reported',
  (config) => {
    expect(read(config)).toEqual({ settings: quoting, faults: [] });
  },
);

test.each([
  ['https://api.example/discovery/', 'https://api.example/discovery'],
  ['/discovery', 'https://docs.example/discovery'],
  ['https://api.example/discovery?a#b', 'https://api.example/discovery'],
])('%s is a server', (url, expected) => {
  const { settings, faults } = read({
    assistant: { url, domain: 'harbour', key: 'svc_dsc_1', suggestions: [' a ', 'b', '', 'c', 'd'] },
  });
  expect(faults).toEqual([]);
  expect(settings.server).toEqual({ url: expected, domain: 'harbour', key: 'svc_dsc_1' });
  expect(settings.suggestions).toEqual(['a', 'b', 'c']);
});

test('a page on file:// has no server', () => {
  const { settings, faults } = read(
    { assistant: { url: 'https://api.example', domain: 'harbour' } },
    'file:///tmp/site/index.html',
  );
  expect(settings.server).toBeUndefined();
  expect(faults).toEqual([]);
});

test('the settings can turn Ask off', () => {
  expect(read({ assistant: { enabled: false } }).settings.enabled).toBe(false);
  expect(read({ features: { assistant: { mode: 'off' } } }).settings.enabled).toBe(false);
});

test.each<[string, unknown]>([
  ['"assistant" must be an object', 'yes'],
  ['assistant.url must be an http(s) URL', { url: 'javascript:alert(1)', domain: 'a' }],
  ['assistant.url must be an http(s) URL', { url: 7, domain: 'a' }],
  ['assistant.url must be an http(s) URL', { url: 'http://[', domain: 'a' }],
  ['assistant.domain must be', { url: '/discovery' }],
  ['assistant.domain must be', { url: '/discovery', domain: '../x' }],
  ['assistant.key must be a string', { url: '/discovery', domain: 'a', key: 7 }],
  ['assistant.key is an admin key', { url: '/discovery', domain: 'a', key: 'svc_secret' }],
  ['assistant.suggestions must be', { suggestions: 'How?' }],
  ['assistant.enabled must be', { enabled: 'no' }],
  ['assistant.mode must be', { mode: 'on' }],
])('reports that %s', (fault, assistant) => {
  const { settings, faults } = read({ assistant });
  expect(faults).toHaveLength(1);
  expect(faults[0]).toContain(fault);
  expect(faults[0]).not.toContain('svc_secret');
  expect(settings).toEqual(quoting);
});

test('settings in "features" override those at the top level', () => {
  const assistant = { url: 'https://api.example/discovery', domain: 'harbour' };
  const server = { ...assistant, key: undefined };
  expect(read({ features: { assistant } }).settings.server).toEqual(server);
  expect(read({ assistant, features: { assistant: { suggestions: ['How?'] } } }).settings).toEqual({
    ...quoting,
    server,
    suggestions: ['How?'],
  });
  expect(read({ assistant, features: { assistant: { mode: 'quotes' } } })).toEqual({ settings: quoting, faults: [] });
});
