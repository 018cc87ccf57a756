import { describe, expect, test } from 'vitest';
import { llmsFullPage, llmsText } from '../../../integration/export/llms.ts';
import { firstParagraph } from '../../../integration/page/first-paragraph.ts';

describe('the first paragraph of a page', () => {
  test.each([
    ['Text here.\n\nMore.', 'Text here.'],
    ['## Heading\n\n> Quote\n\n- list\n\nText\nover lines.', 'Text over lines.'],
    ['![A](/a.png)\n\nSee [**this** `code`](/x) now.', 'See this code now.'],
    ['```js\nx\n\ny\n```\n\nAfter.', 'After.'],
    ['<div>x</div>\n\n| a |\n| - |', undefined],
    ['', undefined],
    [`${'word '.repeat(80)}`, `${'word '.repeat(59)}word…`],
  ])('%j', (markdown, expected) => {
    expect(firstParagraph(markdown)).toBe(expected);
  });
});

test('a list over its limit ends at a whole entry and says so', () => {
  const pages = Array.from({ length: 3000 }, (_, i) => ({ title: `Page ${i}`, href: `p${i}.md`, description: 'x'.repeat(100) }));
  const text = llmsText({ name: 'Docs', pages });
  expect(text.length).toBeLessThanOrEqual(100_000);
  expect(text).toMatch(/\nx*|- \[Page \d+\]\(p\d+\.md\): x{100}\n\n\d+ more pages are in llms-full\.txt\.\n$/);
});

test('brackets in titles do not end a link', () => {
  expect(llmsText({ name: 'D', pages: [{ title: 'a[0]\nb', href: 'a.md' }] })).toContain('- [a\\[0\\] b](a.md)\n');
});

test('a page in the full text contains its URL', () => {
  expect(llmsFullPage('a.md', '# A\n\nText.\n')).toBe('# A\nSource: a.md\n\nText.\n\n');
});
