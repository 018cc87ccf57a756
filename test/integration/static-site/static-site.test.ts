import { describe, expect, test } from 'vitest';
import { exported, page } from './export-files.ts';

const links = (html: string) =>
  [...html.matchAll(/(?:href|src|content)="([^"#?]*\.(?:html|css|js|png|svg)[^"]*)"/g)].map(([, href]) => href!);

describe('links', () => {
  const all = {
    'index.html': page(
      '<a href="/docs/guides/install/">1</a> <a href="/docs/guides/install">2</a> <a href="/docs/guides/install/index.html">3</a> <a href="guides/install/#deep">4</a> <a href="/docs">5</a> <a href="/docs/flat/">6</a> <a href="/docs/flat?x=1#y">7</a>',
    ),
    'guides/install/index.html': page(
      '<h2 id="deep">Deep</h2><a href="../../">1</a> <a href="../../flat/">2</a> <a href="../use.html">3</a> <img src="../../a.png">',
    ),
    'guides/use.html': page('<a href="./install/">1</a> <a href="install">2</a> <a href="../a.png">3</a>'),
    'flat.html': page('<h2 id="y">Y</h2>'),
    'a.png': '',
  };

  test('of every kind open the page’s file, which keeps its path', async () => {
    const { files, problems } = await exported(all, {}, { base: '/docs/' });
    expect(problems).toEqual([]);
    expect(links(files['index.html']!)).toEqual([
      ...Array(3).fill('guides/install/index.html'),
      'guides/install/index.html#deep',
      'index.html',
      'flat.html',
      'flat.html?x=1#y',
    ]);
    expect(links(files['guides/install/index.html']!)).toEqual([
      '../../index.html',
      '../../flat.html',
      '../use.html',
      '../../a.png',
    ]);
    expect(links(files['guides/use.html']!)).toEqual(['install/index.html', 'install/index.html', '../a.png']);
  });

  test('relative links also work for the page’s other URL', async () => {
    const { files, problems } = await exported({
      'index.html': page('Home'),
      'a/index.html': page('<a href="b">served as /a</a>'),
      'b.html': page('<a href="../a/">served as /b/</a>'),
    });
    expect([problems, links(files['a/index.html']!), links(files['b.html']!)]).toEqual([[], ['../b.html'], ['a/index.html']]);
  });

  test('relative links use the first of several bases, as in browsers', async () => {
    const { files, problems } = await exported({
      'index.html': page('Home'),
      'sub/p.html': page('<a href="q.html">q</a>', { head: '<base href="./"><base href="x/y/">' }),
      'sub/q.html': page('Q'),
    });
    expect([problems, links(files['sub/p.html']!)]).toEqual([[], ['q.html']]);
    expect(files['sub/p.html']).not.toContain('<base');
  });

  test('relative links to a missing file stay in the site below a base', async () => {
    const head = '<script src="../../js/missing.js"></script>';
    const { files, problems } = await exported(
      { 'index.html': page('Home'), 'guides/deep/index.html': page('Deep', { head }) },
      {},
      { base: '/docs/', site: 'https://example.com/docs/' },
    );
    expect(files['guides/deep/index.html']).toContain('src="../../js/missing.js"');
    expect(problems).toEqual(['asset-without-file guides/deep/index.html']);
  });

  test('absolute URLs of the site link to the export, canonical URLs stay', async () => {
    const { files } = await exported(
      {
        'index.html': page('<a href="https://docs.example.com/x/b.html#c">b</a> <img src="https://cdn.example.com/a.png">', {
          head: '<link rel="canonical" href="https://docs.example.com/x/">',
        }),
        'b.html': page('<h2 id="c">C</h2>'),
        'a.png': '',
      },
      {},
      { ownUrls: ['https://cdn.example.com/'] },
    );
    expect(files['index.html']).toContain('<a href="b.html#c">');
    expect(files['index.html']).toContain('<img src="a.png">');
    expect(files['index.html']).toContain('rel="canonical" href="https://docs.example.com/x/"');
  });

  test('broken links and anchors are reported with their page', async () => {
    const { problems } = await exported({
      'index.html': page('<a href="/gone/">a</a> <a href="#gone">b</a> <img src="gone.png">'),
    });
    expect(problems.sort()).toEqual([
      'anchor-without-target index.html',
      'asset-without-file index.html',
      'link-without-target index.html',
    ]);
  });
});

describe('redirects', () => {
  const stub = (to: string) =>
    `<!doctype html><title>Redirecting</title><meta http-equiv="refresh" content="0;url=${to}"><a href="${to}">on</a>`;

  test('are followed by links, and redirect on their own', async () => {
    const { files, manifest, problems } = await exported(
      {
        'index.html': page('<a href="/docs/old/">old</a> <a href="/docs/older">older</a> <a href="/docs/away.html">away</a>'),
        'new/index.html': page('New'),
        'old/index.html': stub('/docs/new/#there'),
        'older/index.html': stub('../old/'),
        'away.html': stub('https://example.com/'),
      },
      {},
      { base: '/docs/', redirects: [{ from: 'oldest', to: '/new' }] },
    );
    expect(problems).toEqual(['anchor-without-target index.html', 'anchor-without-target index.html']);
    expect(files['index.html']).toMatch(/"new\/index.html#there".*"new\/index.html#there".*"https:\/\/example.com\/"/s);
    expect(files['older/index.html']).toContain('url=../new/index.html#there');
    expect(files['away.html']).toContain('url=https://example.com/');
    expect(files['oldest/index.html']).toContain('url=../new/index.html');
    expect(manifest.pages.map(({ path }) => path)).toEqual(['', 'new']);
  });
});

describe('redirects without a target', () => {
  const stub = (to: string) => `<!doctype html><title>Redirecting</title><meta http-equiv="refresh" content="0;url=${to}">`;

  test.each([
    '//evil.example/x',
    '\\\\evil.example\\x',
    '/\\evil.example/x',
    'javascript:alert(1)',
    'data:text/html,x',
    'file://evil.example/x',
  ])('to %s are dropped and reported, in a page and in the configuration', async (to) => {
    const { files, manifest, report } = await exported(
      { 'index.html': page('Home'), 'old/index.html': stub(to) },
      {},
      { redirects: [{ from: 'older', to }] },
    );
    expect(report.warnings.map(({ kind, message }) => [kind, message.split('"')[1]])).toEqual([
      ['redirect-malformed', 'old'],
      ['redirect-malformed', 'older'],
    ]);
    expect(Object.keys(files)).not.toContain('old/index.html');
    expect(Object.keys(files)).not.toContain('older/index.html');
    expect(manifest.redirects).toEqual([]);
  });
});

describe('pages', () => {
  test('that are excluded are not in the export, and links open the site if its URL is known', async () => {
    const site = { 'index.html': page('<a href="/drafts/a/">a</a>'), 'drafts/a/index.html': page('A secret draft') };
    const known = await exported(site, { exclude: ['drafts/**'] }, { site: 'https://docs.example.com' });
    expect(known.files['index.html']).toContain('href="https://docs.example.com/drafts/a/"');
    expect(JSON.stringify(known.files)).not.toContain('secret');
    expect((await exported(site, { exclude: ['drafts/**'] })).problems).toEqual(['link-to-page-left-out index.html']);
  });

  test('with noindex are not searched, but readable', async () => {
    const { sections, files, report } = await exported({
      'index.html': page('Found words'),
      'a.html': page('Hidden words', { head: '<meta name="carrel:searchable" content="false">' }),
    });
    expect(report.pages).toBe(2);
    expect(files['a.html']).toContain('Hidden');
    expect(sections).toMatch(/Found(?!.*Hidden)/s);
  });

  test('without Pagefind’s mark are not searched where others have it', async () => {
    const { sections } = await exported({
      'index.html': '<body><main data-pagefind-body>Found words</main>',
      'a.html': page('Hidden words'),
    });
    expect(sections).toMatch(/Found(?!.*Hidden)/s);
  });

  test('have the language and version of their path or their markup', async () => {
    const { manifest } = await exported(
      {
        'index.html': page('Home'),
        'fr/index.html': page('Accueil').replace(' lang="en"', ''),
        'v1/index.html': page('Old'),
        'v2/index.html': page('New', { head: '<meta name="carrel:docs-version" content="2.x">' }),
      },
      { versions: { v1: '1.x' } },
      { languages: { fr: 'fr', '': 'en' } },
    );
    expect(manifest.pages.map(({ path, language, docsVersion }) => [path, language, docsVersion])).toEqual([
      ['', 'en', undefined],
      ['fr', 'fr', undefined],
      ['v1', 'en', '1.x'],
      ['v2', 'en', '2.x'],
    ]);
    expect(manifest.indexes).toHaveLength(4);
  });

  test('have their title without the name of the site, which names the export', async () => {
    const { manifest } = await exported({
      'index.html': page('Home', { title: 'The garden' }),
      'a.html': page('A', { title: 'Sowing | The garden' }),
      'b.html': page('B', { title: 'Water | The garden' }),
    });
    expect(manifest.site).toBe('The garden');
    expect(manifest.pages.map(({ title }) => title)).toEqual(['The garden', 'Sowing', 'Water']);
  });

  test('have a Markdown version of their content, unless it is turned off', async () => {
    const site = { 'index.html': page('<h1>Page</h1><p>Words <a href="/b.html">b</a></p><nav>menu</nav>'), 'b.html': page('B') };
    expect((await exported(site)).files['index.md']).toBe('# Page\n\nWords [b](b.md)\n');
    const without = await exported(site, { markdown: false });
    expect(Object.keys(without.files).filter((file) => /\.md$|^llms/.test(file))).toEqual([]);
  });
});

test('content that needs the site’s own server is reported', async () => {
  const { problems } = await exported({
    'index.html': page(
      '<form method="POST" action="/subscribe">a</form><form method="post" action="https://forms.example.com/">b</form><form action="/find">c</form><script data-island-id="x"></script>',
    ),
    'find.html': page('Found'),
  });
  expect(problems).toEqual(['form-needs-server index', 'server-island index', 'link-without-target index.html']);
});

test('the files of the site stay unchanged', async () => {
  const { root } = await exported({
    'index.html': page('<a href="/a.html">a</a>'),
    'a.html': page('A'),
    'a.css': 'a{background:url(/b.png)}',
  });
  const { filesOf } = await import('../export/folder.ts');
  expect(filesOf(root)).toEqual({
    'a.css': 'a{background:url(/b.png)}',
    'a.html': page('A'),
    'index.html': page('<a href="/a.html">a</a>'),
  });
});
