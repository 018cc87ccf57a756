import { mkdtempSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  CompletionRequest,
  DidOpenTextDocumentNotification,
  HoverRequest,
  WillRenameFilesRequest,
  type CompletionList,
  type Diagnostic,
} from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { carrel } from '../cli/carrel.ts';
import { openEditor, type Editor } from './editor.ts';

// One editor has the folder of all sites open: the site of a file is the nearest folder above with a docs.json.
const folder = mkdtempSync(join(tmpdir(), 'carrel-lsp-'));
let editor: Editor;
let sites = 0;
beforeAll(async () => void (editor = await openEditor(folder)));
afterAll(async () => {
  await editor.close();
  rmSync(folder, { recursive: true, force: true });
});

const config = {
  name: 'Lamps',
  colors: { primary: '#123456' },
  favicon: '/guides/lamp.svg',
  redirects: [{ source: '/begin', destination: '/guides/setup' }],
  navigation: { groups: [{ group: 'Start', pages: ['index', 'guides/setup', 'guides/faq'] }] },
};
const docs: Record<string, string> = {
  'docs.json': `${JSON.stringify(config, null, 2)}\n`,
  'guides/lamp.svg': '<svg xmlns="http://www.w3.org/2000/svg" />',
  'index.mdx':
    '---\ntitle: Home\n---\n\nRead the [setup](/guides/setup#wiring) and <Card title="FAQ" href="/guides/faq">it</Card>.\n',
  'guides/setup.mdx':
    '---\ntitle: Setup\ndescription: How to begin.\n---\n\n## Wiring\n\nSee [the FAQ](./faq.mdx) and `[x](/guides/faq)`.\n',
  'guides/faq.mdx': '---\ntitle: Questions\n---\n\nBack to the [setup](/guides/setup/).\n',
};

/** Writes a site; returns a function that gives the path of one of its files in the folder of all. */
function write(files: Record<string, string> = docs): (file: string) => string {
  const name = `site-${++sites}`;
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name, file)), { recursive: true });
    writeFileSync(join(folder, name, file), text);
  }
  return (file) => `${name}/${file}`;
}

const none = (diagnostics: Diagnostic[]) => diagnostics.length === 0;
const some = (diagnostics: Diagnostic[]) => diagnostics.length > 0;

function at(file: string, text: string, offset: number) {
  return { textDocument: { uri: editor.uri(file) }, position: TextDocument.create('', '', 0, text).positionAt(offset) };
}

/** What an editor offers at the `|` of a text. */
async function offered(file: string, marked: string): Promise<string[]> {
  const text = marked.replace('|', '');
  await editor.open(file, text);
  const list = await editor.connection.sendRequest(CompletionRequest.type, at(file, text, marked.indexOf('|')));
  await editor.shut(file);
  return (list as CompletionList).items.map(({ label }) => label);
}

test('problems come and go as the text changes, as `carrel check` prints them', async () => {
  const file = write();
  const text = `${docs['index.mdx']}\n😀 [a](/guides/setpu) <Crad>b</Crad>\n`.replaceAll('\n', '\r\n');
  await editor.open(file('index.mdx'), docs['index.mdx']!);
  await editor.change(file('index.mdx'), text);
  const found = await editor.until(file('index.mdx'), some);
  await editor.change(file('index.mdx'), docs['index.mdx']!);
  await editor.until(file('index.mdx'), none);

  writeFileSync(join(folder, file('index.mdx')), text);
  const { stdout } = await carrel(['check', join(folder, file('')), '--format', 'json', '--cache', 'off']);
  const { problems } = JSON.parse(stdout) as { problems: Record<string, unknown>[] };
  const printed = problems.map(({ kind, severity, line, column, message, hint }) => {
    return [line, column, severity === 'error' ? 1 : 2, kind, `${String(message)} ${String(hint)}`];
  });
  const shown = found.map(({ range: { start }, severity, code, message }) => {
    return [start.line + 1, start.character + 1, severity, code, message];
  });
  expect(new Set(shown)).toEqual(new Set(printed));
  // Positions count UTF-16 units, of which the emoji has two.
  const words = found.map(({ range: { start, end } }) => text.split('\r\n')[start.line]!.slice(start.character, end.character));
  expect(new Set(words)).toEqual(new Set(['/guides/setpu', '<Crad']));
});

