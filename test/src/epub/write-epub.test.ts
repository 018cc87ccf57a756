import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import AdmZip from 'adm-zip';
import { JSDOM } from 'jsdom';
import { expect, test } from 'vitest';
import { exportDocs, type ExportDocsOptions } from '../../../src/export/export-docs.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';

type Files = Record<string, string | Uint8Array>;

/** Exports docs with an EPUB, and checks the EPUB as a whole. */
async function bookOf(files: Files, options: Partial<ExportDocsOptions> = {}) {
  const root = temporaryFolder();
  for (const [name, contents] of Object.entries(files)) {
    mkdirSync(dirname(join(root, 'docs', name)), { recursive: true });
    writeFileSync(join(root, 'docs', name), contents);
  }
  return exportBook(join(root, 'docs'), options);
}

async function exportBook(source: string, options: Partial<ExportDocsOptions> = {}) {
  const root = temporaryFolder();
  const epub = join(root, 'book.epub');
  const { warnings } = await exportDocs({
    ...{ source, out: join(root, 'site'), epub, deployment: 'client-hosted', vendor: false },
    ...{ cache: false, now: 0, environment: {}, ...options },
  });
  const bytes = readFileSync(epub);
  const entries = new AdmZip(bytes).getEntries();
  const texts = new Map(entries.map((entry) => [entry.entryName, entry.getData().toString()]));
  const book = checked(
    entries.map(({ entryName }) => entryName),
    texts,
  );
  return { bytes, entries, texts, warnings, ...book };
}

/** Parses all XML strictly, and checks what EPUBCheck would: manifest, IDs, links, elements. */
function checked(names: string[], texts: Map<string, string>) {
  // It throws an error for what is not well-formed.
  const parse = (name: string) => new JSDOM(texts.get(name)!, { contentType: 'application/xml' }).window.document;
  const isXml = (name: string) => /\.(?:xhtml|opf|ncx|svg|xml)$/.test(name);
  const documents = new Map(names.filter(isXml).map((name) => [name, parse(name)]));
  const ids = new Map([...documents].map(([name, one]) => [name, [...one.querySelectorAll('[id]')].map(({ id }) => id)]));
  for (const [name, all] of ids) {
    expect(new Set(all).size, name).toBe(all.length);
    for (const id of all) expect(id, name).toMatch(/^[A-Za-z_][\w.-]*$/);
  }
  const opf = documents.get('EPUB/package.opf')!;
  const items = [...opf.querySelectorAll('item')];
  expect(items.map((item) => `EPUB/${item.getAttribute('href')}`).sort()).toEqual(
    names.filter((name) => name.startsWith('EPUB/') && !name.endsWith('.opf')).sort(),
  );
  for (const [name, one] of documents) {
    if (!/\.(?:xhtml|ncx)$/.test(name)) continue;
    expect([...one.querySelectorAll('script, form, button, input, iframe, [onclick]')].map(({ outerHTML }) => outerHTML)).toEqual(
      [],
    );
    for (const element of one.querySelectorAll('[src], [href]')) {
      const url = element.getAttribute('src') ?? element.getAttribute('href')!;
      if (url.startsWith('data:image')) continue;
      if (/^(?:https?|mailto|tel):/.test(url)) {
        expect(element.localName).toBe('a');
        continue;
      }
      const [path = '', id] = url.split('#');
      const target = path === '' ? name : posix.join(dirname(name), path);
      expect(names, `${url} in ${name}`).toContain(target);
      if (id !== undefined && element.localName === 'a') expect(ids.get(target), `${url} in ${name}`).toContain(id);
    }
    for (const part of ['svg', 'math'])
      if (name.endsWith('.xhtml')) {
        const properties = items.find((item) => `EPUB/${item.getAttribute('href')}` === name)?.getAttribute('properties') ?? '';
        expect(properties.includes(part), `${part} of ${name}`).toBe(one.querySelector(part) !== null);
      }
  }
  const chapter = (title: string) => {
    const found = [...documents].find(([, one]) => one.querySelector('h1')?.textContent === title);
    expect(found, title).toBeDefined();
    return { name: found![0].replace('EPUB/', ''), html: texts.get(found![0])!, document: found![1] };
  };
  return { opf, chapter, navigation: documents.get('EPUB/nav.xhtml')! };
}

