import { expect, test } from 'vitest';
import { changesText, type Exported } from '../../../integration/output/changes-text.ts';

const nothing: Exported = { pages: [], files: {}, redirects: [], problems: [] };
const pages = (count: number, title: string, file = (path: string) => `${path}/index.html`) =>
  Array.from({ length: count }, (_, index) => ({ path: `p${index}`, file: file(`p${index}`), title, language: 'en' }));
const problem = (message: string) => ({
  kind: 'link-without-target',
  severity: 'warning' as const,
  page: `${message}.md`,
  message,
});
const shown = { title: 'Docs', commit: 'abc', url: 'https://preview.example.com/' };

test('the longest list fits into a comment', () => {
  const now: Exported = {
    ...nothing,
    pages: pages(500, '*'.repeat(600)),
    problems: Array.from({ length: 500 }, () => problem('_'.repeat(900))),
  };
  const { text } = changesText(nothing, now, shown);
  expect(text.length).toBeLessThan(65_536);
  expect(text).toMatch(/\*\*Pages\*\* \(500\)\n\n- added: .+\n- \d+ more$/s);
});

test('problems are not compared where a report is missing', () => {
  const now = { ...nothing, problems: [problem('Broken')] };
  expect(changesText(nothing, now, shown).isEmpty).toBe(false);
  expect(changesText({ ...nothing, problems: undefined }, now, shown).isEmpty).toBe(true);
});

test.each([
  ['p0/index.html', 'p0/'],
  ['index.html', ''],
  ['a (b)/ü.html', 'a%20%28b%29/%C3%BC.html'],
  ['p0.md', 'p0/'],
])('the page in the file %s is linked at %s of the preview', (file, url) => {
  const { text } = changesText(nothing, { ...nothing, pages: pages(1, 'T', () => file) }, shown);
  expect(text).toContain(`[T](https://preview.example.com/${url}) `);
});

test('titles and paths stay text', () => {
  const title = '@all `x`\n\n/close <b> #1 !2 $3 %4 [a](b)';
  const now = { ...nothing, pages: [{ ...pages(1, title)[0]!, path: 'a`b\n# c' }] };
  const { text } = changesText(nothing, now, { ...shown, url: undefined });
  expect(text.split('\n').at(-1)).toBe('- added: @\u2060all \\`x\\` /close \\<b\\> \\#1 \\!2 \\$3 \\%4 \\[a\\](b) `/a b # c`');
});
