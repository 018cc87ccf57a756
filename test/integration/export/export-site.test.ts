import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import AdmZip from 'adm-zip';
import { describe, expect, test } from 'vitest';
import { manifestSchema, type Manifest } from '../../../integration/manifest.ts';
import type { SiteData } from '../../../integration/reader/core/site-data.ts';
import { verifyBundle } from '../../../integration/output/open-bundle.ts';
import { exportSite, type ExportInput, type ExportOptions, type ExportCache } from '../../../integration/export/export-site.ts';
import { themeRules } from '../../../integration/export/theme-rules.ts';
import type { BuiltPage } from '../../../integration/page/page-types.ts';
import { pageSource } from './example-site.ts';
import { filesOf, temporaryFolder } from './folder.ts';
import { writeFiles } from '../../support/write-files.ts';

const html = (body: string) =>
  `<!doctype html><link rel="stylesheet" href="/_carrel/reader.css"><nav><a href="/guides/use">Use</a></nav><main data-carrel-content>${body}</main>`;

const home = {
  path: '',
  title: 'Home',
  html: html('<h1>Home</h1><a href="/guides/use#run">run</a>'),
  markdown: 'Welcome. See [use](/guides/use#run).\n',
};
const use = {
  path: 'guides/use',
  title: 'Use it',
  html: html('<h1>Use it</h1><h2 id="run">Run</h2>Now <img src="/images/a.png">'),
  markdown: 'How to **use** it.\n\n## Run\n\n![A](/images/a.png) [home](/)\n',
};

function input(pages: (Partial<BuiltPage> & { path: string })[], extra: Partial<ExportInput> = {}): ExportInput {
  return {
    name: 'Docs',
    pages: pages.map((page) => pageSource(page)),
    assets: [
      { path: '_carrel/reader.css', contents: 'body { background: url(/images/a.png) }' },
      { path: 'images/a.png', contents: new Uint8Array([1, 2, 3]) },
    ],
    redirects: [],
    home: pages[0]?.path ?? '',
    defaultLanguage: 'en',
    problems: [],
    rules: themeRules({}),
    ...extra,
  };
}

async function exported(site: ExportInput, extra: Partial<ExportOptions> = {}) {
  const out = extra.out ?? join(temporaryFolder(), 'site');
  const report = await exportSite(site, { out, deployment: 'client-hosted', vendor: false, generator: 'test/1', ...extra });
  const files = filesOf(out);
  const manifest: Manifest = manifestSchema.parse(JSON.parse(files['carrel.json']!));
  return { out, report, files, manifest, kinds: report.warnings.map(({ kind }) => kind) };
}

const withoutIndex = (files: Record<string, string>) => Object.keys(files).filter((file) => !file.startsWith('_carrel/search/'));

test('a site becomes a folder with all of its files', async () => {
  const { report, files, manifest } = await exported(input([home, use]));
  expect(withoutIndex(files)).toEqual([
    '404.html',
    '_carrel/reader.css',
    '_carrel/site.js',
    'carrel.config.js',
    'carrel.json',
    'carrel.version.js',
    'guides/use.md',
    'guides/use/index.html',
    'images/a.png',
    'index.html',
    'index.md',
    'llms-full.txt',
    'llms.txt',
  ]);
  expect(files['guides/use/index.html']).toContain('href="../../_carrel/reader.css"');
  expect(files['_carrel/reader.css']).toBe('body { background: url(../images/a.png) }');
  expect(files['guides/use.md']).toBe('# Use it\n\nHow to **use** it.\n\n## Run\n\n![A](../images/a.png) [home](../index.md)\n');
  expect(report).toMatchObject({
    version: manifest.version,
    pages: 2,
    sections: 3,
    files: Object.keys(files).length,
    warnings: [],
    redirects: 0,
  });
  expect(report.bytes).toBe(Object.values(files).reduce((sum, text) => sum + Buffer.byteLength(text), 0));
});

test('the manifest lists every file with its hash', async () => {
  const { out, files, manifest } = await exported(input([home, use]), { deployment: 'air-gapped' });
  const { 'carrel.json': _, 'carrel.config.js': __, ...listed } = files;
  expect(Object.keys(manifest.files)).toEqual(Object.keys(listed));
  for (const [path, { sha256, size }] of Object.entries(manifest.files)) {
    expect([path, createHash('sha256').update(listed[path]!).digest('hex'), Buffer.byteLength(listed[path]!)]).toEqual([
      path,
      sha256,
      size,
    ]);
  }
  expect(manifest).toMatchObject({ format: 1, site: 'Docs', deployment: 'air-gapped', generator: 'test/1', entry: 'index.html' });
  expect(manifest.pages).toEqual([
    { path: '', file: 'index.html', title: 'Home', language: 'en' },
    { path: 'guides/use', file: 'guides/use/index.html', title: 'Use it', language: 'en' },
  ]);
  expect(await verifyBundle(out)).toEqual([]);
});

