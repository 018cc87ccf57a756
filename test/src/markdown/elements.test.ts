import { expect, test } from 'vitest';
import { iconOfElement } from '../../../src/markdown/icons.ts';
import { createRenderer } from '../../../src/markdown/render.ts';
import { options, page } from './fixtures.ts';

const long = 'Words that take more than one line of a narrow column.';
const longer = `${long} And more of them.`;

async function html(body: string, more: Parameters<typeof page>[1] = {}): Promise<string> {
  return (await createRenderer(options).render(page(body, more))).html;
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

test.each(['mdx', 'md'] as const)('rows that are shorter than their head have empty cells, in a page of %s', async (kind) => {
  expect(await html('| a | b | c |\n| - | :-: | - |\n| d |\n| e | f |\n', { kind })).toContain(
    '<tbody><tr><td>d</td><td align="center"></td><td></td></tr><tr><td>e</td><td align="center">f</td><td></td></tr></tbody>',
  );
});

test('a table of a thousand columns and a thousand short rows shows all its text, and few empty cells', async () => {
  const n = 1000;
  const found = await html(`${'|a'.repeat(n)}|\n${'|-'.repeat(n)}|\n${'|b|\n'.repeat(n)}`);
  expect(found.match(/<th>a<\/th>/g)).toHaveLength(n);
  expect(found.match(/<td>b<\/td>/g)).toHaveLength(n);
  expect(found.length).toBeLessThan(400_000);
});

test("an author's own table keeps its classes", async () => {
  const found = await html(`<table><tbody><tr><td>a</td><td className="mine">${long}</td></tr></tbody></table>`);
  expect(found).toContain(`<td class="mine c-long">${long}</td>`);
  expect(found).toMatch(/<div class="c-table" tabindex="0"><table>/);
});

test('preformatted HTML keeps its indentation', async () => {
  expect(await html('<pre>\n  a\n     <b>b</b>\n</pre>', { kind: 'md', file: 'page.md' })).toContain(
    '\n  a\n     <b>b</b>\n</pre>',
  );
});

test.each([
  [
    '<Fragment set:html={"<pre><code>a\\n  <b>b</b></code></pre><script>x</script>"} />',
    '<pre tabindex="0"><code>a\n  <b>b</b></code></pre>',
  ],
  [`<Fragment set:html={"${'<i>x</i>'.repeat(5000)}"} />`, '<i>x</i>'.repeat(5000)],
  ['<p set:html="<b onclick={x}>c</b>" />', '<p><b>c</b></p>'],
  ['<p set:text="<b>" />', '<p>&#x3C;b></p>'],
  ['<p dangerouslySetInnerHTML={{ __html: "<i>d</i>" }} />', '<p><i>d</i></p>'],
])('%s has content in an attribute', async (body, expected) => {
  expect((await html(body)).replace(/>\n</g, '><')).toBe(expected);
});

test.each([
  ['<Feature title="Fast" description="Very fast" href="/a" />', '<p><a href="/a">Fast</a>: Very fast</p>'],
  ['<Hero heading="Hi">\n\nText.\n\n</Hero>', '<p><strong>Hi</strong></p>\n<p>Text.</p>'],
  ['See <Key label="Enter" /> and <Goto href="/x" />.', '<p>See <strong>Enter</strong> and <a href="/x">/x</a>.</p>'],
  ['<Goto href="javascript:alert(1)" title="x" />', '<p><a>x</a></p>'],
  ['<Chart data="3,4" />', ''],
])('%s, which is no component of ours, shows the words of its props', async (body, expected) => {
  expect(await html(body)).toBe(expected);
});

test("components of authors that have the name of a removed element show their content, but scripts don't", async () => {
  expect(await html('<Quiz>\n<Option>Yes</Option>\n<Script>no()</Script>\n</Quiz>')).toBe('Yes');
});

test.each([
  [
    '<Listing number="1" caption="A lamp.">\n\n```sh\non\n```\n\n</Listing>',
    /^<p>A lamp\.<\/p>\n<figure/,
    'A lamp.\n\n```sh\non\n```',
  ],
  [
    '<Section title="Lamps">\n\nLight.\n\n</Section>',
    /^<p><strong>Lamps<\/strong><\/p>\n<p>Light\.<\/p>$/,
    '**Lamps**\n\nLight.',
  ],
  ['<Table>\n\nLight.\n\n</Table>', /^<p>Light\.<\/p>$/, 'Light.'],
])(
  '%s, a component with the name of an element, shows its words on the page and in its Markdown version',
  async (body, expected, text) => {
    for (const more of [{}, { kind: 'md', file: 'page.md' }] as const) {
      const rendered = await createRenderer(options).render(page(body, more));
      expect(rendered.html).toMatch(expected);
      expect(rendered.markdown).toBe(text);
    }
  },
);

test('expressions can read the frontmatter', async () => {
  expect(await html('See {frontmatter.title}.', { frontmatter: { title: 'Home' } })).toBe('<p>See Home.</p>');
});

test('repeated headings have the anchors of GitHub too, and those with a badge the one without it', async () => {
  const found = await html('## Loader\n\n## Loader\n\n## `useData` <Badge text="helper" />');
  expect([...found.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)).toEqual([
    'loader',
    'loader-2',
    'loader-1',
    'usedata-helper',
    'usedata',
  ]);
});

test('a tooltip in a heading is no part of its name', async () => {
  const found = await html('## Use the <Tooltip tip="A set of calls">API</Tooltip> now');
  expect(found).toContain('<h2 id="use-the-api-now">');
  expect(found).toMatch(/role="tooltip" [^>]*data-carrel-skip[^>]*> A set of calls/);
});

test('an image whose URL is the placeholder of a template has no URL', async () => {
  expect(await html('<img src="{{ sponsor.img }}" alt="x" />')).toBe('<img alt="x" loading="lazy" src="">');
});

test.each(['', '{{ video.url }}', 'https://', 'https://a b', '//[x'])(
  'a frame with the URL %j is removed and reported',
  async (src) => {
    const { html, problems } = await createRenderer(options).render(page(`a\n\n<iframe src="${src}"></iframe>\n\nb`));
    expect(html).toBe('<p>a</p>\n<p>b</p>');
    expect(problems.map(({ kind }) => kind)).toEqual(['frame-removed']);
  },
);

test('Markdown in a component next to its tags is Markdown, though code on the page has scripts and double braces', async () => {
  const body = '<Note>\nSee [a](https://a.example) and `<script>`.\n</Note>\n\n```jsx\n<a style={{ b }} />\n```';
  const found = await html(body, { kind: 'md', file: 'page.md' });
  expect(found).toContain('See <a href="https://a.example">a</a> and <code>&#x3C;script></code>.');
});

test.each(['script', 'style', 'title', 'textarea'])(
  '<%s> that is never closed does not remove the rest of the page',
  async (tag) => {
    expect(await html(`<div>\nUse \`<${tag}>\` here.\n</div>\n\nMore.`, { kind: 'md', file: 'page.md' })).toMatch(
      /Use.*here\.[^]*<p>More\./,
    );
  },
);

test('attributes of a container are not an expression', async () => {
  const { html, problems } = await createRenderer(options).render(page(':::section{.badges #top}\n\nText.\n\n:::'));
  expect(html).toBe('<p>Text.</p>');
  expect(problems).toEqual([]);
});

test.each([
  ['<video src="https://e.com/a.mp4" controls style={{width: \'100%\'}}/>', '<video class="c-video" '],
  ['a<br style={{color: "red"}} />b', '<p>a<br style="color:red">b</p>'],
  ["Not <span style={{color:'red'}}>green</span>", '<p>Not <span style="color:red">green</span></p>'],
  ["<img alt='' src='/a.png'>\n\n<p style={{ color: 'red' }}>red</p>", '<p style="color:red">red</p>'],
])('attributes of JSX are read in a .md page: %j', async (body, shown) => {
  const found = await html(body, { kind: 'md', file: 'page.md' });
  expect(found).toContain(shown);
  expect(found).toBe(await html(body));
});

test.each([
  ['CardGrid', 'CardGroup'],
  ['Cards', 'CardGroup'],
  ['Accordions', 'AccordionGroup'],
])('%s is %s by another name', async (alias, name) => {
  const named = (group: string) =>
    createRenderer(options).render(page(`<${group}><Card title="Tides" href="/tides">When water is high.</Card></${group}>`));
  const known = await named(name);
  expect(known.html).toContain('When water is high.');
  expect(await named(alias)).toEqual(known);
});

test.each(['Card', 'Accordion', 'Callout', 'Tab', 'Step', 'Badge', 'Icon'])(
  'the icon of <%s> can be an element of an icon package',
  async (name) => {
    const icon = async (written: string) => {
      const element = `<${name} title="Tides" icon=${written}>Water</${name}>`;
      const group = { Tab: 'Tabs', Step: 'Steps' }[name];
      return createRenderer(options).render(page(group ? `<${group}>${element}</${group}>` : element));
    };
    const { html, problems } = await icon('{<Info className="size-4" />}');
    expect([html.match(/<svg[^>]*>(.*?)<\/svg>/s)?.[1], problems]).toEqual([
      iconOfElement('Info')!.match(/<svg[^>]*>(.*)<\/svg>/s)![1],
      [],
    ]);
    expect((await icon('{<Tidewater />}')).problems).toMatchObject([{ kind: 'unknown-component' }]);
  },
);

test('an image is an icon, also in an element whose name is that of an icon', async () => {
  const found = await html('<Card title="Tides" icon={<Image src="/tide.png" />}>Water</Card>');
  expect(found).toMatch(/<img[^>]* src="\/tide\.png"/);
  expect(found).not.toContain('<svg');
});

test.each([
  ['`items` of Fumadocs', `<Tabs items={['npm', 'pnpm']}><Tab>A</Tab><Tab>B</Tab></Tabs>`, ['npm', 'pnpm']],
  [
    '`items` of Nextra',
    `<Tabs items={[{ label: 'npm' }, <b>pnpm</b>]}><Tabs.Tab>A</Tabs.Tab><Tabs.Tab>B</Tabs.Tab></Tabs>`,
    ['npm', 'pnpm'],
  ],
  ['a value and items', `<Tabs items={['b', 'a']}><Tab value="a">A</Tab><Tab value="b">B</Tab></Tabs>`, ['a', 'b']],
  [
    '`values` of Docusaurus',
    `<Tabs values={[{ label: 'Mac', value: 'mac' }, { label: 'Windows', value: 'win' }]}><TabItem value="win">A</TabItem><TabItem value="mac">B</TabItem></Tabs>`,
    ['Windows', 'Mac'],
  ],
  [
    'a title of their own',
    `<Tabs items={['npm', 'pnpm']}><Tab title="One">A</Tab><Tab label="Two">B</Tab></Tabs>`,
    ['One', 'Two'],
  ],
])('tabs have the titles of their group: %s', async (_, body, titles) => {
  const { html, markdown, problems } = await createRenderer(options).render(page(body));
  expect([...html.matchAll(/data-carrel-title="([^"]*)"/g)].map(([, title]) => title)).toEqual(titles);
  expect(markdown.match(/(?<=\*\*)[^*]+(?=\*\*\n)/g)).toEqual(titles);
  expect(problems).toEqual([]);
});

test.each(['{3}', '{[null, true]}', "{['npm']}", '{{}}'])(
  'a tab for which its group has no title is reported: items=%s',
  async (items) => {
    const { problems } = await createRenderer(options).render(
      page(`<Tabs items=${items}><Tab title="One">A</Tab><Tab>B</Tab></Tabs>`),
    );
    expect(problems).toMatchObject([{ kind: 'tab-without-title' }]);
  },
);
