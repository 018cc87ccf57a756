import { expect, test } from 'vitest';
import { createRenderer } from '../../../src/markdown/render.ts';
import { options, page } from './fixtures.ts';

const renderer = createRenderer({ ...options, plainCode: true });

/** The place and the kind of each problem, with its message. */
async function problemsOf(body: string, kind: 'md' | 'mdx'): Promise<string[]> {
  const { problems } = await renderer.render(page(body, { kind, file: `guides/page.${kind}` }));
  return problems.map(({ kind: what, line, column, message }) => `${line}:${column} ${what} ${message}`);
}

const heading = 'markdown-mistake "##Set up" is shown as text, not as a heading';
const fence = 'markdown-mistake The code block is not closed';
const table = 'markdown-mistake The table is shown as text:';

const mistakes: [body: string, problems: string[]][] = [
  ['Text.\n\n##Set up', [`3:1 ${heading}`]],
  ['Text.\n##Set up\n', [`2:1 ${heading}`]],
  ['> ##Set up\n\n- ##Set up\n', [`1:3 ${heading}`, `3:3 ${heading}`]],
  ['##\u00a0Set up', ['1:1 markdown-mistake "##\u00a0Set up" is shown as text']],
  ['See ![Home](../my image.png).', ['1:5 markdown-mistake The URL "../my image.png" of an image has spaces']],
  ['See [the guide](./my guide.md).', ['1:5 markdown-mistake The URL "./my guide.md" of a link has spaces']],
  ['See [it](https://example.com/a b).', ['1:5 markdown-mistake The URL "https://example.com/a b" of a link has spaces']],
  ['> [!WARNNG]\n> Text.', ['1:1 markdown-mistake "[!WARNNG]" is not a type of callout']],
  [':::warnng\nText.\n:::', ['1:1 markdown-mistake ":::warnng" is not a type of callout']],
  ['Text.\n\n| a | b |\n| --- |\n| 1 | 2 |', [`4:1 ${table} its first row has 2 columns, and the line below it 1.`]],
  ['| a | b |\n| === | === |\n| 1 | 2 |', [`2:1 ${table} the line below its first row is not one of hyphens`]],
  ['| a | b |\n| 1 | 2 |', [`1:1 ${table} a line of hyphens below its first row is missing`]],
  ['| a | b |\n\n| --- | --- |\n| 1 | 2 |', [`3:1 ${table} the line above its hyphens is missing`]],
  ['Text.\n\n```js\nconst a = 1;\n', [`3:1 ${fence}`]],
  ['> ~~~\n> a\n\nText.', [`1:3 ${fence}`]],
  ['- a\n\n  ```js\n  a\n\nText.', [`3:3 ${fence}`]],
];

test.each(mistakes)('reports what is shown as something else: %j', async (body, problems) => {
  const expected = problems.map((one) => expect.stringContaining(one));
  expect([await problemsOf(body, 'md'), await problemsOf(body, 'mdx')]).toEqual([expected, expected]);
});

test('an unclosed code block is reported, and not the component that it hides the end of', async () => {
  expect(await problemsOf('<Note>\n```js\na\n</Note>\n', 'mdx')).toEqual([expect.stringContaining(`2:1 ${fence}`)]);
});

const right = `A #hashtag, C## and \\##Set up

\`##Set up\` and \`![a](b c.png)\` and \\[a](/b c) and [a](b "c d") and [a](<b c.md>) and [see](this word)

<!-- ##Set up
![a](b c.png) -->

> [!NOTE]
> Text.

:::warning
Text.
:::

:::columns
Text.
:::

| a | b |
| --- | :-: |
| 1 | \\| |

either | or
| one |

\`\`\`md
##Set up
![a](b c.png)
> [!NOET]
| a | b |
| --- |
<<<<<<< HEAD
a
=======
b
>>>>>>> branch
\`\`\`

    ##Set up

- a
  \`\`\`
  b
  \`\`\``;

test('reports nothing in code, comments and what is escaped', async () => {
  const mdx = `${right.replace('<!--', '{/*').replace('-->', '*/}').replace('    ##Set up\n', '')}\n\n{"##Set up"}\n`;
  expect([await problemsOf(right, 'md'), await problemsOf(mdx, 'mdx')]).toEqual([[], []]);
});

