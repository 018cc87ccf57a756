import { expect, test } from 'vitest';
import { similarTerms } from '../../../integration/search/dictionary.ts';
import { createTermWriter, frontDecoded } from '../../../integration/search/term-writer.ts';
import { generatedPages } from '../../support/generated-pages.ts';
import { typosBetween, wholeIndex } from '../../support/whole-index.ts';

function dictionary(terms: string[]): string {
  const writer = createTermWriter();
  for (const term of terms.toSorted()) writer.add(term, 'A');
  return writer.finish().dictionary.files.join(' ');
}

test('terms are the same after encoding and decoding', () => {
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
])('finds the terms within a distance of %s: %i', (term, distance, expected) => {
  const entries = dictionary(['in', 'inst', 'install', 'installation', 'instant', 'wall']).split(' ');
  expect(Object.fromEntries(similarTerms(entries, term, distance))).toEqual(expected);
});

test('finds the same as a comparison with every term', () => {
  const { miniSearch } = wholeIndex(generatedPages(80)).corpus;
  const terms = (miniSearch.toJSON().index as [string, unknown][]).map(([term]) => term);
  expect(terms.length).toBeGreaterThan(1000);
  const entries = dictionary(terms).split(' ');
  const typos = [
    (known: string) => `${known.slice(1)}e`,
    (known: string) => `${known.slice(0, 1)}${known[2] ?? ''}${known[1] ?? ''}${known.slice(3)}`,
  ];
  for (const [i, known] of terms.entries()) {
    if (i % 20 > 0) continue;
    for (const typo of typos) {
      const expected = terms
        .map((term) => [term, typosBetween(term, typo(known), 2)] as const)
        .filter(([, distance]) => distance <= 2);
      expect(Object.fromEntries(similarTerms(entries, typo(known), 2))).toEqual(Object.fromEntries(expected));
    }
  }
});
