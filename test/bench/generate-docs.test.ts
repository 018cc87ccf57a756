import { expect, test } from 'vitest';
import { generatePages, shapes } from './generate-docs.ts';

test('the same number of pages gives the same text', () => {
  expect(generatePages(60)).toEqual(generatePages(60));
});

test('a page has about 5 KB and four code blocks, and no block occurs twice', () => {
  const pages = generatePages(200);
  const blocks = pages.flatMap((page) => page.markdown.match(/^```\w+[\s\S]*?^```$/gm) ?? []);
  expect(blocks).toHaveLength(4 * pages.length);
  expect(new Set(blocks).size).toBe(blocks.length);
  const average = pages.reduce((sum, page) => sum + page.markdown.length, 0) / pages.length;
  expect(average).toBeGreaterThan(4500);
  expect(average).toBeLessThan(5500);
});

test.each(shapes)('links lead to pages that exist, in the shape %s', (shape) => {
  const pages = generatePages(120, shape);
  expect(new Set(pages.map((page) => page.path)).size).toBe(120);
  const paths = new Set(pages.map((page) => `/${page.path}`));
  const links = pages.flatMap((page) => [...page.markdown.matchAll(/\]\((\/[^)]+)\)/g)].map((match) => match[1]!));
  expect(links.length).toBeGreaterThan(pages.length);
  expect(links.filter((link) => !paths.has(link))).toEqual([]);
});
