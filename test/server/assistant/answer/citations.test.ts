import { expect, test } from 'vitest';
import { createCitationFilter } from '../../../../server/assistant/answer/citations.ts';

function filtered(pieces: Iterable<string>, count = 3): string[] {
  const filter = createCitationFilter((number) => (number >= 1 && number <= count ? number : undefined));
  return [...Array.from(pieces).map((piece) => filter.push(piece)), filter.end()];
}

const cases: [title: string, text: string, expected: string][] = [
  ['a source that there is', 'Run it [1].', 'Run it [1].'],
  ['one that there is not, with the blank before it', 'Run it [4]. Then [9] stop.', 'Run it. Then stop.'],
  ['without a blank, words stay apart', 'Run [9]it', 'Run it'],
  ['several at once', 'Run [1, 2] and [1;3].', 'Run [1][2] and [1][3].'],
  ['several of which some are', 'Run [1, 7].', 'Run [1].'],
  ['one after the other', 'Run [1][9][3].', 'Run [1][3].'],
  ['a range', 'Run [1-3], [2–9], [1-99].', 'Run [1][2][3], [2][3],.'],
  ['the same twice', 'Run [1, 1].', 'Run [1].'],
  ['zero and large numbers', 'a [0] b [00] c [99999999999999999999] d', 'a b c d'],
  ['as a footnote', 'Run [^2] or [^8].', 'Run [2] or.'],
  ['in brackets of another script', 'Run【2】 or 【3†source】 or【7】.', 'Run[2] or [3] or.'],
  ['at the start of a line', '[1] says so.\n[8] does not.', '[1] says so.\n does not.'],
  ['a link with a number as its text', 'See [9](https://a.test/) and [1](/b).', 'See [9](https://a.test/) and [1](/b).'],
  ['the definition of a link', '[9]: https://a.test/\n', '[9]: https://a.test/\n'],
  ['other brackets', 'An [array] of [x] and [ ] and [1 apple] [a9]', 'An [array] of [x] and [ ] and [1 apple] [a9]'],
  ['a task list', '- [ ] one\n- [x] two', '- [ ] one\n- [x] two'],
  ['escaped', 'It is \\[9] here.', 'It is \\[9] here.'],
  ['in a code span', 'Use `list[9]` and ``a`[8]`` now [9].', 'Use `list[9]` and ``a`[8]`` now.'],
  ['after a tick that opens no code', "It's `odd [9].\n\nNext [9] [1].", "It's `odd.\n\nNext [1]."],
  ['after ticks at the end', 'Odd ``` [9]', 'Odd ```'],
  ['in a code block', '```js\nlist[9] = [8]\n```\nSo [9][1].', '```js\nlist[9] = [8]\n```\nSo[1].'],
  ['in a longer code block', '````\n```\n[9]\n```\n[8]\n````\n[9][2]', '````\n```\n[9]\n```\n[8]\n````\n[2]'],
  ['in a block of tildes, in a list', '- a\n  ~~~\n  [9]\n  ```\n  ~~~\n  b [9]', '- a\n  ~~~\n  [9]\n  ```\n  ~~~\n  b'],
  ['in a block that is not closed', '```\n[9]\n', '```\n[9]\n'],
  ['a bracket that never closes', 'See [1, 2', 'See [1, 2'],
  ['a bracket with too much in it', `See [${'1, '.repeat(60)}`, `See [${'1, '.repeat(60)}`],
  ['blanks and lines at the end', 'a  \n\n  ', 'a  \n\n  '],
  ['astral characters', '😀 [1] 🎉[9]', '😀 [1] 🎉'],
  ['nothing', '', ''],
];

test.each(cases)('%s', (_, text, expected) => {
  expect(filtered([text]).join('')).toBe(expected);
});

test('the pieces of the text make no difference, and no citation is cut', () => {
  for (const [title, text, expected] of cases) {
    expect(filtered(text).join(''), title).toBe(expected);
    for (let at = 1; at < text.length; at++) {
      const pieces = filtered([text.slice(0, at), text.slice(at)]);
      expect(pieces.join(''), `${title}, cut at ${at}`).toBe(expected);
    }
    if (/`|~|\]\(/.test(text)) continue;
    for (const piece of filtered(text)) expect(piece.match(/\[\d+$|^\d+\]/), `${title}: ${piece}`).toBeNull();
  }
});

test('ordinary text is sent at once', () => {
  const filter = createCitationFilter((number) => number);
  expect(filter.push('Run it')).toBe('Run it');
  expect(filter.push(' now')).toBe(' now');
  expect(filter.push(' [1')).toBe('');
  expect(filter.push('] or')).toBe(' [1] or');
  expect(filter.push('\n```sh\nnpm')).toBe('\n```sh\nnpm');
  expect(filter.push(' install')).toBe(' install');
});

test('a long answer in small pieces is read once', () => {
  const text = 'Words `code [9]` and [1] more [7].\n'.repeat(20_000);
  const filter = createCitationFilter((number) => (number === 1 ? 1 : undefined));
  let length = 0;
  for (let at = 0; at < text.length; at += 7) length += filter.push(text.slice(at, at + 7)).length;
  expect(length + filter.end().length).toBe('Words `code [9]` and [1] more.\n'.length * 20_000);
});

test.each([
  ['one and the other', 'So [2] and [1].', 'So [7] and [9].'],
  ['in a row', 'So [1][3][2].', 'So [9][7].'],
  ['in a row with blanks', 'So [1] [3] end.', 'So [9] end.'],
  ['in one bracket', 'So [1, 3, 2].', 'So [9][7].'],
  ['around what there is not', 'So [1][5][3].', 'So [9].'],
  ['again after words', 'So [1] and [3].', 'So [9] and [9].'],
])('numbers are replaced, each once in a row: %s', (_, text, expected) => {
  for (const pieces of [[text], text]) {
    const filter = createCitationFilter((number) => ({ 1: 9, 2: 7, 3: 9 })[number]);
    expect([...Array.from(pieces).map((piece) => filter.push(piece)), filter.end()].join('')).toBe(expected);
  }
});
