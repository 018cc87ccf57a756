import { expect, test } from 'vitest';
import { nameInEnding, titleEnding, withoutEnding } from '../../../integration/page/page-title.ts';
import { variantOf } from '../../../integration/page/page-variant.ts';
import { pathMatcher } from '../../../integration/text/path-patterns.ts';
import { readHtml } from '../../../integration/html/read-html.ts';
import { guessBase, rootUrlReader } from '../../../integration/static-site/guess-base.ts';

test.each([
  [['Sow | The garden', 'Water | The garden', 'Weed | The garden'], ' | The garden'],
  [['Sow - Guide - The garden', 'Water - Guide - The garden'], ' - Guide - The garden'],
  [['Sow - Guide - The garden', 'Water - Reference - The garden', 'Weed - Guide - The garden'], ' - The garden'],
  [['Sow – dry and wet', 'Water', 'Weed'], ''],
  [['Sow | The garden', 'Sow | The garden'], ''],
  [[], ''],
])('what the site adds to titles: %j', (titles, ending) => {
  expect(titleEnding(titles, [])).toBe(ending);
});

test('a single page is enough if the site declares its name', () => {
  expect(titleEnding(['Sow - The garden'], [undefined, 'The garden'])).toBe(' - The garden');
});

test('a title keeps its own text', () => {
  expect(withoutEnding('Sow | The garden', ' | The garden')).toBe('Sow');
  expect(withoutEnding('The garden', ' | The garden')).toBe('The garden');
  expect(nameInEnding(' | The garden')).toBe('The garden');
});

const rules = {
  languages: { de: 'de-AT' },
  routedLanguages: { fr: 'fr', uk: 'en-GB', '': 'en' },
  versions: { v1: '1.x', 'fr/v1': '1.x' },
  defaultLanguage: 'en',
};
test.each([
  ['fr/a', {}, { language: 'fr' }],
  ['french', {}, { language: 'en' }],
  ['fr', { language: 'fr-CA' }, { language: 'fr-CA' }],
  ['a', { language: ' EN ' }, { language: 'en' }],
  ['a', { language: 'pt_br' }, { language: 'pt-BR' }],
  // A generated reference beside pages of another program.
  ['api/a', { language: 'en-US' }, { language: 'en' }],
  // Translations, by their folder or by the site's routing.
  ['en-us/a', { language: 'en-US' }, { language: 'en-US' }],
  ['uk/a', { language: 'en-GB' }, { language: 'en-GB' }],
  ['a', { language: 'old english' }, { language: 'old english' }],
  ['de/a', { language: 'en' }, { language: 'de-AT' }],
  ['v1/a', {}, { language: 'en', docsVersion: '1.x' }],
  ['fr/v1/a', { docsVersion: '0.9' }, { language: 'fr', docsVersion: '0.9' }],
])('language and version of %s, which says %j', (path, said, expected) => {
  expect(variantOf(path, said, rules)).toEqual(expected);
});

test.each([
  [['drafts/**'], ['drafts', 'drafts/a', 'drafts/a/b'], ['draft', 'a/drafts']],
  [['/a/*/'], ['a/b'], ['a', 'a/b/c']],
  [['**/secret'], ['secret', 'a/secret', 'a/b/secret'], ['a/secrets']],
  [['a.b'], ['a.b'], ['aXb']],
  [[], [], ['', 'a']],
])('patterns %j', (patterns, inside, outside) => {
  const matches = pathMatcher(patterns);
  expect(inside.filter((path) => !matches(path))).toEqual([]);
  expect(outside.filter(matches)).toEqual([]);
});

test.each([
  ['/', '<link href="/a.css"><script src="/js/b.js">'],
  ['/docs/', '<link href="/docs/a.css"><script src="/docs/js/b.js"><img src="/other.png">'],
  ['/a/b/', '<img src="/a/b/js/b.js?v=1">'],
  [undefined, '<link href="a.css"><script src="https://cdn.example.com/js/b.js">'],
])('URLs begin with %s', (base, html) => {
  const reader = rootUrlReader();
  readHtml(html, { ...reader, text() {} });
  expect(guessBase(reader.urls, new Set(['a.css', 'js/b.js', 'index.html']))).toBe(base);
});