test('adm-zip opens the archive and finds every file of the manifest with its hash', async () => {
  const zip = join(temporaryFolder(), 'site.zip');
  const { files } = await exported(input([home, use, { path: 'café/日本?', title: 'X', html: html('x') }]), { zip });
  const archive = new AdmZip(zip);
  const manifest = manifestSchema.parse(JSON.parse(archive.readAsText('carrel.json')));
  for (const [path, { sha256 }] of Object.entries(manifest.files)) {
    expect(createHash('sha256').update(archive.getEntry(path)!.getData()).digest('hex'), path).toBe(sha256);
  }
  expect(archive.getEntries().map(({ entryName }) => entryName)).toEqual(Object.keys(files));
  expect(await verifyBundle(zip)).toEqual([]);
});

describe('the same input gives the same bytes', () => {
  const module = new URL('../../../integration/export/export-site.ts', import.meta.url).href;
  // In a process of its own: a time zone holds from a process's start.
  const run = (folder: string, timeZone: string, reversed: boolean) => {
    const script = `import { exportSite } from ${JSON.stringify(module)};
      import { themeRules } from ${JSON.stringify(new URL('./theme-rules.ts', module))};
      const page = (path) => ({ path, build: async () => ({ path, title: path, language: path.slice(0, 2), html: '<main>' + path + '<h2 id=a>A</h2>x</main>',
        markdown: path, searchable: true, inSitemap: true, inLlms: true }) });
      const assets = ['b.txt', 'a.txt', 'A.txt', 'é.txt'].map((path) => ({ path, contents: path }));
      const redirects = [{ from: '/y', to: '/en' }, { from: '/x', to: '/en' }];
      if (${reversed}) { assets.reverse(); redirects.reverse(); }
      await exportSite({ name: 'S', pages: ['en', 'fr', 'What?'].map(page), assets, redirects, home: 'en', defaultLanguage: 'en', problems: [], rules: themeRules({ siteUrl: 'https://docs.example.com' }) },
        { out: 'site', zip: 'site.zip', deployment: 'cloud', vendor: false, siteUrl: 'https://docs.example.com', generator: 'test/1', environment: process.env });`;
    const child = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', script], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, TZ: timeZone, SOURCE_DATE_EPOCH: '1700000000' },
    });
    expect(child.stderr).toBe('');
    return { files: filesOf(join(folder, 'site')), zip: readFileSync(join(folder, 'site.zip')).toString('base64') };
  };

  test('in every time zone, in every folder and with the files in any order', () => {
    const first = run(temporaryFolder(), 'Pacific/Auckland', false);
    const second = run(temporaryFolder(), 'America/New_York', true);
    expect(second.files).toEqual(first.files);
    expect(second.zip === first.zip).toBe(true);
  });
});

test('the version is the content hash unless a label is set', async () => {
  const versions = [
    await exported(input([home, use])),
    await exported(input([home, use])),
    await exported(input([home, { ...use, title: 'Used' }])),
    await exported(input([home, use]), { label: '1.2' }),
  ].map(({ manifest }) => manifest.version);
  expect(versions[0]).toMatch(/^[0-9a-f]{12}$/);
  expect(versions[1]).toBe(versions[0]);
  expect(versions[2]).not.toBe(versions[0]);
  expect(versions[3]).toBe('1.2');
});

