import { expect, test } from 'vitest';
import { keptRanges } from '../../../integration/output/joined-file.ts';

const previous = { key: 'https://docs.example.com', parts: [['a.md', 10] as [string, number], ['b.md', 20] as [string, number]] };

test.each([
  ['the same parts', previous.key, ['a.md', 'b.md'], true],
  ['another order', previous.key, ['b.md', 'a.md'], false],
  ['fewer parts', previous.key, ['a.md'], false],
  ['no parts', previous.key, [], false],
  ['another key', 'https://example.com', ['a.md', 'b.md'], false],
  // The pages that only other readers see were the only ones of the default language.
  ['another key and no parts', 'https://example.com', [], false],
])('%s: whether the whole previous file is kept', (_, key, parts, isWhole) => {
  expect(keptRanges(previous, { key, parts }, () => true).isWhole).toBe(isWhole);
});
