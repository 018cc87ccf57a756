import { describe, expect, test } from 'vitest';
import { createRenderer } from '../../../src/markdown/render.ts';
import { createSnippetUses } from '../../../src/markdown/snippet-uses.ts';
import { options, page, snippet } from './fixtures.ts';

async function render(body: string, files: [string, string][], more = {}) {
  const renderer = createRenderer({ ...options, snippets: new Map(files.map(([file, text]) => snippet(file, text))) });
  return renderer.render(page(body, more));
}

describe('a snippet', () => {
  test('takes props, in text and in code', async () => {
    const { html, markdown } = await render('import S from "/snippets/s.mdx"\n\n<S word="bananas" n={3} />', [
      ['snippets/s.mdx', 'I like {word}, {n} of them: `{word}`.'],
    ]);
    expect(html).toBe('<p>I like bananas, 3 of them: <code>bananas</code>.</p>');
    expect(markdown).toBe('I like bananas, 3 of them: `bananas`.');
  });

  test('resolves relative to the file that imports it, and can import others', async () => {
    const { html } = await render('import S from "../parts/s.mdx"\n\n<S />', [
      ['parts/s.mdx', 'import T from "./deep/t"\n\n<T />'],
      ['parts/deep/t.mdx', 'Deep.'],
    ]);
    expect(html).toBe('<p>Deep.</p>');
  });

  test.each([
    ['../guides/a.md#b', '/guides/a#b'],
    ['./beside.mdx', '/parts/beside'],
    ['../guides/missing.md', '/tutorials/guides/missing'],
    ['a', '/tutorials/deep/a'],
  ])('links from its own folder to a page by its file: %s', async (url, href) => {
    const files = new Map([snippet('parts/s.mdx', `[x](${url}) and [y][y]\n\n[y]: ${url}`)]);
    const pageFiles = new Map([
      ['guides/a.md', 'guides/a'],
      ['parts/beside.mdx', 'parts/beside'],
    ]);
    const pagePaths = new Set(pageFiles.values());
    const renderer = createRenderer({ ...options, snippets: files, pageFiles, pagePaths });
    const body = 'import S from "/parts/s.mdx"\n\n<S />';
    const { html } = await renderer.render(page(body, { file: 'tutorials/deep/page.mdx' }));
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, found]) => found)).toEqual([href, href]);
  });

  test('exports values by name', async () => {
    const { html } = await render('import { name as who, list } from "/snippets/values.mdx"\n\nHello {who}, {list.first}.', [
      ['snippets/values.mdx', 'export const name = "Ada";\nexport const list = { first: 1 };'],
    ]);
    expect(html).toBe('<p>Hello Ada, 1.</p>');
  });

  test('exports as many values as a page imports', async () => {
    const names = Array.from({ length: 200 }, (_, number) => `aValueWithALongName${number}`);
    const imports = `import First, {\n${names.map((name) => `  ${name} as ${name}Here,`).join('\n')}\n} from "/snippets/values.mdx"`;
    const { html, problems } = await render(`${imports}\n\n{${names[0]}Here} to {${names[199]}Here}.`, [
      ['snippets/values.mdx', names.map((name, number) => `export const ${name} = "v${number}";`).join('\n')],
    ]);
    expect([html, problems]).toEqual(['<p>v0 to v199.</p>', []]);
  });

  test('is inline content when it is one paragraph', async () => {
    const { html } = await render('import S from "/snippets/s.mdx"\n\nBefore <S /> after.', [['snippets/s.mdx', '*words*']]);
    expect(html).toBe('<p>Before <em>words</em> after.</p>');
  });

  test('can be included with the older <Snippet file>, and as in Fern', async () => {
    for (const tag of [
      '<Snippet file="s.mdx" />',
      '<Markdown src="/snippets/s.mdx" />',
      '<Markdown src="../snippets/s.mdx" />',
    ]) {
      const { html } = await render(tag, [['snippets/s.mdx', 'Old.']]);
      expect(html).toBe('<p>Old.</p>');
    }
  });

  test('written as plain JSX is rendered with its props', async () => {
    const { html } = await render('import { Box } from "/snippets/box.jsx"\n\n<Box title="T">inside</Box>', [
      [
        'snippets/box.jsx',
        'export const Box = ({ title, children }) => (\n  <div className="box"><b>{title}</b>: {children}</div>\n);\n',
      ],
    ]);
    expect(html).toBe('<div class="box"><b>T</b>: inside</div>');
  });

  // The positions of what an element contains are those of the page, not of the snippet.
  test.each([
    ['an element', '<Box title="T">inside **here**</Box>', 'inside **here**'],
    ['an element with paragraphs', '<Box title="T">\n\nFirst [one](/a).\n\n- Second\n\n</Box>', 'First [one](/a).\n\n- Second'],
    ['an element in another', '<Box title="T"><Box title="U">inside **here**</Box></Box>', 'inside **here**'],
    ['an element in text', 'Before <Box title="T">inside **here**</Box> after.', 'inside **here**'],
    ['a property', '<Box title={<i>inside **here**</i>}>x</Box>', 'inside **here**'],
  ])('keeps the content of %s in the Markdown version', async (_, body, expected) => {
    const files: [string, string][] = [
      ['snippets/box.jsx', 'export const Box = ({ title, children }) => <Note>{title} {children}</Note>;\n'],
      ['snippets/box.mdx', '{title}\n\n{children}'],
    ];
    for (const from of ['box.jsx', 'box.mdx']) {
      const names = from === 'box.jsx' ? '{ Box }' : 'Box';
      const { html, markdown } = await render(`import ${names} from "/snippets/${from}"\n\n${body}`, files);
      expect(html, from).toMatch(/inside|First/);
      expect(markdown.replaceAll(/^> ?/gm, ''), from).toContain(expected);
    }
  });

  test('that contains code becomes a placeholder with its children and is reported', async () => {
    const { html, problems } = await render(
      'export const Count = () => {\n  const [n] = useState(0);\n  return <b>{n}</b>;\n}\n\n<Count>kept</Count>',
      [],
    );
    expect(html).toBe(
      '<div class="c-component"><p class="c-component-name">The interactive component Count is not shown here.</p>kept</div>',
    );
    expect(problems).toMatchObject([{ kind: 'inline-component', line: 6 }]);
    expect(problems[0]!.hint).toContain('carrel export --trust-components');
  });

  test.each([
    ['after its text', '## Order routing <Since version="5.5" />', '<h2 id="order-routing">Order routing <a'],
    ['around its text', '## <Since>Order routing</Since>', '<h2 id="order-routing">Order routing<a'],
    [
      'instead of a text',
      '## <Since />',
      '<h2 id="the-interactive-component-since-is-not-shown-here"><span class="c-component">',
    ],
  ])('that is not shown leaves its content in a heading: %s', async (_, heading, expected) => {
    const code = 'export const Since = () => useState(0)[0];\n\n';
    const { html, problems } = await render(code + heading, []);
    expect(html).toContain(expected);
    expect(problems).toMatchObject([{ kind: 'inline-component' }]);
  });

  test.each([
    ['../../secret.mdx', 'snippet-outside-folder'],
    ['/../secret.mdx', 'snippet-outside-folder'],
    ['/snippets/none.mdx', 'snippet-missing'],
  ])('%s is not read and reported as %s', async (from, kind) => {
    const { problems, html } = await render(`import S from "${from}"\n\n<S />\n\nText.`, []);
    expect(problems[0]).toMatchObject({ kind, page: 'guides/page.mdx' });
    expect(problems[0]!.message).toContain(from);
    expect(html).toBe('<p>Text.</p>');
  });
});