test('problems of docs.json are shown while it is typed, and other pages follow it', async () => {
  const file = write();
  const json = docs['docs.json']!;
  await editor.open(file('docs.json'), json);
  await editor.change(file('docs.json'), json.slice(0, -5));
  expect(await editor.until(file('docs.json'), some)).toMatchObject([{ code: 'ConfigNotJson', severity: 1 }]);
  await editor.change(file('docs.json'), json.replace('"guides/faq"', '"guides/fax"'));
  const missing = await editor.until(file('docs.json'), (found) =>
    found.some(({ code }) => code === 'navigation-entry-without-file'),
  );
  expect(missing[0]!.range).toEqual({ start: { line: 19, character: 10 }, end: { line: 19, character: 22 } });
  await editor.until(file('guides/faq.mdx'), some);
  await editor.change(file('docs.json'), json);
  await editor.until(file('docs.json'), none);
  await editor.until(file('guides/faq.mdx'), none);
});

test('a change of another file on disk is noticed', async () => {
  const file = write();
  await editor.open(file('index.mdx'), docs['index.mdx']!.replace('#wiring', '#wires'));
  expect(await editor.until(file('index.mdx'), some)).toMatchObject([{ code: 'anchor-without-target' }]);
  writeFileSync(join(folder, file('guides/setup.mdx')), docs['guides/setup.mdx']!.replace('## Wiring', '## Wires'));
  await editor.until(file('index.mdx'), none);
});

test.each([
  ['index.mdx', '<Ca|', ['Callout', 'Card', 'CardGroup']],
  ['index.mdx', '<Card\n  title="x" hor|>', ['horizontal']],
  ['index.mdx', '<Badge color="wh|', ['white', 'white-destructive']],
  ['index.mdx', '<Card icon="anchor-circle-c', ['anchor-circle-check']],
  ['index.mdx', '[x](/gui|)', ['/guides/setup', '/guides/faq']],
  ['guides/faq.mdx', '[x](./|)', ['./setup.mdx', './faq.mdx']],
  ['index.mdx', '[x](/guides/setup#|)', ['/guides/setup#setup', '/guides/setup#wiring']],
  ['index.mdx', '---\ndesc|', ['description: ']],
  ['index.mdx', '---\nicon: anchor-circle-c|\n---\n', ['anchor-circle-check']],
  ['index.mdx', '<Card title={() => 1} hor|', ['horizontal']],
  ['index.mdx', '\uFEFF---\ndesc|', ['description: ']],
  ['index.mdx', '```ts\nArray<|\n```', []],
  ['index.mdx', 'Write `[x](/|`', []],
  ['docs.json', '{ "navi|" }', ['"navigation": ']],
  ['docs.json', '{ "appearance": { "default": "|" } }', ['"system"', '"light"', '"dark"']],
  ['docs.json', '{ "navigation": { "pages": ["guides/s|"] } }', ['"guides/setup"']],
])('completes %s: %s', async (name, marked, wanted) => {
  const labels = await offered(write()(name), marked.includes('|') ? marked : `${marked}|`);
  expect(labels).toEqual(expect.arrayContaining(wanted));
  expect(labels.length).toBeLessThan(wanted.length === 0 ? 1 : wanted.length + 12);
});

test('shows the page behind a link, and the attributes of a component', async () => {
  const file = write();
  const text = docs['index.mdx']!;
  await editor.open(file('index.mdx'), text);
  const hover = (offset: number) => editor.connection.sendRequest(HoverRequest.type, at(file('index.mdx'), text, offset));
  expect(await hover(text.indexOf('/setup'))).toMatchObject({ contents: { value: '**Setup**\n\nHow to begin.' } });
  expect(await hover(text.indexOf('Card'))).toMatchObject({
    contents: { value: expect.stringContaining('`<Card>` with `title`, `href`') },
  });
  expect(await hover(text.indexOf('Read'))).toBeNull();
  const code = '`<Card>`';
  await editor.change(file('index.mdx'), code);
  expect(await editor.connection.sendRequest(HoverRequest.type, at(file('index.mdx'), code, 3))).toBeNull();
});

