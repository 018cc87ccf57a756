import { expect, test } from 'vitest';
import { createRenderer } from '../../../src/markdown/render.ts';
import { options, page } from './fixtures.ts';

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
