import { expect, test } from 'vitest';
import { readSections } from '../../../integration/page/sections.ts';
import { createRenderer } from '../../../src/markdown/render.ts';
import { options, page } from './fixtures.ts';

test.each([
  [
    'fields',
    '<ParamField path="mode" type="string" required deprecated default="air" pre={["x"]} post={["y"]}>\n\nHow.\n\n</ParamField>',
    'x mode y string path required deprecated default: air How.',
  ],
  ['accordions', '<Accordion title="Where" description="and when">\n\nHere.\n\n</Accordion>', 'Where and when Here.'],
  [
    'tooltips',
    'An <Tooltip headline="API" tip="an interface" cta="More" href="/x">API</Tooltip>.',
    'An API API an interface More.',
  ],
  ['colors', '<Color><Color.Item name="sea" value={{ light: "#111", dark: "#222" }} /></Color>', 'sea #111 #222'],
  [
    'file trees',
    '<Tree>\n<Tree.Folder name="src" comment="ours">\n<Tree.File name="a.ts" comment="first" />\n</Tree.Folder>\n</Tree>',
    'src ours a.ts first',
  ],
  ['file trees from lists', '<FileTree>\n- src/ ours\n  - a.ts first\n</FileTree>', 'src ours a.ts first'],
  ['updates', '<Update label="v2" description="May" tags={["new", "fast"]}>\n\nBoth.\n\n</Update>', 'v2 May new fast Both.'],
  ['cards', '<Card title="Title" cta="Go" href="/x">Text</Card>', 'Title Text Go'],
  ['tabs', '<Tabs><Tab title="npm">one</Tab><Tab title="pnpm">two</Tab></Tabs>', 'npm one pnpm two'],
  ['steps', '<Steps><Step title="First">one</Step><Step title="Second">two</Step></Steps>', 'First one Second two'],
  ['callouts', '<Note title="Mind">the gap</Note>', 'Mind the gap'],
  ['frames', '<Frame hint="Look" caption="A lamp">the lamp</Frame>', 'Look the lamp A lamp'],
  ['views', '<View title="One">first</View>\n<View title="Two">second</View>', 'One first Two second'],
  ['tables', '| a | b |\n| - | - |\n| c | d |', 'a b c d'],
  ['definition lists', '<dl><dt>a</dt><dd>b</dd><dt>c</dt><dd>d</dd></dl>', 'a b c d'],
])('the words of %s have a space where only CSS separates them', async (_what, body, expected) => {
  const { html } = await createRenderer(options).render(page(body));
  const [section] = readSections(`<main>${html}</main>`, { path: 'page', title: 'Page', language: 'en' });
  expect(section!.text.split(/[\t\n]/).join(' ')).toBe(expected);
});

test('checkboxes of a task list are named by their text, without that of a nested list', async () => {
  const { html } = await createRenderer(options).render(page('- [x] *done* and `dusted`\n- [ ] open\n  - [ ] inner\n'));
  expect([...html.matchAll(/<input[^>]*aria-label="([^"]*)"/g)].map(([, label]) => label)).toEqual([
    'done and dusted',
    'open',
    'inner',
  ]);
});

test('a URL as the text of a link does not become a link inside it', async () => {
  const { html } = await createRenderer(options).render(
    page('<a href="mailto:a@b.example">**a@b.example**</a> and https://c.example\n'),
  );
  expect(html).toBe(
    '<p><a href="mailto:a@b.example"><strong>a@b.example</strong></a> and <a href="https://c.example">https://c.example</a></p>',
  );
});
