import { expect, test } from 'vitest';
import { staticSiteRules } from '../../../integration/static-site/site-rules.ts';
import { createResolver } from '../../../integration/urls/resolver.ts';
import { safeNames } from '../../../integration/urls/safe-names.ts';
import { isWebManifest, relativeWebManifest } from '../../../integration/export/web-manifest.ts';

const files = ['app/site.webmanifest', 'icons/anchor.svg', 'icons/pier.png'];
const pages = [
  { path: '', file: 'index.html' },
  { path: 'fares', file: 'fares.html' },
];
const resolver = createResolver({
  names: safeNames(['', 'fares'], files, [], (path) => (path === '' ? 'index.html' : `${path}.html`)),
  pages,
  files,
  redirects: [],
  home: '',
  rules: staticSiteRules({
    base: '/docs/',
    url: 'https://ferries.example.com/docs/',
    content: { select: ['main'], ignore: [] },
    search: 'off',
    allow: [],
  }).urls,
});
const vendored = new Map([['https://pictures.example.org/boat.png', '_carrel/outside/boat.png']]);
const relative = (manifest: unknown, file = 'app/site.webmanifest') =>
  JSON.parse(relativeWebManifest(JSON.stringify(manifest), { resolver, file, vendored }));

test('a web manifest has relative URLs to files of the export', () => {
  expect(
    relative({
      name: 'Ferries',
      id: '/docs/',
      start_url: '/docs/?from=home#top',
      scope: '/docs/',
      icons: [{ src: '/docs/icons/anchor.svg', sizes: 'any' }, { src: 'https://pictures.example.org/boat.png' }],
      screenshots: [{ src: 'https://ferries.example.com/docs/icons/pier.png' }],
      shortcuts: [{ name: 'Fares', url: '/docs/fares', icons: [{ src: '/docs/icons/pier.png' }] }],
    }),
  ).toEqual({
    name: 'Ferries',
    id: '/docs/',
    start_url: '../index.html?from=home#top',
    scope: '../',
    icons: [{ src: '../icons/anchor.svg', sizes: 'any' }, { src: '../_carrel/outside/boat.png' }],
    screenshots: [{ src: '../icons/pier.png' }],
    shortcuts: [{ name: 'Fares', url: '../fares.html', icons: [{ src: '../icons/pier.png' }] }],
  });
  expect(relative({ start_url: '/docs/', scope: '/docs/' }, 'manifest.json')).toEqual({ start_url: 'index.html', scope: './' });
});

test('a file that needs no change keeps every byte, even if it is not a manifest', () => {
  for (const text of [
    '{"start_url":".",\n"icons":[{"src":"icons/anchor.svg"}]}',
    '{ "icons": { "src": "/docs/x" }, "shortcuts": [null, 3], "start_url": 7 }',
    '{ "icons": [{ "src": "https://elsewhere.example.org/a.png" }, {}, null] }',
    '{ "scope": "", "start_url": "" }',
    '["/docs/"]',
    'null',
    '{ "start_url": "/docs/"',
    '',
  ])
    expect(relativeWebManifest(text, { resolver, file: 'manifest.json', vendored })).toBe(text);
});

test.each([
  ['site.webmanifest', true],
  ['manifest.json', true],
  ['icons/Manifest.JSON', true],
  ['site.webmanifest.txt', false],
  ['icons/manifest.json', true],
  ['carrel-manifest.json', false],
  ['manifest.json.txt', false],
])('%s is a web manifest by its name: %s', (file, is) => {
  expect(isWebManifest(file)).toBe(is);
});
