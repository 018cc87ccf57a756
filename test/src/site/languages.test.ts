import { expect, test } from 'vitest';
import { languageTag } from '../../../integration/text/language-tag.ts';
import { direction, languageName, untranslatedPages } from '../../../src/site/languages.ts';
import { buildSite } from '../../../src/site/build-site.ts';
import { sourceOf } from './site-of.ts';

test.each([
  ['jp', 'ja', '日本語'],
  ['cn', 'zh', '中文'],
  ['ja-JP', 'ja-JP', '日本語 (日本)'],
  ['pt-br', 'pt-BR', 'Português (Brasil)'],
  ['zh-Hans', 'zh-Hans', '中文（简体）'],
  ['fr-CA', 'fr-CA', 'Français (Canada)'],
  ['de', 'de', 'Deutsch'],
  ['not a tag', 'not a tag', 'not a tag'],
])('%s is the language %s, "%s"', (code, tag, name) => {
  expect(languageTag(code)).toBe(tag);
  expect(languageName(tag)).toBe(name);
});

test.each([
  ['ar', 'rtl'],
  ['ar-EG', 'rtl'],
  ['he', 'rtl'],
  ['en', 'ltr'],
  ['ja', 'ltr'],
])('%s is written %s', (language, expected) => {
  expect(direction(language)).toBe(expected);
});

test.each([
  ['without a folder', ['index', 'guide', 'a/b', 'de/index', 'de/guide'], 'de/a/b', '/a/b'],
  ['in a folder', ['en/index', 'en/a/b', 'fr/index'], 'fr/a/b', '/en/a/b'],
  ['without the page', ['index', 'a/b', 'de/index'], 'de/a/c', undefined],
  ['from a folder that is not a language', ['index', 'a/b', 'de/index', 'more/index'], 'more/a/b', undefined],
])('a page without translation is the one in the default language, %s', (_, files, path, expected) => {
  expect(untranslatedPages(buildSite(sourceOf(files, null)))(path)).toBe(expected);
});

test('a page without translation is missing where docs.json lists the pages', () => {
  const languages = [
    { language: 'en', pages: ['a', 'b'] },
    { language: 'de', pages: ['de/a'] },
  ];
  const site = buildSite(sourceOf(['a', 'b', 'de/a'], { name: 'Docs', navigation: { languages } }));
  expect(untranslatedPages(site)('de/b')).toBeUndefined();
});
