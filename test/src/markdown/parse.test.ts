import { describe, expect, test } from 'vitest';
import { parseMarkdown, parseWithRemark } from '../../../src/markdown/parse.ts';
import { createRenderer } from '../../../src/markdown/render.ts';
import { expectLinear } from '../../support/linear.ts';
import { options, page } from './fixtures.ts';

test.each([
  ['<Update>Shown</Update>\n<Note>Unclosed\n', 2, 1, '<Note> is not closed.'],
  ['Text\n\n<Note>\n\nText <b>unclosed\n</Note>\n', 5, 6, '<b> is not closed.'],
  ['Text\n{1+}\n', 2, undefined, 'what is in these braces is not a JavaScript expression.'],
  ['Text\n</Note>\n', 2, undefined, 'this closing tag has no opening tag.'],
])('invalid MDX in %j is reported with its position and in words of authors', (source, line, column, reason) => {
  expect(parseMarkdown(source, 'mdx').faults?.[0]).toMatchObject({
    ...(column !== undefined && { column }),
    kind: 'page-not-valid-mdx',
    line,
    message: `This line is shown as Markdown, because it is not valid MDX: ${reason}`,
  });
});

test.each(['md', 'mdx'] as const)('images in data: URLs do not make a page too large, in %s', async (kind) => {
  const data = `data:image/png;base64,${'iVBOR/+a'.repeat(375_000)}`;
  const renderer = createRenderer(options);
  const { html, problems } = await renderer.render(
    page(`Some *text*.\n\n<img alt="" src="${data}" />\n\nMore\n\n![A plot](${data.slice(0, 100)})\n`, { kind }),
  );
  expect(problems).toEqual([]);
  expect(html).toContain('<em>text</em>');
  expect(html).toContain(`src="${data}"`);
  expect(html).toContain('alt="A plot"');
});

describe('around a fault', () => {
  const note = '<Note>\n    The **note**.\n\n    <Card title="c">in *it*</Card>\n</Note>';
  const faults: [name: string, source: string, shown: string][] = [
    ['an element that is not closed', '- a\n- <li>b\n- c', 'b'],
    ['a component that is not closed', '<Tip>unclosed *text*', '<em>text</em>'],
    ['a brace', 'Use {this and *that*', 'Use {this and <em>that</em>'],
    ['an expression', 'Use {1 +} and *that*', 'Use {1 +} and <em>that</em>'],
    ['a closing tag', 'A </li> and *that*', 'A  and <em>that</em>'],
    ['a less-than sign before a letter', 'If a <b and *that*', '<em>that</em>'],
    ['an attribute', '<img src=x.png> and *that*', '<em>that</em>'],
    ['a quote', '> <b>in *quotes*', '<em>quotes</em>'],
    ['a table', '| a | b |\n| - | - |\n| <li> *x* | {y |', '<em>x</em>'],
    ['two lines of a paragraph', 'One <p>\ntwo *that* {', '<em>that</em>'],
    ['style', '<p style="color:red">a\n\n<b style={{ color: red }}>b', 'b'],
  ];
  const around = faults.flatMap(([name, fault, shown]) => [
    [name, 'before', `${fault}\n\n${note}\n`, shown] as const,
    [name, 'after', `${note}\n\n${fault}\n`, shown] as const,
    [
      name,
      'inside',
      `${note}\n\n<Steps>\n  <Step title="s">\n\n${fault.replace(/^/gm, '    ')}\n\n  </Step>\n</Steps>\n\n${note}`,
      shown,
    ] as const,
  ]);

  test.each(around)('%s %s them, components stay components', async (_, place, source, shown) => {
    for (const parser of [undefined, parseWithRemark]) {
      const renderer = createRenderer({ ...options, ...(parser && { parser }) });
      const { html, problems, degraded } = await renderer.render(page(source, { kind: 'mdx' }));
      expect(html).toContain('The <strong>note</strong>.');
      expect(html).toContain('in <em>it</em>');
      expect(html).not.toContain('<pre');
      expect(html).toContain(shown);
      expect(html.includes('c-step')).toBe(place === 'inside');
      expect(problems.map(({ kind }) => kind)).toContain('page-not-valid-mdx');
      expect(degraded).toBe(true);
    }
  });

  test('each fault has its line, and the page is Markdown when there are too many', async () => {
    const { faults: found } = parseMarkdown('a\n\nb {\n\n<Note>c</Note>\n\nd </li>\n\n- <li>e\n', 'mdx');
    expect(found?.map(({ line }) => line).toSorted()).toEqual([3, 7, 9]);
    expect(parseMarkdown('<li>a\n\n'.repeat(100), 'mdx').invalid?.message).toContain('The page is shown as Markdown');
  });

  test('takes a time that grows with the page, not with its square', () => {
    expectLinear(40_000, (length) => {
      expect(parseMarkdown('<li>a {\n\n'.repeat(length / 10), 'mdx').tree.children?.length).toBeGreaterThan(100);
    });
  });

  test.each([
    ['an image', '<img src="a.png">'],
    ['a style', '<p style={{ color: red }}>x'],
  ])('%s that is not valid MDX leaves the components of a .md page as they are', async (_, fault) => {
    const renderer = createRenderer(options);
    const { html } = await renderer.render(page(`${note}\n\n${fault}\n`, { kind: 'md' }));
    expect(html).toContain('The <strong>note</strong>.');
  });
});

describe('the components of a .md page', () => {
  const group = '<CodeGroup>\n```bash npm\nnpm i\n```\n```bash yarn\nyarn add\n```\n</CodeGroup>';
  const others = [
    ['<Card title="X" href="b" />', 'c-card'],
    ['<Icon icon="star" />', '<svg'],
    ['<Badge/>', ''],
    ['<Part />', ''],
    ['- one\n\n  <Icon icon="star" />', '<li>'],
    ['Hello {{ name }}.', 'Hello {{ name }}.'],
    ['<script src="https://a.example/a.js"></script>', ''],
    ['<script>\nfunction a() { return { b: 1 } }\n</script>', ''],
    ['<style>\n.a { color: red }\n</style>', ''],
    ['<script setup>\nconst a = { b: 1 }\n</script>', ''],
    ['<img :src="a" alt="a">', ''],
    ['<p v-if="a">Shown</p>', 'Shown'],
    ['The attribute :x="1" is for Vue.', ':x='],
  ];

  test.each(others)('stay components after %j', async (before, shown) => {
    const body = `${before}\n\n${group}\n\n<Steps>\n<Step title="s">Do **this**</Step>\n</Steps>\n\n<Note>\n- *one*\n- two\n</Note>`;
    const { html } = await createRenderer(options).render(page(body, { kind: 'md', file: 'page.md' }));
    expect(html).toContain(shown);
    expect(html.match(/<figure /g)).toHaveLength(2);
    const [codeGroup = ''] = /<carrel-code-group[^]*<\/carrel-code-group>/.exec(html) ?? [];
    expect(codeGroup.replace(/<[^>]*>/g, ' ')).toMatch(/npm\s+i\s[^]*yarn\s+add\s/);
    expect(html).toContain('Do <strong>this</strong>');
    expect(html).toMatch(/c-callout-body">\s*<ul>\s*<li><em>one<\/em><\/li>/);
    expect(html).not.toMatch(/```|color: red|function a/);
  });
});