test.each([
  {
    ...{ from: 'guides/setup.mdx', to: 'begin.mdx', url: '/begin', faq: './guides/faq.mdx', favicon: '/guides/lamp.svg' },
    // The redirect from a path that has a page now is gone.
    redirects: [{ source: '/guides/setup', destination: '/begin' }],
  },
  {
    ...{ from: 'guides', to: 'help', url: '/help/setup', faq: './faq.mdx', favicon: '/help/lamp.svg' },
    redirects: [
      { source: '/begin', destination: '/help/setup' },
      { source: '/guides/:slug*', destination: '/help/:slug*' },
    ],
  },
])('a new name of $from corrects links, navigation and redirects', async ({ from, to, url, faq, favicon, redirects }) => {
  const file = write();
  await editor.open(file('index.mdx'), docs['index.mdx']!);
  const files = [{ oldUri: editor.uri(file(from)), newUri: editor.uri(file(to)) }];
  const { changes = {} } = (await editor.connection.sendRequest(WillRenameFilesRequest.type, { files }))!;
  const after = (name: string) =>
    TextDocument.applyEdits(TextDocument.create('', '', 0, docs[name]!), changes[editor.uri(file(name))] ?? []);
  expect(after('index.mdx')).toContain(`[setup](${url}#wiring)`);
  expect(after('guides/faq.mdx')).toContain(`[setup](${url}/)`);
  // Code stays.
  expect(after('guides/setup.mdx')).toContain(`[the FAQ](${faq}) and \`[x](/guides/faq)\``);
  const json = JSON.parse(after('docs.json')) as typeof config;
  expect(json.navigation.groups[0]!.pages).toContain(url.slice(1));
  expect(json).toMatchObject({ favicon, redirects });
});

const odd = {
  'docs.json': JSON.stringify({
    name: 'Lamps',
    colors: { primary: '#123456' },
    navbar: { links: [{ label: 'Setup', href: '/guides/setup?step=1#top' }] },
    redirects: [{ source: '/old/:slug*', destination: '/guides/:slug*' }],
    navigation: { $ref: './navigation.json' },
  }),
  'navigation.json': JSON.stringify({ pages: ['index', 'guides/setup', 'v1.2', 'two words'] }),
  'index.mdx':
    '[a](/guides/setup?x=1#y) [b](/v1.2) [c](./v1.2) [d](<two words.mdx>) <a href={"/v1.2"}>e</a> <Card img="/a.png" />',
  'guides/setup.mdx': '# Setup',
  'v1.2.mdx': '# New',
  'two words.mdx': '# Two',
  'a.png': '',
};

test.each<[move: Record<string, string>, replaced: Record<string, string>, redirects?: string[]]>([
  [{ 'guides/setup.mdx': 'guides/setup.md' }, {}],
  [{ 'guides/setup.mdx': 'guides/setup.txt' }, {}],
  [{ 'guides/setup.mdx': 'guides/Setup.mdx' }, { 'guides/setup': 'guides/Setup' }],
  [
    { 'v1.2.mdx': 'é 100%?.mdx' },
    { '/v1.2': '/%C3%A9%20100%25%3F', '"v1.2"': '"é 100%?"' },
    ['/old/:slug* → /guides/:slug*', '/v1.2 → /%C3%A9%20100%25%3F'],
  ],
  [{ 'v1.2.mdx': 'v1.3.mdx' }, { 'v1.2': 'v1.3' }, ['/old/:slug* → /guides/:slug*', '/v1.2 → /v1.3']],
  [
    { 'two words.mdx': 'three words.mdx' },
    { '<two words': '<three%20words', '"two words': '"three words' },
    ['/old/:slug* → /guides/:slug*', '/two%20words → /three%20words'],
  ],
  [{ 'a.png': 'b.png' }, { 'a.png': 'b.png' }],
  [
    { 'guides/setup.mdx': 'v1.2.mdx', 'v1.2.mdx': 'guides/setup.mdx' },
    { 'guides/setup': 'v1.2', 'v1.2': 'guides/setup' },
  ],
  [{ guides: 'old' }, { 'guides/setup': 'old/setup' }, ['/guides/:slug* → /old/:slug*']],
])(
  'a new name %j changes what it should and nothing else',
  async (move, replaced, redirects = ['/old/:slug* → /guides/:slug*']) => {
    const file = write(odd);
    const files = Object.entries(move).map(([from, to]) => ({ oldUri: editor.uri(file(from)), newUri: editor.uri(file(to)) }));
    const { changes = {} } = (await editor.connection.sendRequest(WillRenameFilesRequest.type, { files }))!;
    for (const name of ['docs.json', 'navigation.json', 'index.mdx'] as const) {
      const text = TextDocument.applyEdits(TextDocument.create('', '', 0, odd[name]), changes[editor.uri(file(name))] ?? []);
      const wanted = odd[name].replace(new RegExp(Object.keys(replaced).join('|'), 'g'), (found) => replaced[found] ?? '');
      const rules = redirects.map((rule) => ({ source: rule.split(' → ')[0], destination: rule.split(' → ')[1] }));
      // The text of a page is not JSON, and has no redirects.
      const parsed = (json: string) => JSON.parse(name === 'index.mdx' ? JSON.stringify({ json }) : json) as object;
      expect({ redirects: rules, ...parsed(text) }).toEqual({ ...parsed(wanted), redirects: rules });
    }
  },
);

