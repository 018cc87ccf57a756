import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exported, page, siteOf } from './export-files.ts';

test('an output without a page is reported with a hint', async () => {
  await expect(exported({ 'style.css': '' })).rejects.toMatchObject({ code: 'NoPages', hint: expect.stringContaining('Build') });
});

test('an "exclude" that matches every page is reported', async () => {
  await expect(exported({ 'index.html': page('Words') }, { exclude: ['**'] })).rejects.toMatchObject({
    code: 'NoPages',
    message: expect.stringContaining('"exclude" matches every page'),
  });
});

test('a page without content is reported, and exported', async () => {
  const { files, problems } = await exported({ 'index.html': page('Words'), 'empty.html': page('<nav>menu</nav>') });
  expect(problems).toEqual(['page-without-content empty']);
  expect(files['empty.html']).toContain('menu');
});

test('a page without a title is named by its first heading', async () => {
  const { manifest } = await exported({
    'index.html': page('Words'),
    'sail.html': '<title> </title><main><h1>How to <em>sail</em></h1><p>Words</p></main>',
    'bare.html': '<main><p>Words</p></main>',
  });
  expect(manifest.pages.map(({ title }) => title)).toEqual(['Page', 'bare', 'How to sail']);
});

test.each([
  ['in a tag', '<main><h1>Cut</h1><p>Words before <a href="/oth'],
  ['in a comment', '<main><h1>Cut</h1><p>Words before</p><!-- and then'],
  ['in a script', '<main><h1>Cut</h1><p>Words before</p><script>const a = "</p'],
  ['in a heading', '<main><p>Words before</p><h2 id="x">And'],
  ['in an attribute', '<main><p>Words before</p><p title="'],
])('HTML that is cut off %s keeps its words', async (_, html) => {
  const { files, sections, problems } = await exported({ 'index.html': html });
  expect(sections).toContain('Words before');
  expect(files['index.html']!.startsWith(html.slice(0, 20))).toBe(true);
  expect(problems).toEqual([]);
});

test('sections with the same id are both found, and link to the first', async () => {
  const { report, sections } = await exported({
    'index.html': page('<h1>Page</h1><h2 id="a">One</h2>first<h2 id="a">Two</h2>second'),
  });
  expect(report.sections).toBe(3);
  expect(sections).toMatch(/first[\s\S]*second/);
});

test('a page of 10 MB is read with limited memory', async () => {
  const paragraph = '<p>Words of a page that is <a href="/b.html">long</a>.</p>\n';
  const before = process.memoryUsage().rss;
  const { files, report } = await exported(
    { 'index.html': page(paragraph.repeat(10_000_000 / paragraph.length)), 'b.html': page('B') },
    { markdown: false },
  );
  expect(report.pages).toBe(2);
  expect(files['index.html']).toContain('href="b.html"');
  expect(process.memoryUsage().rss - before).toBeLessThan(700e6);
});

test('a binary file named .html is copied unchanged and reported', async () => {
  const bytes = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]);
  const latin = Uint8Array.from(Buffer.from('<html><body>caf\xe9</body></html>', 'latin1'));
  const { manifest, problems, files } = await exported({ 'index.html': page('Home'), 'a.html': bytes, 'b.html': latin });
  expect(problems).toEqual(['page-not-text a.html', 'page-not-text b.html']);
  expect(manifest.pages.map(({ path }) => path)).toEqual(['']);
  expect(files['b.html']).toHaveLength(latin.length);
});

