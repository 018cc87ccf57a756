// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { noResults } from '../../../../integration/reader/search/empty-list.ts';
import english from '../../../../integration/texts/en.json' with { type: 'json' };

test('a part of the site without results offers all of it by that name, and other languages by theirs', () => {
  const found = (language: string, isWhole: boolean) => ({ index: { language, folder: language }, isWhole, count: 2 });
  const choices = (elsewhere: ReturnType<typeof found>[]) =>
    noResults(
      { query: 'x', nearest: [], elsewhere, ask: undefined, searchIn: () => undefined },
      { ...english.search, ...english.dialogs },
    ).flatMap((group) => [...group.querySelectorAll('[role=option]')].map((choice) => choice.textContent));
  expect(choices([found('en', true), found('de', false)])).toEqual(['All2 results', 'Deutsch2 results']);
  expect(choices([found('de', false)])).toEqual(['Deutsch2 results']);
});
