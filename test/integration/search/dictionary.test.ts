import { expect, test } from 'vitest';
import { similarTerms } from '../../../integration/search/dictionary.ts';
import { createTermWriter, frontDecoded } from '../../../integration/search/terms.ts';
import { generatedPages } from '../../support/generated-pages.ts';
import { wholeIndex } from '../../support/whole-index.ts';

function dictionary(terms: string[]): string {
  const writer = createTermWriter();
  for (const term of terms.toSorted()) writer.add(term, 'A');
  return writer.finish().dictionary;
}

test('terms survive being written and read', () => {
  const terms = [
    'a',
    'ab',
    'abc',
    'abd',
    'b',
    'constructor',
    'conx',
    '安装',
    '安排',
    '𠮷',
    '𠮷野',
    `${'z'.repeat(39)}a`,
    'z'.repeat(40),
  ].sort();
  expect(frontDecoded(dictionary(terms))).toEqual(terms);
  expect(frontDecoded('')).toEqual([]);
});

test.each([
  ['instal', 1, { install: 1 }],
  ['instlal', 2, { install: 2 }],
  ['xnstall', 1, { install: 1 }],
  ['install', 1, { install: 0 }],
  ['zzzz', 1, {}],
])('finds what is close to %s by %i', (term, distance, expected) => {
  const entries = dictionary(['in', 'inst', 'install', 'installation', 'instant', 'wall']).split(' ');
  expect(Object.fromEntries(similarTerms(entries, term, distance))).toEqual(expected);
});

test('finds the same as MiniSearch does', () => {
  const { miniSearch } = wholeIndex(generatedPages(80)).corpus;
  const tree = (
    miniSearch as unknown as {
      _index: Map<string, unknown> & { fuzzyGet(term: string, distance: number): Map<string, [unknown, number]> };
    }
  )._index;
  const terms = [...tree.keys()];
  const entries = dictionary(terms).split(' ');
  for (const term of terms.filter((_, i) => i % 20 === 0).map((known) => `${known.slice(1)}e`)) {
    const expected = [...tree.fuzzyGet(term, 2)].map(([similar, [, distance]]) => [similar, distance]);
    expect([...similarTerms(entries, term, 2)].toSorted()).toEqual(expected.toSorted());
  }
});
