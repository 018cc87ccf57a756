import { describe, expect, test } from 'vitest';
import { parseFast, parseWithRemark } from '../../../src/markdown/parse.ts';
import { createRenderer } from '../../../src/markdown/render.ts';
import { fixtureFile, fixtureNames, fixturePage, options, page, snippet } from './fixtures.ts';

describe.each(fixtureNames)('%s', (name) => {
  test('becomes the expected HTML and Markdown', async () => {
    const renderer = createRenderer(options);
    const { html, markdown } = await renderer.render(fixturePage(name));
    await expect(`${html}\n`).toMatchFileSnapshot(fixtureFile(name, '.html'));
    await expect(`${markdown}\n`).toMatchFileSnapshot(fixtureFile(name, '.out.md'));
  });

  test('gives the same result with both parsers', async () => {
    const fast = await createRenderer({ ...options, parser: parseFast }).render(fixturePage(name));
    const remark = await createRenderer({ ...options, parser: parseWithRemark }).render(fixturePage(name));
    expect(remark.html).toBe(fast.html);
    expect(remark.markdown).toBe(fast.markdown);
    expect(remark.degraded).toBe(fast.degraded);
    expect(remark.problems.map(({ kind }) => kind)).toEqual(fast.problems.map(({ kind }) => kind));
  });
});

const block = '```js a.js {2} ins={1}\nconst a = "<b>";\nconst c = 1;\n```';
const indented = (text: string, by: string) => text.replaceAll('\n', `\n${by}`);

test.each([
  ['a list', `1. one\n\n   ${indented(block, '   ')}\n`],
  ['a tab', `<Tabs><Tab title="A">\n\n${block}\n\n</Tab></Tabs>\n`],
  ['a table', `<table><tbody><tr><td>\n\n${block}\n\n</td></tr></tbody></table>\n`],
  ['a quote', `> ${indented(block, '> ')}\n`],
  ['a snippet', 'import Code from "/snippets/code.mdx";\n\n<Code />\n'],
])('code in %s looks as it does on the page', async (_, body) => {
  const renderer = createRenderer({ ...options, snippets: new Map([snippet('snippets/code.mdx', `${block}\n`)]) });
  const codeOf = async (text: string) => /<pre.*<\/pre>/s.exec((await renderer.render(page(text))).html)?.[0];
  const expected = await codeOf(`${block}\n`);
  expect(expected).toContain('<span class="sk-keyword">const</span>');
  expect(await codeOf(body)).toBe(expected);
});

test('lines of an unknown language are marked', async () => {
  const { html } = await createRenderer(options).render(page('```kusto-like ins={1} del={2}\na < b\nc\nd\n```\n'));
  expect([...html.matchAll(/<span class="sk-line[^"]*">[^<\n]*/g)].map(String)).toEqual([
    '<span class="sk-line sk-line-inserted">a &lt; b',
    '<span class="sk-line sk-line-deleted">c',
    '<span class="sk-line">d',
  ]);
});

test('10,000 code blocks of one page are highlighted', async () => {
  const blocks = Array.from({ length: 10_000 }, (_, i) => `\`\`\`${['js', 'python', 'sh'][i % 3]}\na${i} = "b"\n\`\`\`\n`);
  const { html, degraded } = await createRenderer(options).render(page(blocks.join('\n')));
  expect([degraded, html.split('<span class="sk-string">').length - 1]).toEqual([false, 10_000]);
});
