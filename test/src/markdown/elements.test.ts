import { expect, test } from 'vitest';
import { authorColors } from '../../../src/markdown/elements.ts';
import { createRenderer } from '../../../src/markdown/render.ts';
import { options, page } from './fixtures.ts';

test.each([
  ['bg-black text-white', '--author-fill:#000;--author-ink:#fff'],
  ['bg-[#7c3aed] px-4 text-white', '--author-fill:#7c3aed;--author-ink:#fff'],
  ['bg-[rgb(1,2,3)]', '--author-fill:rgb(1,2,3)'],
  [
    'bg-primary text-white dark:bg-white dark:text-black',
    '--author-fill:var(--fill);--author-fill-dark:#fff;--author-ink:#fff;--author-ink-dark:#000',
  ],
  ['bg-black hover:bg-[#333]', '--author-fill:#000;--author-fill-hover:#333;--author-ink:#fff'],
  ['bg-black/80', '--author-fill:color-mix(in oklab,#000 80%,transparent);--author-ink:#fff'],
  // Words on a light color are dark, where their own color is not said.
  ['bg-yellow-400', '--author-fill:oklch(0.82 0.120 85);--author-ink:#000'],
  ['bg-blue-600', '--author-fill:oklch(0.56 0.220 261);--author-ink:#fff'],
  [
    'bg-gradient-to-br from-black via-[#123456] to-white text-white',
    '--author-image:linear-gradient(to bottom right,#000,#123456,#fff);--author-ink:#fff',
  ],
])('%s', (classes, style) => {
  expect(authorColors(classes)).toBe(style);
});

test.each([
  ['', 'nothing'],
  ['text-white', 'words alone, which are on the theme’s ground'],
  ['bg-white text-black', 'the theme’s own ground'],
  ['bg-gray-50 border', 'a tint'],
  ['bg-black/10', 'a tint'],
  ['hover:bg-black dark:bg-black', 'no color at rest'],
  ['bg-gradient-to-r from-black to-white bg-clip-text', 'letters filled with a gradient'],
  ['bg-[url(https://example.com)]', 'not a color'],
  ['bg-[#12345]', 'not a color'],
  ['bg-[red;position:fixed]', 'not a color'],
  ['bg-constructor-600 bg-blue-650', 'not a color'],
])('%j is %s', (classes) => {
  expect(authorColors(classes)).toBeUndefined();
});

const long = 'Words that take more than one line of a narrow column.';
const longer = `${long} And more of them.`;

async function html(body: string): Promise<string> {
  return (await (await createRenderer(options)).render(page(body))).html;
}

test('the longest cell of each column with sentences is marked', async () => {
  const found = await html(
    `| Name | ${long} | Meaning |\n|-|-|-|\n| a | b | ${long} |\n| c | d | ${longer} |\n| e | f | ${long} |`,
  );
  expect(found.match(/class="c-long"/g)).toHaveLength(2);
  expect(found).toContain(`<th class="c-long">${long}</th>`);
  expect(found).toContain(`<td class="c-long">${longer}</td>`);
});

test('columns of single words are not marked', async () => {
  expect(await html('| Name | Default |\n|-|-|\n| `CARREL_DATA_OF_THE_OFFICE` | none |')).not.toContain('c-long');
});

test('Chinese characters count double', async () => {
  const cell = '这个变量给出所有文件所在的文件夹的路径和名称';
  expect(await html(`| 变量 | 含义 |\n|-|-|\n| a | ${cell} |`)).toContain(`<td class="c-long">${cell}</td>`);
});

test("an author's own table keeps its classes", async () => {
  const found = await html(`<table><tbody><tr><td>a</td><td className="mine">${long}</td></tr></tbody></table>`);
  expect(found).toContain(`<td class="mine c-long">${long}</td>`);
  expect(found).toMatch(/<div class="c-table" tabindex="0"><table>/);
});
