import { expect, test } from 'vitest';
import { languageTag } from '../../../integration/text/language-tag.ts';
import { direction, languageName } from '../../../src/site/languages.ts';

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