describe('links that leave the site', () => {
  const home = {
    'index.html': page('<a href="/elsewhere/">on</a> <a href="../../../up.html">up</a> <a href="/docs/a/">a</a>'),
    'a/index.html': page('A'),
  };

  test('link to the site’s host, if it is known', async () => {
    const { files, problems } = await exported(home, {}, { base: '/docs/', site: 'https://docs.example.com' });
    expect(hrefs(files['index.html']!)).toEqual([
      'https://docs.example.com/elsewhere/',
      'https://docs.example.com/up.html',
      'a/index.html',
    ]);
    expect(problems).toEqual([]);
  });

  test('are not external loads: media are in the export, or missing', async () => {
    const { files, problems } = await exported(
      {
        'index.html': page('<img src="/shots/a.png"> <a href="/shots/a.png">on</a>', {
          head: '<link rel="stylesheet" href="/docs/a.css"><style>main { background: url(/shots/b.png) }</style>',
        }),
        'a.css': 'h1 { background: url("/shots/c.png") }',
      },
      {},
      { base: '/docs/', site: 'https://docs.example.com' },
    );
    expect(files['index.html']).toMatch(
      /url\(shots\/b.png\).*<img src="shots\/a.png"> <a href="https:\/\/docs.example.com\/shots\/a.png">/,
    );
    expect(files['a.css']).toContain('url("shots/c.png")');
    expect(problems).toEqual(['asset-without-file index.html', 'asset-without-file index.html', 'asset-without-file a.css']);
  });

  test('are reported if it is not', async () => {
    const { files, problems } = await exported(home, {}, { base: '/docs/' });
    expect(problems).toEqual(['link-outside-base index.html', 'link-outside-base index.html']);
    expect(hrefs(files['index.html']!).join()).not.toContain('..');
  });
});

test('links find files in other letter case, percent-encoded and in the other Unicode form', async () => {
  const { files, problems } = await exported({
    'index.html': page(
      '<a href="/Guides/Install.HTML">a</a> <a href="caf%C3%A9/">b</a> <a href="/cafe\u0301/">c</a> <a href="100%25.html">d</a> <a href="/日本語.html#見出し">e</a> <a href="a%20b.html">f</a>',
    ),
    'guides/install.html': page('A'),
    'café/index.html': page('B'),
    '100%.html': page('D'),
    '日本語.html': page('<h2 id="見出し">E</h2>'),
    'a b.html': page('F'),
  });
  expect(problems).toEqual([]);
  expect(hrefs(files['index.html']!).map(decodeURI)).toEqual([
    'guides/install.html',
    'café/index.html',
    'café/index.html',
    '100%.html',
    '日本語.html#見出し',
    'a b.html',
  ]);
});

test('pages whose names differ only by letter case are both in the export', async () => {
  const { manifest } = await exported({
    'index.html': page('<a href="Read.html">a</a> <a href="read.html">b</a>'),
    'Read.html': page('Upper'),
    'read.html': page('Lower'),
  });
  expect(new Set(manifest.pages.map(({ file }) => file.toLowerCase())).size).toBe(3);
});

test('a file of the site with a reserved name is renamed, and links follow', async () => {
  const { files, manifest } = await exported({
    'index.html': page('<a href="/carrel.json">data</a>'),
    'carrel.json': '{"own":1}',
  });
  const [, own] = /href="(carrel[^"]+)"/.exec(files['index.html']!)!;
  expect(files[own!]).toBe('{"own":1}');
  expect(manifest.site).toBe('Page');
});

test('a symbolic link that is broken or leaves the site is skipped and reported', async () => {
  const root = siteOf({ 'index.html': page('Home') });
  symlinkSync(join(root, 'gone.html'), join(root, 'a.html'));
  symlinkSync('/etc/hostname', join(root, 'b.txt'));
  const { problems, files } = await exported({}, {}, { root });
  expect(problems).toEqual(['file-left-out a.html', 'file-left-out b.txt']);
  expect(files['b.txt']).toBeUndefined();
});

test('a missing folder is reported', async () => {
  await expect(exported({}, {}, { root: join(siteOf({}), 'gone') })).rejects.toMatchObject({ code: 'SiteNotReadable' });
});

test('an export into the site’s own folder is refused unless it replaces the site', async () => {
  const root = siteOf({ 'index.html': page('Home') });
  const { exportStaticSite } = await import('../../../integration/static-site/export-static-site.ts');
  const { optionsSchema } = await import('../../../integration/options.ts');
  const options = { ...optionsSchema.parse({}), out: root, zip: undefined, generator: 'test/1', environment: {} };
  await expect(exportStaticSite({ root }, options)).rejects.toMatchObject({ code: 'OutputNotExport' });
});

function hrefs(html: string): string[] {
  return [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href!);
}