describe('broken links', () => {
  const broken = {
    path: 'guides/broken',
    html: html(
      '<a href="/nowhere">x</a><a href="/guides/use#Run">x</a><a href="/guides/use#%72un">x</a><a href="#gone">x</a><a href="#top">x</a><img src="/images/b.png">',
    ),
  };

  test('are reported with page and line', async () => {
    const site = input([use]);
    site.pages.push(
      pageSource(broken, {
        file: 'guides/broken.mdx',
        positionOf: (href) => (href === '/nowhere' ? { line: 7, column: 3 } : undefined),
      }),
    );
    const { report } = await exported(site);
    expect(report.warnings.map(({ kind, page, line, message, hint }) => [kind, page, line, message, hint])).toEqual([
      [
        'link-without-target',
        'guides/broken.mdx',
        7,
        'The link "/nowhere" is broken: the site does not have this page or file.',
        'Correct the link, or add the page or a redirect.',
      ],
      [
        'anchor-without-target',
        'guides/broken.mdx',
        undefined,
        '"/guides/use#Run" links to the page "guides/use", which has no such heading or id.',
        'Its closest id is "run".',
      ],
      [
        'anchor-without-target',
        'guides/broken.mdx',
        undefined,
        '"#gone" links to the page "guides/broken", which has no such heading or id.',
        'Correct the part after the #.',
      ],
      [
        'asset-without-file',
        'guides/broken.mdx',
        undefined,
        'The file "/images/b.png" is missing from the site.',
        'Add the file images/b.png or correct the URL.',
      ],
    ]);
  });

  test('in the layout are reported once', async () => {
    const frame = (path: string) => ({
      path,
      html: `<nav><a href="/nowhere">x</a></nav><main data-carrel-content>${path}</main>`,
    });
    const { report } = await exported(input([frame('a'), frame('b'), frame('c')]));
    expect(report.warnings.map(({ kind, page }) => [kind, page])).toEqual([['link-without-target', 'a']]);
  });
});

