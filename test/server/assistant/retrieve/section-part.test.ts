import { expect, test } from 'vitest';
import { tokensIn } from '../../../../server/assistant/retrieve/prompt-text.ts';
import { sectionPart } from '../../../../server/assistant/retrieve/section-part.ts';

const filler = Array.from({ length: 40 }, (_, i) => `Paragraph ${i} says nothing much about the harbour.`);
const row = (i: number) => `| \`key-${i}\` | Opens the door number ${i} |`;
const table = ['| Key | Meaning |', '| --- | --- |', ...Array.from({ length: 80 }, (_, i) => row(i))].join('\n');
const code = ['```js', ...Array.from({ length: 80 }, (_, i) => `const berth${i} = open(${i});`), '```'].join('\n');

test('a section that fits is whole', () => {
  expect(sectionPart('One.\n\nTwo.', ['two'], 100)).toBe('One.\n\nTwo.');
});

test('of a long one, the blocks around the one that matches best', () => {
  const markdown = [...filler.slice(0, 30), 'The anchor chain is long.', 'It has 90 fathoms.', ...filler.slice(30)].join('\n\n');
  const part = sectionPart(markdown, ['anchor', 'chain'], 80);
  expect(part).toContain('The anchor chain is long.\n\nIt has 90 fathoms.');
  expect(part).toMatch(/^…\n\n[^]*\n\n…$/);
  expect(tokensIn(part)).toBeLessThanOrEqual(80);
});

test('of a long table, the rows around the one that matches, with its head', () => {
  const part = sectionPart(`Before.\n\n${table}\n\nAfter.`, ['key-41', '41'], 120);
  expect(part).toMatch(/^\| Key \| Meaning \|\n\| --- \| --- \|\n…\n/);
  expect(part).toContain(row(41));
  expect(tokensIn(part)).toBeLessThanOrEqual(130);
});

test('of long code, the lines around the one that matches, in its fence', () => {
  const part = sectionPart(`${code}\n\nAfter.`, ['berth41'], 120);
  expect(part).toMatch(/^```js\n…\n[^]*const berth41 = open\(41\);\n[^]*\n…\n```$/);
});

test('of a line that is too long, the words around the match', () => {
  const part = sectionPart(`${'words '.repeat(3000)}anchor ${'words '.repeat(3000)}`, ['anchor'], 100);
  expect(part).toContain('anchor');
  expect(tokensIn(part)).toBeLessThan(150);
});