const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABAQAAAAA3bvkkAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==';
const page = (title: string, body: string) => `---\ntitle: "${title}"\n---\n\n${body}\n`;

test('an EPUB has the pages of the navigation as chapters, with metadata and a cover', async () => {
  const navigation = {
    tabs: [
      { tab: 'Guides', groups: [{ group: 'Start', pages: ['index', { group: 'More', pages: ['deep/second'] }, 'index'] }] },
      { tab: 'API', pages: ['third'] },
    ],
  };
  const files = {
    'docs.json': JSON.stringify({ name: 'Tides & Co', colors: { primary: '#0f5fd7' }, logo: '/logo.svg', navigation }),
    'logo.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><path d="M0 0h8v8z"></svg>',
    'index.mdx': page(
      'First',
      '## Part\n\nSee [second](/deep/second#the-end), [hidden](/hidden), [third](/third?x=1&y=2), [up](#part).',
    ),
    'deep/second.mdx': page(
      'Second',
      '## The end\n\n[Back](../index#part), [none](#nothing), [site](https://example.com/a|b), [odd](vscode://x).',
    ),
    'third.mdx': page('Third', 'Text.'),
    'hidden.mdx': page('Hidden', 'Text.'),
  };
  const { opf, entries, chapter, navigation: list, texts, bytes } = await bookOf(files);
  expect(entries[0]!.entryName).toBe('mimetype');
  expect(entries[0]!.header.method).toBe(0);
  expect(texts.get('mimetype')).toBe('application/epub+zip');
  expect(texts.get('EPUB/package.opf')).toContain('<dc:title>Tides &amp; Co</dc:title>');
  expect(opf.querySelector('[property="dcterms:modified"]')!.textContent).toBe('2020-01-01T00:00:00Z');
  expect(opf.querySelectorAll('[property^="schema:access"]').length).toBeGreaterThan(5);
  expect([...opf.querySelectorAll('itemref')].map((item) => item.getAttribute('idref'))).toEqual([
    ...['cover-xhtml', 'nav-xhtml', 'page-1-xhtml', 'page-2-xhtml', 'page-3-xhtml'],
  ]);
  expect(list.querySelector('ol')!.textContent.match(/\S+/g)).toEqual([
    'Guides',
    'Start',
    'First',
    'More',
    'Second',
    'API',
    'Third',
  ]);
  expect(texts.get('EPUB/cover.svg')).toMatch(/#0f5fd7[\s\S]*href="data:image\/svg\+xml;base64,[\s\S]*Tides &amp; Co/);
  expect(chapter('First').html).toContain(
    'See <a href="page-2.xhtml#the-end">second</a>, <a>hidden</a>, <a href="page-3.xhtml">third</a>, <a href="page-1.xhtml#part">up</a>.',
  );
  expect(chapter('Second').html).toContain(
    '<a href="page-1.xhtml#part">Back</a>, <a>none</a>, <a href="https://example.com/a%7Cb">site</a>, <a>odd</a>',
  );
  const published = await bookOf(files, { siteUrl: 'https://tides.example/docs' });
  expect(published.chapter('First').html).toContain('<a href="https://tides.example/docs/hidden/">hidden</a>');
  expect((await bookOf(files)).bytes.equals(bytes)).toBe(true);
  const { texts: dated } = await bookOf(files, { environment: { SOURCE_DATE_EPOCH: '1700000000' } });
  expect(dated.get('EPUB/package.opf')).toContain('2023-11-14T22:13:20Z');
});

test('components become text in reading order', async () => {
  const body = `
<Tabs><Tab title="npm">One</Tab><Tab title="yarn">Two</Tab></Tabs>
<Accordion title="Why?">Because.</Accordion>
<Steps><Step title="Go">Now</Step></Steps>
<CardGroup><Card title="Card" href="/other">Words</Card></CardGroup>
<Note>Careful</Note>

Formula $a^2$ and [to a tab](#yarn).

- [x] done
- [ ] open

| Left | Right |
| --- | ---: |
| 1 | 2 |

\`\`\`js title="a.js"
const a = "b";
\`\`\`

\`\`\`mermaid
graph LR
  A --> B
\`\`\`
`;
  const { chapter, texts } = await bookOf({
    'docs.json': JSON.stringify({ name: 'Docs', navigation: { pages: ['index', 'other'] } }),
    'index.mdx': page('Parts', body),
    'other.mdx': page('Other', 'Text.'),
  });
  const { document, html } = chapter('Parts');
  const text = document.querySelector('body')!.textContent.replace(/\s+/g, ' ');
  expect(text).toMatch(/npm\s?One\s?yarn\s?Two\s*Why\?\s*Because\.\s*Go\s?Now\s*Card\s?Words\s*Careful\s*Formula/);
  expect(html).toContain('<a href="page-1.xhtml#yarn">to a tab</a>');
  expect(html).toMatch(/<ul class="c-columns[^"]*">\s*<li class="c-card/);
  expect(html).toContain('☑ ');
  expect(html).toContain('☐ ');
  expect(document.querySelector('math msup')!.textContent).toBe('a2');
  expect(document.querySelector('.katex-html')).toBeNull();
  expect(html).toContain('<td style="text-align: right">2</td>');
  expect(html).toContain('<span class="sk-keyword">const</span>');
  expect(texts.get('EPUB/book.css')).toMatch(/\.sk-keyword \{ color: #[\da-f]{6}; \}/);
  const diagram = document.querySelector('.c-diagram svg')!.outerHTML;
  expect(diagram).toContain('A');
  expect(diagram).not.toContain('var(');
});

test('an operation has its method, path, parameters and examples', async () => {
  const { chapter } = await exportBook('fixtures/playground');
  const { document } = chapter('Plan a route');
  expect(document.querySelector('.c-endpoint')!.textContent.replace(/\s+/g, ' ').trim()).toBe('PUT /routes/{region}');
  const all = [...document.querySelectorAll('.c-field-name, .c-example-request, .c-example-response')];
  expect(all[0]!.className).toContain('c-field-name');
  expect(all.at(-1)!.className).toContain('c-example');
});

test('awkward pages are valid', async () => {
  const cells = (text: string) => `|${` ${text} |`.repeat(40)}`;
  const body = `
<p id="1 ü">Odd <div id="1 ü">block in a paragraph</div></p>

<span><ul>text<li>item</li></ul></span> <a href="/same"><b>bold <p>in a link</p></b></a>

<h2>Title <div>with a block</div></h2> <dl><dd>only</dd></dl> <font color="red">red</font><center>middle</center>

<table><tr>loose<td colspan="x">cell</td></tr><caption>late</caption></table>

[anchor](#1%20%C3%BC) control \u0001\u001b signs, \ufffe, emoji 👩‍💻, 漢字

![Dot](/dot.png) ![Broken drawing](/broken.svg) ![Not an image](/fake.png) ![Missing](/missing.png) ![Remote](https://images.invalid/a.png)

${cells('head')}
${cells('---')}
${cells('value')}

\`\`\`
${'long '.repeat(1000)}
\`\`\`
`;
  const { chapter, texts, warnings } = await bookOf({
    'docs.json': JSON.stringify({
      name: 'كتاب',
      navigation: { languages: [{ language: 'ar', pages: ['index', 'same', 'other', 'large'] }] },
    }),
    'index.md': page('Awkward', body),
    'same.md': page('Same', '## 漢字\n\n## 漢字\n\n[second](#漢字-2)'),
    'other.md': page('Same', 'Text.'),
    'large.md': page('Large', 'A sentence of a large page.\n\n'.repeat(75_000)),
    'dot.png': Buffer.from(dot, 'base64'),
    'fake.png': 'text',
    'broken.svg':
      '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "b">]><svg width="9" onload="x()"><g id="a b"><script>x()</script><image href="http://a.invalid/b.png"/><use x:href="#a b" fill="var(--own)"/><use href="#none"/><style class="style-fonts">g{}</style><linearGradient id="1"/><circle r=4 fill="url(#1)">',
  });
  const { html, document } = chapter('Awkward');
  expect(document.documentElement.getAttribute('dir')).toBe('rtl');
  expect(html).toContain('<a href="page-1.xhtml#_1_20_fc">anchor</a>');
  expect(html).toContain('👩‍💻, 漢字');
  expect(document.querySelectorAll('table.c-wide th')).toHaveLength(40);
  expect([...document.querySelectorAll('img')].map(({ alt }) => alt)).toEqual(['Dot', 'Broken drawing']);
  expect(html).toContain('>Not an image</a>');
  expect(document.body.textContent).toMatch(/Missing[\s\S]*Remote/);
  expect(document.querySelector('a[href="https://images.invalid/a.png"]')).not.toBeNull();
  const svg = [...texts].find(([name]) => /images\/.*\.svg$/.test(name))![1];
  expect(svg).toContain(
    '<use xlink:href="#a_20b" fill="var(--own)"></use><style>g{}</style><linearGradient id="_1"></linearGradient><circle r="4" fill="url(#_1)"></circle>',
  );
  expect(svg).not.toMatch(/script|onload|invalid/);
  expect(chapter('Large').html.length).toBeGreaterThan(2_000_000);
  expect(warnings.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['image-not-in-book', 'asset-without-file']));
});

test('what is not valid in a drawing is excluded, and what a page hides or nobody named', async () => {
  const body = `
<svg viewBox="0 0 9 9" host="app" content="&lt;mxfile&gt;" role="graphics-document"><path x1="1" d="M0 0"/><circle width="2" r="1" cx="1"/><rect fill="var(--none, rgb(1, 2, 3))"/><p>words</p><g font-size="9" title="a" line-height="1" font-weight="" text-anchor="left" dominant-baseline="middle">stray</g></svg>

<bdo>plain</bdo> <img> <span style="display: none">unseen</span> [twice](https://a.example/#b#c) ![Dot](data:image/png;base64,${dot})
`;
  const docs = (name: string) => ({
    'docs.json': JSON.stringify({ name, navigation: { pages: ['index'] } }),
    'index.md': page('Drawings', body),
  });
  const { chapter, texts, warnings } = await bookOf(docs('Bell \u0007'));
  const { html, document } = chapter('Drawings');
  expect(html).toContain(
    '<path d="M0 0"></path><circle r="1" cx="1"></circle><rect fill="rgb(1, 2, 3)" width="0" height="0"></rect><g font-size="9" dominant-baseline="middle"></g></svg>',
  );
  expect(html).not.toMatch(/ (?:host|content|role)="[^"]*"[^>]*><path/);
  expect(document.querySelector('bdo')).toBeNull();
  expect(html).not.toContain('unseen');
  expect(html).toContain('href="https://a.example/#b%23c"');
  expect([...document.querySelectorAll('img')].map(({ src }) => src)).toEqual([`data:image/png;base64,${dot}`]);
  expect(document.querySelector('.c-remote')).toBeNull();
  expect(warnings.filter(({ kind }) => kind === 'image-not-in-book')).toEqual([]);
  expect(texts.get('EPUB/cover.xhtml')).toContain('alt="Bell "');
  expect((await bookOf(docs(' '))).opf.querySelector('title')!.textContent).toBe('Drawings');
});

test('a book has one language and one version: the default ones, or those that are exported', async () => {
  const { opf, navigation } = await exportBook('fixtures/versions-languages');
  expect(opf.querySelector('language')!.textContent).toBe('en');
  expect(opf.querySelector('title')!.textContent).toBe('Lighthouse keeper v2');
  const { opf: german } = await exportBook('fixtures/versions-languages', { language: 'de' });
  expect(german.querySelector('language')!.textContent).toBe('de');
  expect(navigation.querySelectorAll('a').length).toBeGreaterThan(1);
});
