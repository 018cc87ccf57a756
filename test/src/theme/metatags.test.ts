import { expect, test } from 'vitest';
import { metatags } from '../../../src/theme/metatags.ts';
import { samplePage, sampleReader } from './sample-page.ts';

const tags = (change: Parameters<typeof samplePage>[1]) =>
  Object.fromEntries(
    metatags(samplePage(sampleReader, change)).map(({ attribute, name, content }) => [`${attribute}=${name}`, content]),
  );

test('describes the page, and on the home page the site', () => {
  expect(tags({})['name=description']).toBeUndefined();
  expect(tags({ page: { isHome: true } })['name=carrel:site-description']).toBe('All about Acme.');
  expect(tags({ page: { description: 'How to install.' } })).toMatchObject({
    'name=description': 'How to install.',
    'property=og:description': 'How to install.',
  });
  expect(tags({ page: { lead: 'Download it first.' } })).toMatchObject({
    'name=description': 'Download it first.',
    'property=og:description': 'Download it first.',
  });
});

test('lets the site override our tags, and the page the site', () => {
  const config = { metatags: { 'og:type': 'article', 'twitter:card': 'summary' } };
  expect(tags({ config, page: { metatags: { 'twitter:card': 'player' } } })).toMatchObject({
    'property=og:type': 'article',
    'name=twitter:card': 'player',
  });
});

test.each([
  [{ noindex: true }, 'name=robots', 'noindex'],
  [{ noindex: false }, 'name=robots', undefined],
  [{ searchable: false }, 'name=carrel:searchable', 'false'],
  [{ boost: 2 }, 'name=carrel:boost', '2'],
  [{ tag: 'POST' }, 'name=carrel:tag', 'POST'],
  [{ trail: [{ title: 'API' }, { title: 'Jobs', href: '/jobs' }] }, 'name=carrel:trail', 'API › Jobs'],
  [{ docsVersion: 'v2' }, 'name=carrel:docs-version', 'v2'],
  [{ keywords: ['a', 'b'] }, 'name=keywords', 'a, b'],
])('of %o has %s: %s', (page, tag, content) => {
  expect(tags({ page })[tag]).toBe(content);
});

test.each<[string, string | undefined, object]>([
  ['the active tab', 'API', { tabs: switches('Guides', '*API') }],
  ['the product rather than its tab', 'Lamps', { products: switches('*Lamps', 'Pumps'), tabs: switches('*Guides', 'API') }],
  ['the tab where there is one product', 'Guides', { products: switches('*Lamps'), tabs: switches('*Guides', 'API') }],
  ['no part where none is divided', undefined, { tabs: switches('*Guides'), anchors: switches('Forum', 'Blog') }],
])('names as the part of the site %s: %s', (_, area, context) => {
  expect(tags({ context })['name=carrel:area']).toBe(area);
});

function switches(...labels: string[]) {
  return labels.map((label) => ({ label: label.replace('*', ''), href: '/', active: label.startsWith('*') }));
}