test('dependencies are the names and digests of all snippets that a page can use', () => {
  const files: [string, string][] = [
    ['snippets/a.mdx', 'import B from "./b.mdx"\n\n<B />'],
    ['snippets/b.mdx', 'import A from "./a.mdx"\n\n<Snippet file="c.mdx" />'],
    ['snippets/c.mdx', 'C'],
    ['snippets/d.mdx', 'D'],
  ];
  const uses = createSnippetUses(new Map(files.map(([file, text]) => snippet(file, text))));
  expect(uses.dependencies(page('import A from "/snippets/a.mdx"\n\n<A />'))).toEqual(
    ['a', 'b', 'c'].map((name) => `snippets/${name}.mdx digest of snippets/${name}.mdx`),
  );
  expect(uses.dependencies(page('No import.'))).toEqual([]);
});

test.each([
  ['{{defined}} and `{{defined}}`', '<p>a value and <code>a value</code></p>'],
  ['{{other}} and `{{ other }}`', '<p>{{other}} and <code>{{ other }}</code></p>'],
  ['{{ .Values.image }} stays', '<p>{{ .Values.image }} stays</p>'],
])('variables: %s', async (source, html) => {
  expect((await render(source, [])).html).toBe(html);
});

describe('a Markdown file with imports', () => {
  const files: [string, string][] = [['_part.md', 'Part.']];

  test('is MDX, as in Docusaurus', async () => {
    const body =
      "import Tabs from '@theme/Tabs';\nimport Part from './\\_part.md'\n\nBefore.\n\n<Part />\n\n{/* later */}\n\nUse {braces}.";
    const { html, problems } = await render(body, files, { kind: 'md', file: 'page.md' });
    expect(html).toBe('<p>Before.</p>\n<p>Part.</p>\n<p>Use {braces}.</p>');
    expect(problems).toEqual([]);
  });

  test('shows none of them when it is not valid MDX, and code as it is', async () => {
    const body =
      "import Part from './_part.md'\n\n<Part />\n\n{/* later */}\n\nBad: { <b>\n\n```js\nimport x from 'y';\n{/* x */}\n```";
    for (const kind of ['md', 'mdx'] as const) {
      const { html, markdown } = await render(body, files, { kind, file: `page.${kind}` });
      expect(html).toContain('<p>Part.</p>');
      expect(html).not.toContain('later');
      expect(html.match(/import/g)).toHaveLength(1);
      expect(markdown).toContain("import x from 'y';\n{/* x */}");
    }
  });

  test('is MDX when its code has scripts and double braces', async () => {
    const body = "import Part from './_part.md'\n\n<Part />\n\n`<script>`\n\n```jsx\n<a style={{ b }}><script /></a>\n```";
    const { html } = await render(body, files, { kind: 'md', file: 'page.md' });
    expect(html).not.toContain('import');
    expect(html).toContain('<p>Part.</p>');
  });

  test('can have several on a line', async () => {
    const body = "import Tabs from '@theme/Tabs'; import Part from './_part.md';\n\n<Part />\n\nBad: { <b>";
    expect((await render(body, files, { kind: 'md', file: 'page.md' })).html).toContain('<p>Part.</p>\n<p>Bad: {');
  });

  test('is MDX with components whose names begin like a script', async () => {
    const body = "import ScriptShell from './_part.md'\n\n<ScriptShell />";
    expect((await render(body, files, { kind: 'md', file: 'page.md' })).html).toBe('<p>Part.</p>');
  });

  test('is text when they are in a script of Vue', async () => {
    const body = "<script setup>\nimport Part from './_part.md'\n</script>\n\nText {{ x }}.";
    expect((await render(body, files, { kind: 'md', file: 'page.md' })).html).toBe('<p>Text {{ x }}.</p>');
  });
});