describe('redirects', () => {
  test('become pages that redirect, and links skip them', async () => {
    const redirects = [
      { from: '/old', to: '/guides/use#run' },
      { from: '/older', to: '/old' },
      { from: '/away', to: 'https://example.com/?a&b' },
      { from: '/file.html', to: '/' },
      { from: '/guides/use', to: '/' },
    ];
    const { files, kinds } = await exported(input([{ ...home, html: html('<a href="/older">x</a>') }, use], { redirects }));
    expect(files['index.html']).toContain('<a href="guides/use/index.html#run">x</a>');
    expect(files['old/index.html']).toContain('<meta http-equiv="refresh" content="0; url=../guides/use/index.html#run">');
    expect(files['old/index.html']).toContain('<link rel="icon" href="data:,">');
    expect(files['older/index.html']).toContain('<a href="../guides/use/index.html#run">');
    expect(files['away/index.html']).toContain('url=https://example.com/?a&amp;b"');
    expect(files['file.html']).toContain('url=index.html"');
    expect(files['guides/use/index.html']).toContain('Now');
    expect(kinds).toEqual([]);
  });

  test('that are broken or circular are reported', async () => {
    const redirects = [
      { from: '/a', to: '/b' },
      { from: '/b', to: '/a' },
      { from: '/c', to: '/nowhere' },
    ];
    const { files, kinds } = await exported(input([home, use], { redirects }));
    expect(kinds).toEqual(['redirect-without-target', 'redirect-without-target', 'redirect-without-target']);
    expect(Object.keys(files).filter((file) => /^[abc]\//.test(file))).toEqual([]);
  });
});

test('without a page at the root, the root redirects to the home page', async () => {
  const { files } = await exported(input([use]));
  expect(files['index.html']).toContain('url=guides/use/index.html"');
});

test('pages with awkward names get safe file names', async () => {
  const pages = ['a', 'A', 'con', 'what?/x*', 'c#', 'cafe\u0301'].map((path) => ({ path, html: html(path), markdown: path }));
  const all = pages.map(({ path }) => `<a href="/${encodeURIComponent(path).replace('%2F', '/')}">x</a>`).join('');
  const { out, files, manifest, kinds } = await exported(input([{ path: '', html: html(all), markdown: 'x' }, ...pages, use]));
  expect(kinds).toEqual([]);
  expect(new Set(Object.keys(files).map((file) => file.toLowerCase())).size).toBe(Object.keys(files).length);
  const links = [...files['index.html']!.matchAll(/<a href="([^"]*)">x/g)].map(([, href]) => decodeURIComponent(href!));
  expect(links).toHaveLength(pages.length);
  expect(links).toEqual(manifest.pages.slice(1, -1).map(({ file }) => file));
  for (const { file } of manifest.pages) expect(statSync(join(out, file)).isFile()).toBe(true);
  const site = files['_carrel/site.js']!.slice('__carrel_site('.length, -');\n'.length);
  const moved = manifest.pages.filter(({ path, file }) => path !== '' && file !== `${path}/index.html`);
  expect(Object.keys((JSON.parse(site) as { files: object }).files)).toEqual(moved.map(({ path }) => path));
});

test('each language and docs version has its own index and a place among the pages', async () => {
  const page = (path: string, language: string, docsVersion: string) => ({ path, language, docsVersion, html: html(path) });
  const { files, manifest } = await exported(
    input([page('v2/a', 'en', 'v2'), page('v1/a', 'en', 'v1'), page('fr/v2/a', 'fr', 'v2')], { defaultDocsVersion: 'v2' }),
  );
  expect(
    manifest.indexes.map(({ language, docsVersion, folder }) => [language, docsVersion, folder.replace(/[0-9a-f]{12}/, 'X')]),
  ).toEqual([
    ['en', 'v1', '_carrel/search/X/en-v1'],
    ['en', 'v2', '_carrel/search/X/en-v2'],
    ['fr', 'v2', '_carrel/search/X/fr-v2'],
  ]);
  for (const { folder } of manifest.indexes) expect(files[`${folder}/meta.js`]).toBeDefined();
});

test('the index of a language is a separate file, shared by languages with the same words', async () => {
  const page = (path: string, language: string) => ({ path, language, html: html(path) });
  const { files } = await exported(input([home, page('de/a', 'de'), page('br/a', 'pt-BR'), page('pt/a', 'pt-PT')]));
  const site = JSON.parse(files['_carrel/site.js']!.slice('__carrel_site('.length, -');\n'.length)) as SiteData;
  expect(Object.keys(site.labels!)).toEqual(['de', 'pt-BR', 'pt-PT']);
  expect(site.labels!['pt-BR']).toBe(site.labels!['pt-PT']);
  expect(files[`_carrel/${site.labels!['de']}`]).toMatch(/^__carrel_labels\(\{.*"close":"Schließen".*\}\);\n$/);
});

test.each([
  ['zh-TW', '搜尋', '傳送', '文件沒有回答這個問題。'],
  ['zh-HK', '搜尋', '傳送', '文件沒有回答這個問題。'],
  ['zh-Hant', '搜尋', '傳送', '文件沒有回答這個問題。'],
  ['zh-CN', '搜索', '发送', '文档没有回答这个问题。'],
])('search, the Ask panel and its quotes speak %s', async (language, search, askSend, answerNone) => {
  const { files } = await exported(input([{ ...home, language }]));
  const [labels] = Object.entries(files).flatMap(([file, text]) => (file.startsWith('_carrel/labels.') ? [text] : []));
  expect(JSON.parse(labels!.slice('__carrel_labels('.length, -');\n'.length))).toMatchObject({ search, askSend, answerNone });
});

test('pages kept out of search are in no index', async () => {
  const { files, manifest } = await exported(input([home, { ...use, searchable: false }]));
  const index = manifest.indexes[0]!;
  const texts = Object.entries(files)
    .filter(([file]) => file.startsWith(index.folder))
    .map(([, text]) => text)
    .join('');
  expect(texts).toContain('Home');
  expect(texts).not.toContain('Use it');
});

describe('machine-readable lists', () => {
  const french = { path: 'fr', language: 'fr', html: html('x'), markdown: 'Bonjour.' };
  const hidden = { path: 'hidden', html: html('x'), markdown: 'x', inLlms: false, inSitemap: false };

  test('llms.txt and llms-full.txt contain the default language', async () => {
    const { files } = await exported(input([home, use, french, hidden], { description: 'All about it.' }));
    expect(files['llms.txt']).toMatch(/^# Docs\n\n> All about it\.\n\n/);
    expect(files['llms.txt']?.slice(files['llms.txt'].indexOf('## Docs'))).toBe(
      '## Docs\n\n- [Home](index.md): Welcome. See use.\n- [Use it](guides/use.md): How to use it.\n',
    );
    expect(files['llms-full.txt']).toMatch(/^# Home\nSource: index\.md\n\nWelcome\.[\s\S]*# Use it\nSource: guides\/use\.md\n/);
    expect(files['llms-full.txt']).not.toContain('Bonjour');
  });

  test('with a site URL there are a sitemap and robots.txt with absolute URLs', async () => {
    const { files } = await exported(input([home, use, french, hidden]), { siteUrl: 'https://docs.example.com/base' });
    expect(files['llms.txt']).toContain('(https://docs.example.com/base/guides/use.md)');
    expect([...files['sitemap.xml']!.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url)).toEqual([
      'https://docs.example.com/base/',
      'https://docs.example.com/base/guides/use/',
      'https://docs.example.com/base/fr/',
    ]);
    expect(files['robots.txt']).toContain('Sitemap: https://docs.example.com/base/sitemap.xml');
  });

  test("an author's own file takes precedence", async () => {
    const site = input([home, use]);
    site.assets.push({ path: 'llms.txt', contents: 'mine' }, { path: 'robots.txt', contents: 'mine too' });
    const { files } = await exported(site, { siteUrl: 'https://docs.example.com' });
    expect([files['llms.txt'], files['robots.txt']]).toEqual(['mine', 'mine too']);
  });
});

test("an author's file with the name of one of ours gets another name", async () => {
  const site = input([home, use]);
  site.assets.push({ path: 'carrel.version.js', contents: 'mine' });
  const { files } = await exported(site, { label: '7' });
  expect(files['carrel.version.js']).toBe('__carrel_version("7");\n');
  expect(Object.values(files)).toContain('mine');
});

describe('deployment', () => {
  const remote = {
    path: 'a',
    html: html('<img src="https://cdn.example.com/a.png"><carrel-frame src="https://v.example.com/1"></carrel-frame>'),
  };
  const style = {
    path: 'own.css',
    contents: '@import "https://fonts.example.com/x"; a { b: url(https://cdn.example.com/a.png) }',
  };
  const site = () => input([remote], { assets: [style] });

  test.each([
    ['cloud', ['note remote-load', 'note remote-load', 'note remote-load', 'note remote-load']],
    ['client-hosted', ['note remote-load', 'note remote-load', 'warning remote-load', 'warning remote-load']],
    [
      'air-gapped',
      ['warning remote-media-replaced', 'warning remote-media-replaced', 'warning remote-load', 'warning remote-load'],
    ],
  ] as const)('%s', async (deployment, expected) => {
    const page = site();
    page.pages = [pageSource({ ...remote, html: remote.html.replace(/<link[^>]*>|<nav>.*<\/nav>/g, '') })];
    const { report, files } = await exported(page, { deployment });
    expect(report.warnings.map(({ severity, kind }) => `${severity} ${kind}`)).toEqual(expected);
    const isAsked = /(?:src|url\()="?https:|@import "https:/.test(files['a/index.html']! + files['own.css']!);
    expect(isAsked).toBe(deployment !== 'air-gapped');
  });

  test('vendor downloads media; a placeholder replaces what cannot be downloaded', async () => {
    const asked: string[] = [];
    const download = async (url: URL) => {
      asked.push(url.href);
      if (!url.href.endsWith('a.png')) throw new Error('the host answers 404');
      return { bytes: Buffer.from('PNG'), type: 'image/png', url };
    };
    const page = site();
    page.pages.push(
      pageSource({
        path: 'b',
        html: '<main><img src="https://cdn.example.com/b.png"><img src="https://cdn.example.com/a.png"></main>',
      }),
    );
    const { files, kinds } = await exported(page, { deployment: 'air-gapped', vendor: true, download });
    const file = Object.keys(files).find((name) => name.startsWith('_carrel/vendor/'))!;
    expect(file).toMatch(/^_carrel\/vendor\/[0-9a-f]{16}\.png$/);
    expect(files[file]).toBe('PNG');
    expect(files['a/index.html']).toContain(`<img src="../${file}">`);
    expect(files['b/index.html']).toContain('c-remote-address">https://cdn.example.com/b.png');
    expect(files['own.css']).toContain(`url(${file})`);
    expect(asked.sort()).toEqual(['https://cdn.example.com/a.png', 'https://cdn.example.com/b.png']);
    expect(kinds.filter((kind) => kind === 'remote-not-vendored')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'remote-load')).toHaveLength(1);
  });

  test('an air-gapped export keeps the frame of a film as a link with its vendored thumbnail', async () => {
    const film = 'https://www.youtube.com/embed/abcdefghijk';
    const poster = '<img data-carrel-poster alt="" src="https://i.ytimg.com/vi/abcdefghijk/hqdefault.jpg">';
    const frame = `<carrel-frame src="${film}" title="A film"><a href="https://www.youtube.com/watch?v=abcdefghijk">${poster}</a></carrel-frame>`;
    const asked: string[] = [];
    const download = async (url: URL) => {
      asked.push(url.href);
      return { bytes: Buffer.from('JPG'), type: 'image/jpeg', url };
    };
    const page = input([{ path: 'a', html: `<main>${frame}</main>` }], { assets: [] });
    const { files, kinds } = await exported(page, { deployment: 'air-gapped', vendor: true, download });
    const vendored = Object.keys(files).find((name) => name.startsWith('_carrel/vendor/'))!;
    expect(asked).toEqual(['https://i.ytimg.com/vi/abcdefghijk/hqdefault.jpg']);
    expect(files['a/index.html']).toMatch(
      /<carrel-frame +title="A film"><a href="https:\/\/www.youtube.com\/watch\?v=abcdefghijk">/,
    );
    expect(files['a/index.html']).toContain(`src="../${vendored}"`);
    expect(files['a/index.html']).not.toContain(film);
    expect(kinds).toEqual(['remote-media-replaced']);
  });

  test('the image of a film that its host describes is in an export that vendors, and no other', async () => {
    const described = 'https://vimeo.com/api/oembed.json?format=json&url=https%3A%2F%2Fvimeo.com%2F1';
    const image = `<img class="c-frame-poster" data-carrel-poster data-carrel-oembed="${described.replace('&', '&amp;')}" alt="">`;
    const frame = `<carrel-frame src="https://player.vimeo.com/video/1"><a href="https://vimeo.com/1">${image}A film</a></carrel-frame>`;
    const page = input([{ path: 'a', html: `<main>${frame}</main>` }], { assets: [] });
    const download = async (url: URL) =>
      url.href === described
        ? { bytes: Buffer.from('{"thumbnail_url":"https://i.example/1.gif"}'), type: 'application/json', url }
        : { bytes: Buffer.from('GIF'), type: 'image/gif', url };
    for (const deployment of ['client-hosted', 'air-gapped'] as const) {
      const with1 = await exported(page, { deployment, vendor: true, download });
      expect(with1.files['a/index.html']).toMatch(
        /<img class="c-frame-poster" data-carrel-poster src="..\/_carrel\/vendor\/\w+.gif" alt="">/,
      );
      const without = await exported(page, { deployment });
      expect(without.files['a/index.html']).toContain('<a href="https://vimeo.com/1">A film</a>');
      const poster = without.report.egress.find(({ element }) => element === 'iframe poster');
      expect(poster?.outcome).toBe(deployment === 'air-gapped' ? 'removed' : 'possible');
    }
  });
});

describe('exporting again', () => {
  const memory = (): ExportCache & { values: Map<string, string> } => {
    const values = new Map<string, string>();
    return { values, get: (key) => values.get(key), set: (key, value) => void values.set(key, value) };
  };

  /** Exports pages with keys, and says which were built. */
  async function again(
    out: string,
    cache: ExportCache | undefined,
    pages: (Partial<BuiltPage> & { path: string })[],
    cacheFolder?: string,
  ) {
    const built: string[] = [];
    const site = input([]);
    site.home = pages[0]!.path;
    site.pages = pages.map((page) => {
      const source = pageSource(page, { key: createHash('sha256').update(JSON.stringify(page)).digest('hex') });
      const build = source.build;
      return { ...source, build: () => (built.push(page.path), build()) };
    });
    return { built, ...(await exported(site, { out, cache, cacheFolder })) };
  }

  test('the same pages in another order give the search index that a first export gives', async () => {
    const [out, cache] = [join(temporaryFolder(), 'site'), memory()];
    const [a, b] = [
      { ...use, path: '2024', title: 'Of 2024' },
      { ...use, path: '7', title: 'Of seven' },
    ];
    for (const pages of [
      [home, use, a, b],
      [home, use, b, a],
      [home, b, a],
      [home, use, b, a],
    ]) {
      const { files } = await again(out, cache, pages);
      expect(files).toEqual((await exported(input(pages))).files);
      expect(files).toEqual((await again(out, cache, pages)).files);
    }
  });

  test('builds and writes only what changed', async () => {
    const [out, cache] = [join(temporaryFolder(), 'site'), memory()];
    const first = await again(out, cache, [home, use]);
    const inode = statSync(join(out, 'index.html')).ino;
    const changed = { ...use, html: use.html.replace('Now', 'Later') };
    const second = await again(out, cache, [home, changed]);
    expect([first.built, second.built]).toEqual([['', 'guides/use'], ['guides/use']]);
    expect(statSync(join(out, 'index.html')).ino).toBe(inode);
    expect(second.files).toEqual((await again(join(temporaryFolder(), 'site'), undefined, [home, changed])).files);
  });

  test('on top of an older export gives the same bytes as a new export', async () => {
    const root = temporaryFolder();
    const [out, keep, cache] = [join(root, 'site'), join(root, 'keep'), memory()];
    const page = (path: string, text: string) => ({ path, html: html(`<h2 id="x">X</h2>${text}`), markdown: text });
    const steps = [
      [home, page('a', 'one'), page('b', 'two')],
      [home, page('a', 'one'), page('b', 'three')],
      [home, page('a/deep/er', 'one'), page('b', 'three'), page('c', 'four')],
      [page('b', 'three'), home],
      [home, page('a', 'one'), page('b', 'two'), page('B', 'two')],
      [home, page('a.md', 'one'), page('b', 'two')],
      ['a', 'b', 'c', 'd', 'e'].map((path) => page(path, 'one')),
      ['a', 'b', 'c', 'd', 'e'].map((path) => page(path, path === 'c' ? 'äöü' : 'one')),
      ['d', 'e', 'a', 'c'].map((path) => page(path, path === 'c' ? 'äöü' : 'one')),
      [home, page('a', 'one'), page('b', 'two')],
      [home, page('a', 'one'), page('b', 'two')],
    ];
    for (const pages of steps) {
      const { files } = await again(out, cache, pages, keep);
      expect(files).toEqual((await again(join(temporaryFolder(), 'site'), undefined, pages)).files);
      expect(await verifyBundle(out)).toEqual([]);
    }
    expect(readdirSync(root).sort()).toEqual(['keep', 'site']);
    expect(readdirSync(keep)).toHaveLength(1);
    rmSync(keep, { recursive: true });
    const { files } = await again(out, cache, steps[1]!, keep);
    expect(files).toEqual((await again(join(temporaryFolder(), 'site'), undefined, steps[1]!)).files);
  });

  test.each([true, false])('keeps what no export wrote in its folder (with a cache: %s)', async (withCache) => {
    const root = temporaryFolder();
    const [out, keep, cache] = [join(root, 'site'), join(root, 'keep'), withCache ? memory() : undefined];
    const write = (path: string) => {
      mkdirSync(dirname(join(out, path)), { recursive: true });
      writeFileSync(join(out, path), 'of the user');
    };
    const own = ['.git/refs/head', '.nojekyll', 'guides/notes.txt', 'guides/use/notes/a.txt', 'old.html'];
    await again(out, cache, [home, use], keep);
    for (const path of own) write(path);
    symlinkSync('.nojekyll', join(out, 'link'));
    mkdirSync(join(out, 'empty'));
    for (const pages of [[home, use], [home], [{ ...home, html: html('another') }], [home, use]]) {
      const { report } = await again(out, cache, pages, keep);
      const [kept, ...others] = report.warnings.filter(({ kind }) => kind.startsWith('output-'));
      expect(kept).toMatchObject({ kind: 'output-files-kept', severity: 'note' });
      for (const name of ['.git', '.nojekyll', 'guides', 'old.html', 'link', 'empty'])
        expect(kept?.message).toContain(`"${name}`);
      expect(others).toEqual([]);
      for (const path of own) expect(readFileSync(join(out, path), 'utf8')).toBe('of the user');
      expect(readlinkSync(join(out, 'link'))).toBe('.nojekyll');
      expect(existsSync(join(out, 'guides/use/index.html'))).toBe(pages.length === 2);
    }
    expect(readdirSync(root).sort()).toEqual(['keep', 'site']);
    expect(existsSync(join(keep, readdirSync(keep)[0]!, '.git'))).toBe(false);
  });

  test('names what no export wrote and a new export replaces', async () => {
    const out = join(temporaryFolder(), 'site');
    await again(out, undefined, [home]);
    writeFiles(out, { 'use.md/a.txt': 'of the user' });
    writeFileSync(join(out, 'use'), 'of the user');
    writeFileSync(join(out, 'carrel.config.js'), 'edited');
    const { report } = await again(out, undefined, [home, { ...use, path: 'use' }]);
    const [replaced, ...others] = report.warnings.filter(({ kind }) => kind.startsWith('output-'));
    expect(replaced).toMatchObject({ kind: 'output-files-replaced', severity: 'warning' });
    for (const name of ['use', 'use.md', 'carrel.config.js']) expect(replaced?.message).toContain(`"${name}"`);
    expect(others).toEqual([]);
    expect(await verifyBundle(out)).toEqual([]);
  });

  test('never changes files that are shared with the previous export', async () => {
    const root = temporaryFolder();
    const [out, keep, cache] = [join(root, 'site'), join(root, 'keep'), memory()];
    for (const text of ['one', 'two', 'three']) await again(out, cache, [{ ...home, html: html(text) }, use], keep);
    const kept = join(keep, readdirSync(keep)[0]!);
    expect(readFileSync(join(kept, 'index.html'), 'utf8')).toContain('two');
    expect(readFileSync(join(out, 'index.html'), 'utf8')).toContain('three');
    expect(statSync(join(kept, 'guides/use/index.html')).ino).toBe(statSync(join(out, 'guides/use/index.html')).ino);
  });

  test('copies an asset again only when it changed', async () => {
    const root = temporaryFolder();
    const cache = memory();
    const file = join(root, 'a.bin');
    const site = (): ExportInput => input([home, use], { assets: [{ path: 'a.bin', file }] });
    writeFileSync(file, 'one');
    await exported(site(), { out: join(root, 'site'), cache });
    const inode = statSync(join(root, 'site/a.bin')).ino;
    await exported(site(), { out: join(root, 'site'), cache });
    expect(statSync(join(root, 'site/a.bin')).ino).toBe(inode);
    writeFileSync(file, 'three');
    expect((await exported(site(), { out: join(root, 'site'), cache })).files['a.bin']).toBe('three');
  });

  test('into another folder renders nothing and gives the same bytes', async () => {
    const cache = memory();
    const first = await again(join(temporaryFolder(), 'site'), cache, [home, use]);
    const second = await again(join(temporaryFolder(), 'site'), cache, [home, use]);
    expect(second.built).toEqual([]);
    expect(second.files).toEqual(first.files);
    expect(second.report.warnings).toEqual(first.report.warnings);
    expect(second.report.sections).toBe(first.report.sections);
  });

  test('while another export replaces the previous one gives the same bytes as a new export', async () => {
    const root = temporaryFolder();
    const [out, cache] = [join(root, 'site'), memory()];
    await again(out, cache, [home, use]);
    const changed = { ...use, html: use.html.replace('Now', 'Later') };
    const site = input([home, changed]);
    site.pages = [home, changed].map((page) => {
      const source = pageSource(page, { key: createHash('sha256').update(JSON.stringify(page)).digest('hex') });
      const build = () => {
        cpSync(out, join(root, 'other'), { recursive: true });
        rmSync(out, { recursive: true });
        renameSync(join(root, 'other'), out);
        return source.build();
      };
      return page === changed ? { ...source, build } : source;
    });
    const { files } = await exported(site, { out, cache });
    expect(files).toEqual((await again(join(temporaryFolder(), 'site'), undefined, [home, changed])).files);
    expect(readdirSync(root)).toEqual(['site']);
  });

  test('restores files that were changed by hand', async () => {
    const [out, cache] = [join(temporaryFolder(), 'site'), memory()];
    const first = await again(out, cache, [home, use]);
    writeFileSync(join(out, 'guides/use/index.html'), 'vandalized');
    const second = await again(out, cache, [home, use]);
    expect(second.files).toEqual(first.files);
  });

  test('reports links that broke, and no longer reports links that were fixed', async () => {
    const [out, cache] = [join(temporaryFolder(), 'site'), memory()];
    const linking = { path: 'a', html: html('<a href="/b#x">x</a>') };
    const target = { path: 'b', html: html('<h2 id="x">X</h2>') };
    const kinds = async (pages: { path: string }[]) => (await again(out, cache, [use, ...pages])).kinds;
    expect(await kinds([linking, target])).toEqual([]);
    expect(await kinds([linking, { ...target, html: html('<h2 id="y">Y</h2>') }])).toEqual(['anchor-without-target']);
    expect(await kinds([linking])).toEqual(['link-without-target']);
    expect(await kinds([linking, target])).toEqual([]);
    expect(filesOf(out)['a/index.html']).toContain('<a href="../b/index.html#x">');
  });
});

describe('an export that fails', () => {
  test('leaves only the previous folder', async () => {
    const parent = temporaryFolder();
    const out = join(parent, 'site');
    const { files } = await exported(input([home, use]), { out });
    const site = input([home, use]);
    site.pages.push({
      path: 'bad',
      build: () => Promise.reject(new Error('broken')),
    });
    await expect(exported(site, { out })).rejects.toThrow('broken');
    expect(filesOf(parent)).toEqual(Object.fromEntries(Object.entries(files).map(([path, text]) => [`site/${path}`, text])));
  });

  test('stops when it is canceled', async () => {
    const parent = temporaryFolder();
    await expect(exported(input([home, use]), { out: join(parent, 'site'), signal: AbortSignal.abort() })).rejects.toThrow(
      /abort/i,
    );
    expect(filesOf(parent)).toEqual({});
  });

  test('says which file it could not read', async () => {
    const site = input([home], { assets: [{ path: 'x.png', file: '/nowhere/x.png' }] });
    await expect(exported(site)).rejects.toMatchObject({
      code: 'AssetNotReadable',
      message: expect.stringContaining('/nowhere/x.png') as string,
    });
  });
});

test('progress counts the work done', async () => {
  const progress: string[] = [];
  const zip = join(temporaryFolder(), 'site.zip');
  await exported(input([home, use]), { zip, onProgress: ({ stage, done, total }) => progress.push(`${stage} ${done}/${total}`) });
  expect(progress).toEqual(expect.arrayContaining(['render 1/2', 'render 2/2', 'index 1/1', 'write 2/2']));
  expect(progress.at(-1)).toMatch(/^archive (\d+)\/\1$/);
});
