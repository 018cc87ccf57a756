import { describe, expect, test } from 'vitest';
import { excerpt, markRanges } from '../../../integration/search/excerpt.ts';

/** The text with its marks in brackets. */
function shown({ text, marks }: { text: string; marks: [number, number][] }): string {
  return marks.reduceRight(
    (marked, [start, end]) => `${marked.slice(0, start)}[${marked.slice(start, end)}]${marked.slice(end)}`,
    text,
  );
}

test.each([
  ['the whole word in any case and number', 'Read the Tasks, not taskmaster.', ['task'], 'Read the [Tasks], not taskmaster.'],
  ['a name by one of its parts', 'Call batchTrigger().', ['trigger'], 'Call [batchTrigger]().'],
  ['adjacent pairs as one', '请先安装命令行工具。', ['命令', '令行'], '请先安装[命令行]工具。'],
  ['what touches as one', '第3章', ['第', '3', '章'], '[第3章]'],
  ['a word in the other normal form', 'Über Größe', ['grosse', 'große'], 'Über [Größe]'],
  [
    'decomposed letters whole',
    'Über Größe'.normalize('NFD'),
    ['uber'],
    `[${'Über'.normalize('NFD')}] ${'Größe'.normalize('NFD')}`,
  ],
  ['the name of an object property', 'a constructor', ['constructor'], 'a [constructor]'],
  ['a compound whole', 'Call client.run(), not run.', ['client.run'], 'Call [client.run](), not run.'],
  ['nothing for no terms', 'some words', [], 'some words'],
])('marks %s', (_, text, terms, expected) => {
  expect(shown({ text, marks: markRanges(text, terms) })).toBe(expected);
});

describe('an excerpt', () => {
  const filler = 'Some other words stand here and say little. ';

  test('is the whole text if it fits, with white space as one space', () => {
    expect(shown(excerpt(' Put it\n\n on the  machine. ', ['machine'], 40))).toBe('Put it on the [machine].');
  });

  test('begins a little before the first match, and is cut between words', () => {
    const { text, marks } = excerpt(`${filler.repeat(5)}The lantern shines. ${filler.repeat(5)}`, ['lantern'], 60);
    expect(shown({ text, marks })).toBe('…little. The [lantern] shines. Some other words stand here…');
  });

  test('shows the part with most of the terms', () => {
    const text = `A lantern. ${filler.repeat(4)}Light a lantern with a match. ${filler.repeat(4)}A match.`;
    expect(shown(excerpt(text, ['lantern', 'match'], 70))).toContain('[lantern] with a [match]');
  });

  test.each([
    [
      'different terms rather than one of them often',
      `A lantern, lantern, lantern. ${filler.repeat(4)}A lantern and a match.`,
      ['lantern', 'match'],
      '…other words stand here and say little. A [lantern] and a [match].',
    ],
    [
      'different terms rather than one name with several parts',
      `Call batchTrigger here. ${filler.repeat(4)}A trigger of a queue.`,
      ['trigger', 'queue'],
      '…other words stand here and say little. A [trigger] of a [queue].',
    ],
    [
      'terms that it can show together rather than those that it cannot',
      `The lantern hangs over the gate of that old house, not a match. ${filler.repeat(4)}A lantern, a match.`,
      ['lantern', 'match'],
      '…Some other words stand here and say little. A [lantern], a [match].',
    ],
    [
      'a term often rather than once',
      `A lantern. ${filler.repeat(4)}A lantern, lantern, lantern. ${filler.repeat(4)}`,
      ['lantern'],
      '…little. A [lantern], [lantern], [lantern]. Some other words stand…',
    ],
    [
      'the first of equal parts',
      `The first lantern. ${filler.repeat(4)}A second lantern. ${filler.repeat(4)}`,
      ['lantern'],
      'The first [lantern]. Some other words stand here and say little…',
    ],
    [
      'a term often, though it comes once later',
      `The lantern, lantern, lantern. ${filler.repeat(4)}One lantern. ${filler.repeat(4)}`,
      ['lantern'],
      'The [lantern], [lantern], [lantern]. Some other words stand here and…',
    ],
  ])('shows %s', (_, text, terms, expected) => {
    expect(shown(excerpt(text, terms, 65))).toBe(expected);
  });

  test.each([
    ['is the whole text if it is exactly as long', 'Some words and a lantern', ['lantern'], 24, 'Some words and a [lantern]'],
    ['keeps a word that ends where the room does', 'alpha beta gamma', [], 11, 'alpha beta…'],
    [
      'keeps what stands before its first word',
      `(A lantern) ${filler.repeat(3)}`,
      ['lantern'],
      30,
      '(A [lantern]) Some other words…',
    ],
    ['may begin with a match', `${'x'.repeat(20)} lantern ${filler}`, ['lantern'], 15, '…[lantern] Some…'],
    ['cuts a word only if it is longer than the excerpt', 'x'.repeat(500), [], 10, 'xxxxxxxxx…'],
    ['keeps the end of the text', `${filler.repeat(5)}Last lantern.`, ['lantern'], 30, '…and say little. Last [lantern].'],
  ])('%s', (_, text, terms, length, expected) => {
    expect(shown(excerpt(text, terms, length))).toBe(expected);
  });

  test('shows the beginning if nothing matches', () => {
    expect(excerpt(filler.repeat(5), ['lantern'], 30)).toEqual({ text: 'Some other words stand here…', marks: [] });
  });

  test('uses the whole length at the end of the text', () => {
    const { text } = excerpt(`${filler.repeat(5)}Last lantern`, ['lantern'], 60);
    expect(text).toMatch(/^….*Last lantern$/);
    expect(text.length).toBeGreaterThan(40);
  });

  test.each([
    ['words', filler.repeat(9), true],
    ['one endless word', 'x'.repeat(500), false],
    ['characters outside the first plane', '𠮷'.repeat(200), true],
    ['emoji only', '😀'.repeat(200), false],
    ['a script without spaces', '请先安装命令行工具，然后运行构建命令。'.repeat(20), true],
  ])('of %s is never longer than requested, nor cut inside a character', (_, text, isMarked) => {
    let marks = 0;
    for (let length = 10; length < 80; length++) {
      for (const terms of [[], ['little'], ['𠮷𠮷'], ['命令']]) {
        const found = excerpt(text, terms, length);
        expect(found.text.length).toBeLessThanOrEqual(length);
        expect(() => encodeURIComponent(found.text)).not.toThrow();
        for (const [start, end] of found.marks) expect(start < end && end <= found.text.length).toBe(true);
        marks += found.marks.length;
      }
    }
    expect(marks > 0).toBe(isMarked);
  });
});
