import { expect, test } from 'vitest';
import { similarTerms } from '../../../integration/search/dictionary.ts';
import { createTermWriter, frontDecoded } from '../../../integration/search/terms.ts';
import { generatedPages } from '../../support/generated-pages.ts';
import { slipsBetween, wholeIndex } from '../../support/whole-index.ts';

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
  ['instlal', 2, { install: 1 }],
  ['xnstall', 1, { install: 1 }],
  ['isntall', 1, { install: 1 }],
  ['nistall', 1, { install: 1 }],
  ['install', 1, { install: 0 }],
  ['zzzz', 1, {}],
])('finds what is close to %s by %i', (term, distance, expected) => {
  const entries = dictionary(['in', 'inst', 'install', 'installation', 'instant', 'wall']).split(' ');
  expect(Object.fromEntries(similarTerms(entries, term, distance))).toEqual(expected);
});

test('finds the same as looking at every term', () => {
  const { miniSearch } = wholeIndex(generatedPages(80)).corpus;
  const terms = (miniSearch.toJSON().index as [string, unknown][]).map(([term]) => term);
  expect(terms.length).toBeGreaterThan(1000);
  const entries = dictionary(terms).split(' ');
  const slips = [
    (known: string) => `${known.slice(1)}e`,
    (known: string) => `${known.slice(0, 1)}${known[2] ?? ''}${known[1] ?? ''}${known.slice(3)}`,
  ];
  for (const [i, known] of terms.entries()) {
    if (i % 20 > 0) continue;
    for (const slip of slips) {
      const expected = terms
        .map((term) => [term, slipsBetween(term, slip(known), 2)] as const)
        .filter(([, distance]) => distance <= 2);
      expect(Object.fromEntries(similarTerms(entries, slip(known), 2))).toEqual(Object.fromEntries(expected));
    }
  }
});