test('a new name while docs.json is broken changes its paths alone', async () => {
  const file = write();
  const text = docs['docs.json']!.replace(/\}\s*$/, ', "foo": [');
  await editor.open(file('docs.json'), text);
  const files = [{ oldUri: editor.uri(file('guides/faq.mdx')), newUri: editor.uri(file('guides/help.mdx')) }];
  const { changes = {} } = (await editor.connection.sendRequest(WillRenameFilesRequest.type, { files }))!;
  await editor.shut(file('docs.json'));
  const edits = changes[editor.uri(file('docs.json'))]!;
  expect(TextDocument.applyEdits(TextDocument.create('', '', 0, text), edits)).toBe(text.replace('guides/faq', 'guides/help'));
});

test('URIs that are not paths of files change nothing', async () => {
  const file = write();
  for (const uri of [
    'file://host/a.md',
    'file:///a%2Fb.md',
    'file:///%E0%A4%A',
    'untitled:1',
    'none',
    editor.uri(file('guides')),
  ])
    await editor.connection.sendNotification(DidOpenTextDocumentNotification.type, {
      textDocument: { uri, languageId: 'mdx', version: 1, text: '[x](/nowhere)' },
    });
  await editor.open(file('index.mdx'), '[x](/nowhere)');
  await editor.until(file('index.mdx'), some);
  const files = [{ oldUri: 'file://host/a.md', newUri: 'none' }];
  expect(await editor.connection.sendRequest(WillRenameFilesRequest.type, { files })).toEqual({ changes: {} });
});

test('a README beside a docs folder is not docs', async () => {
  const root = join(
    folder,
    write({ 'README.md': '# Lamps', 'docs/docs.json': docs['docs.json']!, 'docs/index.mdx': '# Home' })(''),
  );
  const own = await openEditor(root);
  const text = '[x](nowhere.md)';
  await own.open('README.md', text);
  const position = { line: 0, character: 5 };
  await own.connection.sendRequest(HoverRequest.type, { textDocument: { uri: own.uri('README.md') }, position });
  expect([...own.published]).toEqual([]);
  await own.close();
});

test('a folder that is named is also found through a link to it, and must exist', async () => {
  const file = write();
  const link = join(folder, 'link');
  symlinkSync(join(folder, file('')), link);
  const own = await openEditor(link, [join(folder, file('')), '--cache', 'off']);
  await own.open('index.mdx', '[x](/nowhere)');
  await own.until('index.mdx', some);
  await own.close();
  const { code, stderr } = await carrel(['lsp', join(folder, 'nowhere')]);
  expect(code).toBe(1);
  expect(stderr).toContain('does not exist');
});

test('answers for a document outside of any docs folder are empty', async () => {
  const other = mkdtempSync(join(tmpdir(), 'carrel-lsp-other-'));
  const file = join('..', relative(dirname(folder), join(other, 'notes.md')));
  await editor.open(file, '[x](/nowhere)');
  expect(await editor.connection.sendRequest(HoverRequest.type, at(file, '', 0))).toBeNull();
  rmSync(other, { recursive: true });
});

test('a folder without docs.json, a page of 2 MB, and a message that is not JSON', async () => {
  const root = join(folder, 'plain');
  mkdirSync(root);
  writeFileSync(join(root, 'README.md'), '# Home\n');
  const own = await openEditor(root);
  const page = `# Home\n\n${'Some [text](other.md).\n\n'.repeat(90_000)}`;
  await own.open('README.md', page);
  expect((await own.until('README.md', some)).length).toBeGreaterThan(0);
  own.child.stdin.write('Content-Length: 5\r\n\r\n{"a" ');
  await own.change('README.md', '# Home\n');
  await own.until('README.md', none);
  expect(await own.close()).toBe(0);
});

test('ends with its editor', async () => {
  expect(await (await openEditor(folder)).close()).toBe(0);
  const own = await openEditor(folder);
  own.child.stdin.end();
  expect(await own.ended).toBe(1);
});
