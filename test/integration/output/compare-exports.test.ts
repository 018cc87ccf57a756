import { expect, test } from 'vitest';
import { comparePages, compareProblems } from '../../../integration/output/compare-exports.ts';

/** Pages by path, each with the digests of its Markdown and its HTML. */
function made(pages: Record<string, { title?: string; markdown?: string; html: string }>) {
  const fileOf = (path: string) => (path === '' ? 'index.html' : `${path}/index.html`);
  const listed = (sha256: string) => ({ sha256, size: 1 });
  return {
    pages: Object.entries(pages).map(([path, { title = path }]) => ({ path, file: fileOf(path), title, language: 'en' })),
    files: Object.fromEntries(
      Object.entries(pages).flatMap(([path, { markdown, html }]) => [
        [fileOf(path), listed(html)],
        ...(markdown === undefined ? [] : [[path === '' ? 'index.md' : `${path}.md`, listed(markdown)]]),
      ]),
    ),
  };
}

test('pages are added, changed and removed; one whose navigation alone differs is none of them', () => {
  const before = made({
    '': { markdown: 'home', html: 'a' },
    same: { markdown: 'same', html: 'b' },
    edited: { markdown: 'old', html: 'c' },
    renamed: { title: 'Old', markdown: 'd', html: 'd' },
    'html-only': { html: 'e' },
    gone: { markdown: 'f', html: 'f' },
  });
  const after = made({
    '': { markdown: 'other home', html: 'a2' },
    same: { markdown: 'same', html: 'other navigation' },
    edited: { markdown: 'new', html: 'c2' },
    renamed: { title: 'New', markdown: 'd', html: 'd2' },
    'html-only': { html: 'e2' },
    fresh: { markdown: 'g', html: 'g' },
  });
  const page = (path: string, title = path) => ({ path, title });
  expect(comparePages(before, after)).toEqual({
    added: [page('fresh')],
    changed: [page(''), page('edited'), page('renamed', 'New'), page('html-only')],
    removed: [page('gone')],
  });
  expect(comparePages(after, after)).toEqual({ added: [], changed: [], removed: [] });
});

test('problems are compared by kind, page and message, each as often as it is there, wherever its line is', () => {
  const problem = (message: string, line: number, page = 'a.md') => ({ kind: 'link-without-target', page, message, line });
  const before = [problem('x', 1), problem('x', 2), problem('gone', 3), problem('y', 4)];
  const after = [problem('x', 10), problem('y', 14), problem('y', 15), problem('x', 1, 'b.md')];
  expect(compareProblems(before, after)).toEqual({
    added: [problem('y', 15), problem('x', 1, 'b.md')],
    removed: [problem('x', 2), problem('gone', 3)],
  });
});
