import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { englishSearchLabels } from '../../../integration/reader/search/labels.ts';
import { searchLabels } from '../../../integration/export/search-labels.ts';

const languages = readdirSync(new URL('../../../src/site/labels/', import.meta.url)).map((file) => file.replace('.ts', ''));

test.each(languages.filter((language) => language !== 'en'))(
  '%s, a language of the theme, has every word of the search dialog',
  (language) => {
    const words = searchLabels(language)!;
    expect(Object.keys(words).sort()).toEqual(Object.keys(englishSearchLabels).sort());
    expect(words.searchResults).toContain('{count}');
    expect(words.searchNoResults).toContain('{query}');
  },
);

test.each([
  ['de-AT', 'Suche'],
  ['zh-CN', '搜索'],
  ['zh-TW', '搜尋'],
  ['en', undefined],
  ['tlh', undefined],
])('%s searches with the word %s', (language, word) => {
  expect(searchLabels(language)?.search).toBe(word);
});
