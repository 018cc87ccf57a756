import { expect, test } from 'vitest';
import { forgetSearches, recentSearches, rememberSearch } from '../../../../integration/reader/search/remembered.ts';

function storage(content: Record<string, string> = {}) {
  const values = new Map(Object.entries(content));
  const kept = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  };
  return () => kept as Storage;
}

test('stores the last six searches, each once, latest first', () => {
  const kept = storage();
  for (const query of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'c']) rememberSearch(kept, query);
  expect(recentSearches(kept)).toEqual(['c', 'g', 'f', 'e', 'd', 'b']);
  forgetSearches(kept);
  expect(recentSearches(kept)).toEqual([]);
});

test.each(['not json', '{"a":1}', '[1,null]', 'null'])('is empty where %s is stored', (stored) => {
  expect(recentSearches(storage({ 'carrel-recent-searches': stored }))).toEqual([]);
});

test('is empty where storage is blocked', () => {
  const refused = () => {
    throw new DOMException('refused', 'SecurityError');
  };
  rememberSearch(refused, 'a');
  expect(recentSearches(refused)).toEqual([]);
});