const incomplete: [body: string, problem: string][] = [
  ['<Step title="a">b</Step>', '1:1 component-incomplete <Step> is not in <Steps>'],
  ['<Note>\n<Tab title="a">b</Tab>\n</Note>', '2:1 component-incomplete <Tab> is not in <Tabs>'],
  ['<TabItem label="a">b</TabItem>', '1:1 component-incomplete <TabItem> is not in <Tabs>'],
  ['<Tree.File name="a" />', '1:1 component-incomplete <Tree.File> is not in <Tree>'],
  ['<Color.Item name="a" value="#fff" />', '1:1 component-incomplete <Color.Item> is not in <Color>'],
  ['<Accordion>a</Accordion>', '1:1 component-incomplete <Accordion> does not have a title'],
  ['<Accordion title="">a</Accordion>', '1:1 component-incomplete <Accordion> does not have a title'],
  ['<Card href="https://example.com" />', '1:1 component-incomplete <Card> does not have a title'],
  ['<ParamField type="string">a</ParamField>', '1:1 component-incomplete <ParamField> does not have a name'],
  ['<Update>a</Update>', '1:1 component-incomplete <Update> does not have a label'],
  ['<Tooltip>a</Tooltip>', '1:1 component-incomplete <Tooltip> does not have a text'],
  ['<Aside type="tpi">a</Aside>', '1:1 unknown-attribute "tpi" is not a type of <Aside>'],
  ['<button onclick="go()">a</button>', '1:1 script-removed "onclick" of <button> is removed'],
  ['<Card title="a" onClick={() => go()}>b</Card>', '1:1 script-removed "onClick" of <Card> is removed'],
  ['<Accordion titel="a">b</Accordion>', '1:1 unknown-attribute <Accordion>'],
  ['<Accordion title={a}>b</Accordion>', '1:1 expression-not-evaluated title={a}'],
];

test.each(incomplete)('reports components that lack something: %s', async (body, problem) => {
  expect(await problemsOf(body, 'mdx')).toEqual([expect.stringContaining(problem)]);
});

test.each([
  '<Steps>\n<div>\n<Step title="a">b</Step>\n</div>\n</Steps>',
  '<FileTree>\n<Folder name="a">\n<File name="b" />\n</Folder>\n</FileTree>',
  '<Steps>\n<Step>\nText.\n</Step>\n</Steps>',
  '<Card href="/">Text.</Card>',
  '<ResponseField type="string">Text.</ResponseField>',
  '<Callout type="warn">Text.</Callout>',
])('reports nothing of complete components: %j', async (body) => {
  expect(await problemsOf(body, 'mdx')).toEqual([]);
});

test('a component of the docs can bring the one that another belongs in', async () => {
  const body = 'export const Mine = ({ children }) => <Tabs>{children}</Tabs>;\n\n<Mine><Tab title="a">b</Tab></Mine>\n';
  expect(await problemsOf(`${body}\n<Other><Step title="a">b</Step></Other>`, 'mdx')).toEqual([
    expect.stringContaining('unknown-component <Other>'),
  ]);
});

test.each<[body: string, places: string[]]>([
  ['[Guide](http://localhost:3000/guide)', ['1:9']],
  ['Text\n[guide][1]\n\n[1]: http://127.0.0.1:4321/guide', ['4:6']],
  ['<Card title="Guide" href="http://0.0.0.0:8000/guide" />', ['1:27']],
  ['![Home](http://[::1]:3000/home.png)', ['1:9']],
  ['<img alt="" src="http://localhost/home.png" />', ['1:18']],
  ['Open http://localhost:3000/guide, <a href="http://localhost:3000">localhost</a> or [port 3000](http://localhost:3000).', []],
  ['Open [localhost:8000][1].\n\n[1]: http://localhost:8000', []],
  ['[a](https://localhost.example.com) and `[b](http://localhost:3000/b)`', []],
])('reports links to the computer of the author: %s', async (body, places) => {
  expect(await problemsOf(body, 'mdx')).toEqual(places.map((at) => expect.stringContaining(`${at} link-to-localhost `)));
});
