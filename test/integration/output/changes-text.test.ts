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

test.each([
  ['https://evil.example/a', 'https:\u2060//evil.example/a'],
  ['see www.evil.example', 'see www\u2060.evil.example'],
  ['write to a@evil.example', 'write to a@\u2060evil.example'],
  ['fixes GH-12', 'fixes GH\u2060-12'],
  ['0123456789abcdef0123456789abcdef01234567', '012345\u20606789ab\u2060cdef01\u2060234567\u206089abcd\u2060ef0123\u20604567'],
  ['user\u202ecod.exe\u2066', 'usercod.exe'],
  [`${'x'.repeat(499)}😀`, 'x'.repeat(499)],
])('%s is neither a link, reversed nor cut inside a character', (title, text) => {
  const removed = { ...nothing, pages: pages(1, title) };
  const now = { ...nothing, problems: [problem(title)] };
  const written = changesText(removed, now, shown).text;
  expect(written).toContain(`- removed: ${text} \`/p0\``);
  expect(written).toContain(` ${text} (link-without-target)`);
  expect(written).not.toMatch(/\p{Surrogate}/u);
  expect(written).not.toMatch(/[\u202e\u2066]/);
});

test('titles and paths stay text', () => {
  const title = '@all `x`\n\n/close <b> #1 !2 $3 %4 [a](b)';
  const now = { ...nothing, pages: [{ ...pages(1, title)[0]!, path: 'a`b\n# c' }] };
  const { text } = changesText(nothing, now, { ...shown, url: undefined });
  expect(text.split('\n').at(-1)).toBe('- added: @\u2060all \\`x\\` /close \\<b\\> \\#1 \\!2 \\$3 \\%4 \\[a\\](b) `/a b # c`');
});
