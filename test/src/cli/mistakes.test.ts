// The mistakes that authors make most, and what each of them is told.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { carrel } from './carrel.ts';
import { writeFiles } from '../../support/write-files.ts';

const config = (pages: string, others = '') => `{\n  "name": "Docs",\n${others}  "navigation": { "pages": ${pages} }\n}\n`;
const page = (body: string) => `---\ntitle: Home\n---\n\n${body}\n`;
const text = page('Text.');
const site = (body: string) => ({ 'docs.json': config('["index"]'), 'index.mdx': page(body) });

/** Name, files, what is printed (without frames), exit code. */
const mistakes: [name: string, files: Record<string, string>, printed: string[], code: number][] = [
  [
    'a comma is missing in docs.json',
    { 'docs.json': '{\n  "name": "Docs",\n  "theme": "mint"\n  "navigation": { "pages": ["index"] }\n}\n', 'index.mdx': text },
    ['Error (ConfigNotJson): docs.json is not valid JSON at line 3, column 18: a comma is missing after this value.'],
    1,
  ],
  [
    'a component is not closed',
    site('<Card title="A">\n\nText'),
    [
      'error index.mdx:5:1 page-not-valid-mdx This line is shown as Markdown, because it is not valid MDX: <Card> is not closed. Add </Card>, or write <Card /> if it is empty.',
    ],
    1,
  ],
  [
    'a brace is text',
    site('Hello {name and more.'),
    [
      'error index.mdx:5:7 page-not-valid-mdx This line is shown as Markdown, because it is not valid MDX: a { is not closed. If the brace is text, write \\{ or put it in backticks.',
    ],
    1,
  ],
  [
    'a title with a colon has no quotes',
    { ...site(''), 'index.mdx': '---\ntitle: Foo: bar\n---\n\nText.\n' },
    [
      'error index.mdx:2:8 frontmatter-not-yaml The frontmatter of index.mdx is not valid YAML: the value of "title" needs quotes. Only its plain "key: value" lines are used. Write title: "Foo: bar"',
    ],
    1,
  ],
  [
    'a component, an attribute and an icon are misspelled',
    site('<Nte>Hi</Nte>\n\n<Card titel="A" icon="rockt">x</Card>'),
    [
      'warning index.mdx:5:1 unknown-component <Nte> is not a component that Carrel knows; only its content and texts are shown. Did you mean "Note"?',
      'warning index.mdx:7:1 unknown-attribute <Card> does not have an attribute "titel". It is ignored. Did you mean "title"?',
      'info index.mdx:7:1 unknown-icon There is no icon "rockt"; none is shown. Did you mean "rocket"?',
    ],
    0,
  ],
  [
    'four links in one line are dead, and one lacks a slash',
    {
      'docs.json': config('["index", "other"]'),
      'index.mdx': page('[a](/nope), [b](./gone.md), [c](#missing), [d](https:/example.com), [e](/othr)'),
      'other.mdx': '---\ntitle: Other\n---\n\nText.\n',
    },
    [
      'error index.mdx:5:5 link-without-target The link "/nope" is broken: the site does not have this page or file. Correct the link, or add the page or a redirect.',
      'error index.mdx:5:17 link-without-target The link "/gone" is broken: the site does not have this page or file. Correct the link, or add the page or a redirect.',
      'error index.mdx:5:48 link-malformed The link "https:/example.com" is broken: two slashes must follow the colon. Did you mean "https://example.com"?',
      'error index.mdx:5:73 link-without-target The link "/othr" is broken: the site does not have this page or file. Did you mean "/other"?',
      'warning index.mdx:5:33 anchor-without-target "#missing" links to the page "index", which has no such heading or id. Correct the part after the #.',
    ],
    1,
  ],
  [
    'links with the extension of their file name missing headings',
    {
      'docs.json': config('["index", "other"]'),
      'index.mdx': page('[a](other.md#nope), [b](./other.mdx#none)'),
      'other.mdx': '---\ntitle: Other\n---\n\nText.\n',
    },
    [
      'warning index.mdx:5:5 anchor-without-target "/other#nope" links to the page "other", which has no such heading or id. Correct the part after the #.',
      'warning index.mdx:5:25 anchor-without-target "/other#none" links to the page "other", which has no such heading or id. Correct the part after the #.',
    ],
    0,
  ],
  [
    'pages of the navigation do not exist',
    { 'docs.json': config('["index", "A", "guides/instal"]'), 'index.mdx': text, 'a.mdx': text, 'guides/install.mdx': text },
    [
      'error docs.json:3:38 navigation-entry-without-file The navigation contains a page that does not exist: "A" (letter case counts). Did you mean "a"?',
      'error docs.json:3:43 navigation-entry-without-file The navigation contains a page that does not exist: "guides/instal". Did you mean "guides/install"?',
      'info a.mdx page-not-in-navigation a.mdx is not in the navigation, so neither the sidebar nor search lists it. Add it to docs.json, or write "hidden: true" in its frontmatter.',
      'info guides/install.mdx page-not-in-navigation guides/install.mdx is not in the navigation, so neither the sidebar nor search lists it. Add it to docs.json, or write "hidden: true" in its frontmatter.',
    ],
    1,
  ],
  [
    'keys and values of docs.json are misspelled',
    {
      'docs.json': config('["index"]', '  "theme": "mnit",\n  "color": { "primary": "#ff0000" },\n').replace(
        'navigation',
        'navigaton',
      ),
      'index.mdx': text,
    },
    [
      'warning docs.json navigation-missing docs.json does not list pages in "navigation". The navigation is generated from the files. List the pages under "navigation" to set their order.',
      'warning docs.json:3:3 config-wrong-type "theme" is "mnit", but must be one of "mint", "maple", "palm", "willow", "linden", "almond", "aspen", "sequoia", "luma". The value is ignored. Did you mean "mint"?',
      'warning docs.json:4:3 config-unknown-key "color" is not a known key of docs.json. It is ignored. Did you mean "colors"?',
      'warning docs.json:5:3 config-unknown-key "navigaton" is not a known key of docs.json. It is ignored. Did you mean "navigation"?',
    ],
    0,
  ],
  [
    'a color is a word',
    { 'docs.json': config('["index"]', '  "colors": { "primary": "teal" },\n'), 'index.mdx': text },
    [
      'warning docs.json:3:15 config-wrong-type "colors.primary" is "teal", but must be a color such as "#0d9373". The value is ignored. Correct it in docs.json.',
    ],
    0,
  ],
  [
    'a list is a text',
    { 'docs.json': config('"index"'), 'index.mdx': text },
    [
      'warning docs.json navigation-missing docs.json does not list pages in "navigation". The navigation is generated from the files. List the pages under "navigation" to set their order.',
      'warning docs.json:3:19 config-wrong-type "navigation.pages" is "index", but must be an array. The value is ignored. Put it in brackets: ["index"].',
    ],
    0,
  ],
  [
    'a heading occurs twice, a tab has no title, and a language is misspelled',
    site('# A\n\n# A\n\n<Tabs>\n<Tab>one</Tab>\n</Tabs>\n\n```jss\nconst a = 1;\n```'),
    [
      'warning index.mdx:10:1 tab-without-title <Tab> does not have a title: readers see "Tab". Write <Tab title="…">.',
      'info index.mdx:7:1 heading-repeated The heading "A" occurs twice in the same section. Give one of them another text: links to it open the first one.',
      'info index.mdx:13 unknown-code-language "jss" is not a code language that Carrel knows; the code has no colors. Did you mean "css", "js" or "jssm"?',
    ],
    0,
  ],
  [
    'an imported snippet does not exist',
    { ...site("import Intro from '/snippets/intr.mdx'\n\n<Intro />"), 'snippets/intro.mdx': 'Text.\n' },
    [
      'error index.mdx:5:20 snippet-missing "/snippets/intr.mdx", imported by index.mdx, was not found among the snippets. Did you mean "/snippets/intro.mdx"?',
    ],
    1,
  ],
  [
    'an imported component is outside the folder',
    site("import { X } from '../x.jsx'\n\n<X />"),
    [
      'error index.mdx:5:20 snippet-outside-folder "../x.jsx", imported by index.mdx, is outside the docs folder and was not read. Move the snippet into the docs folder.',
    ],
    1,
  ],
  [
    'Markdown is not what its author meant',
    site(
      '##No space\n\n![Home](/my image.png)\n\n> [!NOET]\n> Text.\n\n| a | b |\n| --- |\n| 1 | 2 |\n\n[Guide](http://localhost:3000/guide)\n\n```js\nconst a = 1;',
    ),
    [
      'warning index.mdx:5:1 markdown-mistake "##No space" is shown as text, not as a heading: a space must follow the ##. Write "## No space".',
      'warning index.mdx:7:1 markdown-mistake The URL "/my image.png" of an image has spaces: the image is shown as text. Write /my%20image.png, or </my image.png>.',
      'warning index.mdx:9:1 markdown-mistake "[!NOET]" is not a type of callout: the quotation is shown with these words. Did you mean "[!NOTE]"?',
      'warning index.mdx:13:1 markdown-mistake The table is shown as text: its first row has 2 columns, and the line below it 1. Write | --- | --- |',
      'warning index.mdx:16:9 link-to-localhost "http://localhost:3000/guide" is on the computer of the reader: the link opens nothing there. If it is a part of these docs, write /guide. If readers run a server there, show its URL as the text.',
      'warning index.mdx:18:1 markdown-mistake The code block is not closed: all that follows it is code. Write ``` in a line of its own after the code.',
    ],
    0,
  ],
  [
    'components lack what they need',
    site(
      '<Step title="One">a</Step>\n\n<Accordion>b</Accordion>\n\n<Callout type="wraning">c</Callout>\n\n<button onClick={() => go()}>d</button>',
    ),
    [
      'warning index.mdx:5:1 component-incomplete <Step> is not in <Steps>, so it is not shown as one. Write <Steps> before the first and </Steps> after the last of them.',
      'warning index.mdx:7:1 component-incomplete <Accordion> does not have a title: the line that opens it is empty. Write <Accordion title="…">.',
      'warning index.mdx:9:1 unknown-attribute "wraning" is not a type of <Callout>, so it is shown as a note. Did you mean "warning"?',
      'warning index.mdx:11:1 script-removed "onClick" of <button> is removed: nothing in a page is executed. Use a link, or another component: what readers click does nothing.',
    ],
    0,
  ],
  [
    'Markdown of a snippet is not what its author meant, on all pages that use it',
    {
      ...site("import Intro from '/snippets/intro.mdx'\n\n<Intro />\n\n<Intro />"),
      'docs.json': config('["index", "guide"]'),
      'guide.mdx': page('<Snippet file="intro.mdx" />').replace('Home', 'Guide'),
      'snippets/intro.mdx': '---\nnote: ours\n---\n\n##No space\n\n<Card title="A">\n\n[Guide](/my guide.mdx)\n',
      'snippets/unused.mdx': '##No space\n',
    },
    [
      'error snippets/intro.mdx:7:1 page-not-valid-mdx This line is shown as Markdown, because it is not valid MDX: <Card> is not closed. Add </Card>, or write <Card /> if it is empty.',
      'warning snippets/intro.mdx:5:1 markdown-mistake "##No space" is shown as text, not as a heading: a space must follow the ##. Write "## No space".',
      'warning snippets/intro.mdx:9:1 markdown-mistake The URL "/my guide.mdx" of a link has spaces: the link is shown as text. Write /my%20guide.mdx, or </my guide.mdx>.',
    ],
    1,
  ],
  [
    'the frontmatter is not closed',
    { ...site(''), 'index.mdx': '---\ntitle: Home\n\nText.\n' },
    [
      'warning index.mdx:1:1 markdown-mistake The frontmatter of index.mdx is shown as text: it is not closed. Write --- in a line of its own after its last key.',
    ],
    0,
  ],
  [
    'a merge is not finished',
    site('<<<<<<< HEAD\n<Note>One</Note>\n=======\nTwo\n>>>>>>> branch'),
    [
      'error index.mdx:5:1 merge-conflict index.mdx has both versions of a conflict that git could not merge. Keep one of the two versions, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>.',
    ],
    1,
  ],
  [
    'paths have two slashes, links have no URL, and specifications are broken or have no name',
    {
      'docs.json': `{
  "navigation": { "tabs": [
    { "tab": "Docs", "pages": ["index", "//guides//sub"] },
    { "tab": "API", "openapi": "openapi.json" },
    { "tab": "Empty", "openapi": "" }
  ] },
  "navbar": { "links": [{ "label": "Blog" }] }
}
`,
      'index.mdx': page('[Sub](//guides//sub)'),
      'guides/sub.mdx': '---\ntitle: Sub\nhidden: true\n---\n\nText.\n',
      'openapi.json': '{\n  "openapi": "3.1.0"\n  "paths": {}\n}\n',
    },
    [
      'error docs.json:3:41 navigation-entry-without-file The navigation of Docs contains a page that does not exist: "//guides//sub". Did you mean "guides/sub"?',
      'error docs.json:5:7 specification-page-missing No page for "openapi": "" (in Empty): it is empty, and must name a file or a URL. Correct the entry, or add the specification to the docs folder. The report lists all missing entries under "navigation.missing".',
      'error openapi.json:2:21 specification-not-read The API specification could not be read: a comma is missing after this value. One entry or page needs it. Correct the file. What it describes has no pages until then.',
      'error index.mdx:5:7 link-malformed The link "//guides//sub" is broken: browsers take what follows two slashes for a host. Did you mean "/guides/sub"?',
      'warning docs.json:7:25 config-wrong-type "navbar.links[0]" has no "href". The value is ignored. Add it in docs.json.',
    ],
    1,
  ],
  [
    'a merge of docs.json is not finished',
    {
      ...site(''),
      'docs.json':
        '{\n<<<<<<< HEAD\n  "name": "A",\n=======\n  "name": "B",\n>>>>>>> b\n  "navigation": { "pages": ["index"] }\n}\n',
    },
    [
      'Error (ConfigNotJson): docs.json is not valid JSON at line 2, column 1: it has both versions of a conflict that git could not merge.',
    ],
    1,
  ],
  [
    'a stylesheet imports another one after other rules',
    { ...site('Text.'), 'style.css': 'a { color: red }\n@import "https://example.com/a.css";\n' },
    [
      'error style.css:2 asset-without-file Browsers ignore the @import of "https://example.com/a.css", because other rules are before it. Move it to the beginning of the stylesheet.',
    ],
    1,
  ],
  ['the folder is empty', {}, ['Error (FolderEmpty): The folder "docs" is empty.'], 1],
  [
    'docs.json is in a folder of this one',
    { 'docs/docs.json': config('["index"]'), 'docs/index.mdx': text, 'README.md': '# Hi\n' },
    [
      'warning docs/docs.json config-in-subfolder Found docs/docs.json, but the exported folder does not have a docs.json itself, so it is read as plain Markdown. Did you mean: carrel export docs/docs?',
    ],
    0,
  ],
  [
    'the root of a repository is named instead of its docs',
    {
      'package.json': '{ "name": "tool" }',
      'README.md': '# Tool\n\n[Gone](gone.md)\n',
      'CHANGELOG.md': '# Changes\n',
      'docs/index.md': '# Docs\n',
      'docs/guide.md': '# Guide\n',
    },
    [
      'warning docs config-in-subfolder The exported folder is the root of a repository, whose docs are in "docs/": all of its Markdown files become pages. Did you mean: carrel export docs/docs?',
      'error README.md:3:8 link-without-target The link "/gone" is broken: the site does not have this page or file. Correct the link, or add the page or a redirect.',
    ],
    1,
  ],
  [
    'an operation has no specification',
    { 'docs.json': config('["index", "GET /users"]'), 'index.mdx': text },
    [
      'error docs.json:3:38 specification-page-missing No page for "GET /users" (in docs.json): not found in any specification in the docs folder. Correct the entry, or add the specification to the docs folder. The report lists all missing entries under "navigation.missing".',
    ],
    1,
  ],
  [
    'a key of the frontmatter is misspelled, and its icon',
    { ...site(''), 'index.mdx': '---\ntitle: Home\ndescripton: All of it\nicon: rockt\n---\n\nText.\n' },
    [
      'warning index.mdx:3:1 frontmatter-unknown-key The key "descripton" of the frontmatter has no effect. Did you mean "description"?',
      'info index.mdx:4:1 unknown-icon There is no icon "rockt"; none is shown. Did you mean "rocket"?',
    ],
    0,
  ],
];

describe('carrel check says what is wrong, where, and what was meant, when', () => {
  test.each(mistakes)('%s', async (_, files, printed, code) => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'docs'));
    writeFiles(join(root, 'docs'), files);
    const ended = await carrel(['check', 'docs', '--cache', 'off'], { cwd: root });
    const lines = `${ended.stdout}${ended.stderr}`
      .split('\n')
      .filter((line) => /^(?: {2}(?:error|warning|info) |Error )/.test(line));
    expect(lines.map((line) => line.trim().replace(/ {2,}/g, ' ').replace(`${root}/`, ''))).toEqual(printed);
    expect(ended.code).toBe(code);
  });
});
