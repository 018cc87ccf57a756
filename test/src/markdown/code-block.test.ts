import { expect, test } from 'vitest';
import { readFence, takeLineMarks } from '../../../src/markdown/code-block.ts';

test.each<[string, string, Record<string, unknown>]>([
  ['js', 'Some Title', { language: 'js', title: 'Some Title' }],
  ['js', 'title="a b"', { title: 'a b' }],
  ['js', "title='a'", { title: 'a' }],
  ['js', 'app.js {1,3-5}', { title: 'app.js', highlighted: new Set([1, 3, 4, 5]) }],
  ['js{2}', '', { language: 'js', highlighted: new Set([2]) }],
  ['js', 'highlight={1-2,5}', { highlighted: new Set([1, 2, 5]), title: undefined }],
  ['js', 'highlight="4"', { highlighted: new Set([4]) }],
  ['js', 'highlight=1', { highlighted: new Set([1]) }],
  ['js', 'focus={2}', { focused: new Set([2]) }],
  ['js', 'lines wrap expandable nocopy', { numbers: true, wrap: true, expandable: true, copy: false, title: undefined }],
  ['js', 'nocopy="false" lines={false}', { copy: true, numbers: false }],
  ['nocopy', '', { language: '', copy: false }],
  ['js', '[expandable]', { expandable: true, title: undefined }],
  ['sh', '[npm]', { title: 'npm' }],
  ['js', 'icon="square-js" Title', { icon: 'square-js', title: 'Title' }],
  ['js', 'theme={null} Title', { title: 'Title' }],
  ['js', 'ins={1} del={2-3}', { inserted: new Set([1]), deleted: new Set([2, 3]) }],
  ['js', '{highlight={1-2,5}} app.js', { highlighted: new Set([1, 2, 5]), title: 'app.js' }],
  ['js', '{title="a b" hl_lines=[2, 3]}', { highlighted: new Set([2, 3]), title: 'a b' }],
  ['js', '{ numbers highlight="1" }', { highlighted: new Set([1]), title: '{ numbers }' }],
  ['TypeScript', '', { language: 'typescript' }],
  ['bash', 'unknown=1 words', { title: 'unknown=1 words' }],
  ['js', '[[1, 4, "<A b={c} />"], [2,5,"a[0]", 15]] app.js {2}', { title: 'app.js', highlighted: new Set([2]) }],
])('```%s %s', (language, meta, expected) => {
  expect(readFence(language, meta)).toMatchObject(expected);
});

test('comments that mark lines are removed from the code and mark their lines', () => {
  const fence = readFence('js', '');
  const code = takeLineMarks(
    'a // [!code ++]\nb # [!code --:2]\nc\n<!-- [!code highlight:2] -->\nd\ne /* [!code focus] */',
    fence,
  );
  expect(code).toBe('a\nb\nc\nd\ne');
  expect(fence).toMatchObject({
    inserted: new Set([1]),
    deleted: new Set([2, 3]),
    highlighted: new Set([4, 5]),
    focused: new Set([5]),
  });
});
