import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { labels } from '../../../src/site/labels.ts';
import { en } from '../../../src/site/labels/en.ts';
import { direction, languageName, languageTag } from '../../../src/site/languages.ts';

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

const languages = readdirSync(new URL('../../../src/site/labels/', import.meta.url)).map((file) => file.replace('.ts', ''));

test.each(languages)('%s has every label', (language) => {
  const own = labels(language);
  expect(Object.keys(own)).toEqual(Object.keys(en));
  expect(Object.values(own).every((label) => label.trim() !== '')).toBe(true);
  if (language !== 'en') expect(own.search).not.toBe(en.search);
});

test.each([
  ['de-AT', 'Suche'],
  ['zh-CN', '搜索'],
  ['zh-TW', '搜尋'],
  ['zh-Hant-HK', '搜尋'],
  ['pt-BR', 'Pesquisar'],
  ['sv', 'Search'],
])('the labels of %s are those of its language, else English', (language, search) => {
  expect(labels(language).search).toBe(search);
});
