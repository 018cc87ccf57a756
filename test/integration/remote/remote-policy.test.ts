import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EgressError } from '../../../integration/remote/request-report.ts';
import { exportStaticSite } from '../../../integration/static-site/export-static-site.ts';
import { optionsSchema, type CarrelOptions } from '../../../integration/options.ts';
import { filesOf, temporaryFolder } from '../export/folder.ts';
import { otherHost } from './other-host.ts';
import { writeFiles } from '../../support/write-files.ts';

/** Exports a built site of these files. */
async function exported(files: Record<string, string | Buffer>, given: CarrelOptions = {}, signal?: AbortSignal) {
  const folder = temporaryFolder();
  writeFiles(join(folder, 'dist'), files);
  const {
    out: _out,
    replace: _replace,
    zip: _zip,
    ...options
  } = optionsSchema.parse({ search: 'off', markdown: false, ...given });
  const out = join(folder, 'export');
  const places = { out, generator: 'carrel/test', environment: {}, signal };
  const report = await exportStaticSite({ root: join(folder, 'dist') }, { ...options, ...places });
  return { report, files: filesOf(out) };
}

function page(body: string, head = ''): string {
  return `<!doctype html>\n<html lang="en">\n<head>\n<title>Page</title>\n${head}</head>\n<body>\n<main>\n<h1>Page</h1>\n<p>Words of the page.</p>\n${body}\n</main>\n</body>\n</html>\n`;
}

const planted = {
  'index.html': page('<img src="https://a.example/x.png">', '<script src="https://cdn.example/x.js"></script>\n'),
  'two/index.html': page(
    '<p style="background:url(https://a.example/y.png)">',
    '<script src="https://cdn.example/x.js"></script>\n',
  ),
  'style.css': 'a {\n  background: url(https://a.example/z.png);\n}\n',
  'app.js': "say('hello');\nfetch('https://api.example/x');\n",
  'site.webmanifest': '{\n"icons": [{ "src": "https://a.example/icon.png" }]\n}',
};

test('every external load is listed by page, element and line; one around the main content of all pages once', async () => {
  const { report } = await exported(planted, { deployment: 'client-hosted' });
  expect(
    report.egress.map(({ page, line, element, url, kind, outcome, pages }) => [page, line, element, url, kind, outcome, pages]),
  ).toEqual([
    ['index.html', 5, 'script', 'https://cdn.example/x.js', 'script', 'loads', 2],
    ['index.html', 11, 'img', 'https://a.example/x.png', 'image', 'loads', undefined],
    ['two/index.html', 11, 'p url()', 'https://a.example/y.png', 'image', 'loads', undefined],
    ['app.js', 2, 'script fetch()', 'https://api.example/x', 'connection', 'loads', undefined],
    ['site.webmanifest', 2, 'manifest icon', 'https://a.example/icon.png', 'image', 'loads', undefined],
    ['style.css', 2, 'url()', 'https://a.example/z.png', 'image', 'loads', undefined],
  ]);
});

test.each([
  ['cloud', 'note'],
  ['client-hosted', 'warning'],
] as const)('a %s export reports external loads with a %s', async (deployment, severity) => {
  const { report } = await exported(planted, { deployment });
  const reported = report.warnings.filter(({ kind }) => kind === 'remote-load');
  expect(reported).toHaveLength(6);
  expect(new Set(reported.map((problem) => problem.severity))).toEqual(new Set([severity]));
});

test('an air-gapped export fails, and its message says what, where and what to do', async () => {
  const failed = await exported(planted, { deployment: 'air-gapped' }).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(EgressError);
  const { code, message, hint, egress } = failed as EgressError;
  expect(code).toBe('OutsideLoads');
  expect(message).toBe(`An air-gapped export must not load from external origins, but this site loads 6 URLs from 3 hosts:
  index.html:5  script  https://cdn.example/x.js  (on 2 pages)
  index.html:11  img  https://a.example/x.png
  two/index.html:11  p url()  https://a.example/y.png
  app.js:2  script fetch()  https://api.example/x
  site.webmanifest:2  manifest icon  https://a.example/icon.png
  style.css:2  url()  https://a.example/z.png`);
  expect(hint).toBe(
    'Download the files (vendor, with the hosts in allow: a.example, api.example, cdn.example), list in allow the hosts that readers can reach, or remove the loads from the site.',
  );
  expect(egress).toHaveLength(6);
});

test.each([
  ['old.html', 'latin1', '<meta charset=iso-8859-1>'],
  ['wide.html', 'utf16le', '\ufeff'],
  ['strict.xhtml', 'utf8', '<?xml version="1.0"?>'],
] as const)('an air-gapped export reads %s too, which is copied as it is (%s)', async (name, encoding, start) => {
  const text = `${start}<title>Café</title>\n<img src="https://a.example/x.png">\n<script>fetch('https://api.example/x')</script>`;
  const files = { 'index.html': page(''), [name]: Buffer.from(text, encoding) };
  const failed = await exported(files, { deployment: 'air-gapped' }).catch((error: unknown) => error);
  expect((failed as EgressError).egress.map(({ page, line, element, url }) => [page, line, element, url])).toEqual([
    [name, 2, 'img', 'https://a.example/x.png'],
    [name, 3, 'script fetch()', 'https://api.example/x'],
  ]);
});

test('a list of a thousand loads is truncated', async () => {
  const body = Array.from({ length: 1000 }, (_, index) => `<img src="https://a.example/${index}.png">`).join('\n');
  const failed = await exported({ 'index.html': page(body) }, { deployment: 'air-gapped' }).catch((error: unknown) => error);
  const { message, egress } = failed as EgressError;
  expect(message.split('\n')).toHaveLength(52);
  expect(message).toMatch(/and 950 more$/);
  expect(egress).toHaveLength(1000);
});

test('a site without external loads passes, with external links', async () => {
  const files = { 'index.html': page('<a href="https://a.example/">A link</a> <img src="/x.png">'), 'x.png': '' };
  const { report } = await exported(files, { deployment: 'air-gapped' });
  expect(report.egress).toEqual([]);
  expect(report.warnings).toEqual([]);
});

test('loads from allowed hosts stay', async () => {
  const { report } = await exported(planted, { deployment: 'air-gapped', allow: ['*.example', 'a.example'] });
  expect(new Set(report.egress.map(({ outcome }) => outcome))).toEqual(new Set(['allowed']));
});

test('dynamic loads, resource hints and redirects do not fail the export', async () => {
  const head =
    '<link rel="preconnect" href="https://a.example"><link rel="dns-prefetch" href="//a.example">' +
    '<script>const files = ["https://a.example/x.json"]</script>';
  const files = {
    'index.html': page('<a href="/gone/">Gone</a>', head),
    'gone/index.html':
      '<!doctype html><title>Gone</title><meta http-equiv="refresh" content="5;url=https://a.example/"><main>Gone.</main>',
  };
  const { report, files: written } = await exported(files, { deployment: 'air-gapped' });
  expect(report.egress.map(({ element, outcome }) => [element, outcome])).toEqual([
    ['link rel=preconnect', 'removed'],
    ['link rel=dns-prefetch', 'removed'],
    ['script text', 'possible'],
    ...report.egress.slice(3).map(({ element, outcome }) => [element, outcome]),
  ]);
  expect(written['index.html']).not.toContain('<link rel="preconnect"');
  expect([...new Set(report.warnings.map(({ severity }) => severity))]).toEqual(['note']);
});

test('a placeholder with its URL replaces each embed, and is styled once per page', async () => {
  const body = `<iframe src="https://www.youtube.com/embed/abc123" title="How to &lt;plant&gt;"></iframe>
<object data="https://maps.example/plan.pdf"><img src="https://maps.example/plan.png"><img src="/plan.png"></object>
<a href="/"><embed src="https://maps.example/plan.svg"></a>
<script src="https://gist.github.com/someone/0123.js"></script>
<blockquote class="twitter-tweet"><p>A post</p><a href="https://twitter.com/a/status/1">1 May</a></blockquote><script async src="https://platform.twitter.com/widgets.js"></script>
<lite-youtube videoid="xyz" style="background-image:url(https://i.ytimg.com/vi/xyz/hq.jpg)"><a href="https://youtube.com/watch?v=xyz">Play</a></lite-youtube>`;
  const { report, files } = await exported(
    { 'guide/index.html': page(body), 'index.html': page('') },
    { deployment: 'air-gapped' },
  );
  expect(new Set(report.egress.map(({ outcome }) => outcome))).toEqual(new Set(['card']));
  expect(report.warnings.filter(({ kind }) => kind === 'embed-replaced').map(({ line }) => line)).toEqual([
    10, 11, 11, 12, 13, 14, 15, 15,
  ]);
  const html = files['guide/index.html']!;
  expect(html.slice(html.indexOf('<p>Words'), html.indexOf('</main>'))).toBe(`<p>Words of the page.</p>
<link rel="stylesheet" href="../_carrel/placeholder.css"><a class="c-remote" data-element="iframe" href="https://www.youtube.com/watch?v=abc123" rel="noreferrer"><span class="c-remote-words">How to &lt;plant&gt;</span> <span class="c-remote-address">https://www.youtube.com/watch?v=abc123</span></a>
<a class="c-remote" data-element="object" href="https://maps.example/plan.pdf" rel="noreferrer"><span class="c-remote-address">https://maps.example/plan.pdf</span></a>
<a href="../index.html"><span class="c-remote" data-element="embed"><span class="c-remote-address">https://maps.example/plan.svg</span></span></a>
<a class="c-remote" data-element="script" href="https://gist.github.com/someone/0123" rel="noreferrer"><span class="c-remote-address">https://gist.github.com/someone/0123</span></a>
<blockquote class="twitter-tweet"><p>A post</p><a href="https://twitter.com/a/status/1">1 May</a></blockquote>
<a class="c-remote" data-element="lite-youtube" href="https://www.youtube.com/watch?v=xyz" rel="noreferrer"><span class="c-remote-address">https://www.youtube.com/watch?v=xyz</span></a>
`);
  expect(files['_carrel/placeholder.css']).toContain('.c-remote {');
  expect(files['index.html']).not.toContain('placeholder.css');
});

const film = 'https://www.youtube.com/watch?v=abc';

test.each([
  ['<lite-youtube videoid="abc" style="background-image: url(https://i.ytimg.com/vi/abc/hq.jpg)"></lite-youtube>', film, ''],
  ['<lite-youtube videoid="abc" playlabel="Play: A tree"><button>Play</button></lite-youtube>', film, 'Play: A tree'],
  ['<lite-youtube playlistid="PL1" title="Trees"></lite-youtube>', 'https://www.youtube.com/playlist?list=PL1', 'Trees'],
  [
    '<lite-vimeo videoid="123" videotitle="Trees"><img src="https://i.vimeocdn.com/x.jpg"></lite-vimeo>',
    'https://vimeo.com/123',
    'Trees',
  ],
  ['<youtube-video src="https://www.youtube.com/watch?v=abc" controls></youtube-video>', film, ''],
  ['<vimeo-video src="https://vimeo.com/123"></vimeo-video>', 'https://vimeo.com/123', ''],
])('%s is treated like a frame of the video: shown and reported, or replaced by a placeholder', async (element, url, words) => {
  const frame = '<iframe src="https://player.example/"></iframe>';
  for (const deployment of ['cloud', 'client-hosted'] as const) {
    const { report, files } = await exported({ 'index.html': page(element + frame) }, { deployment });
    expect(files['index.html']).toContain(element);
    const reported = report.warnings.map(({ kind, severity, message }) => [kind, severity, / loads "(.*?)"/.exec(message)?.[1]]);
    const severity = deployment === 'cloud' ? 'note' : 'warning';
    expect(reported).toContainEqual(['remote-load', severity, url]);
    expect(reported).toContainEqual(['remote-load', severity, 'https://player.example/']);
  }
  const { report, files } = await exported({ 'index.html': page(element) }, { deployment: 'air-gapped' });
  const html = files['index.html']!;
  expect(html).not.toContain(element.slice(0, 8));
  expect(html).toMatch(/<a class="c-remote" data-element="[a-z-]+" href="/);
  expect(html).toContain(`href="${url}" rel="noreferrer"`);
  expect(html).toContain(words);
  expect(new Set(report.egress.map(({ outcome }) => outcome))).toEqual(new Set(['card']));
});

test('embeds of allowed hosts, and of exports with a network, stay', async () => {
  const files = { 'index.html': page('<iframe src="https://www.youtube.com/embed/abc"></iframe>') };
  const cases: CarrelOptions[] = [{ deployment: 'air-gapped', allow: ['*.youtube.com'] }, { deployment: 'cloud' }];
  for (const given of cases) {
    const { files: written } = await exported(files, given);
    expect(written['index.html']).toContain('<iframe src="https://www.youtube.com/embed/abc">');
    expect(written['_carrel/placeholder.css']).toBeUndefined();
  }
});

test('vendor downloads allowed files and their own loads', async () => {
  const cdn = await otherHost({
    '/site.css': ['text/css', '@import "more.css"; @font-face { src: url("/f.woff2#a") } b { background: url(#b) }'],
    '/more.css': ['text/css', '@import "site.css"; a { background: url(x.png) }'],
    '/f.woff2': ['font/woff2', 'FONT'],
    '/x.png': ['image/png', 'PNG'],
    '/app.js': ['text/javascript', 'window.ran = true'],
    '/old.js': ['redirect', '/app.js'],
    '/mod.js': ['text/javascript', "import { a } from './dep.js'; export * from '/dep.js'; import('./dep.js?x=1')"],
    '/dep.js': ['text/javascript', "import './mod.js'; export const a = 1"],
    '/dep.js?x=1': ['text/javascript', 'export const b = 1'],
    '/own.png': ['image/png', 'OWN'],
  });
  const { url, host } = cdn;
  const head = `<link rel="preconnect" href="${url}"><link rel="stylesheet" href="${url}site.css" integrity="sha384-AAAA" crossorigin>
<script src="${url}old.js" integrity="sha384-AAAA" crossorigin="anonymous"></script><script type="module" src="${url}mod.js"></script>`;
  const body = `<img src="${url}x.png" srcset="${url}x.png 1x, ${url}own.png 2x"><p style="background:url(${url}x.png)">`;
  const { report, files } = await exported(
    { 'guide/index.html': page(body, head), 'index.html': page(''), 'own.css': `a { background: url(${url}own.png) }` },
    { deployment: 'air-gapped', vendor: true, allow: [host] },
  );
  expect(new Set(report.egress.map(({ outcome }) => outcome))).toEqual(new Set(['vendored', 'allowed']));
  expect(report.egress.filter(({ outcome }) => outcome === 'allowed').map(({ element }) => element)).toEqual([
    'link rel=preconnect',
  ]);
  expect([...cdn.asked].sort()).toEqual([
    ...['/app.js', '/dep.js', '/dep.js?x=1', '/f.woff2', '/mod.js', '/more.css', '/old.js', '/own.png', '/site.css', '/x.png'],
  ]);
  // The manifest names the hosts that are allowed.
  const naming = Object.keys(files).filter((name) => name !== 'carrel.json' && files[name]!.includes(host));
  expect(naming).toEqual([]);
  const html = files['guide/index.html']!;
  expect(html).not.toMatch(/integrity|crossorigin|preconnect/);
  const named = [...html.matchAll(/(?:src|href)="\.\.\/(_carrel\/vendor\/[^"]+)"/g)].map(([, file]) => file!);
  expect(named.map((file) => file.split('.').at(-1))).toEqual(['css', 'js', 'png']);
  for (const file of named) expect(files[file]).toBeDefined();
  const vendored = Object.entries(files).filter(([name]) => name.startsWith('_carrel/vendor/'));
  expect(vendored.map(([name]) => name.split('.')[1]!).sort()).toEqual([
    'css',
    'css',
    'js',
    'js',
    'js',
    'js',
    'png',
    'png',
    'woff2',
  ]);
  const text = (part: string) => vendored.find(([, value]) => value.includes(part))![1];
  expect(text('@font-face')).toMatch(
    /^@import "[0-9a-f]{16}\.css"; @font-face \{ src: url\("[0-9a-f]{16}\.woff2#a"\) \} b \{ background: url\(#b\) \}$/,
  );
  expect(text('export *')).toMatch(
    /^import \{ a \} from "\.\/[0-9a-f]{16}\.js"; export \* from "\.\/[0-9a-f]{16}\.js"; import\("\.\/[0-9a-f]{16}\.js"\)$/,
  );
});

test('a vendored URL that is also in a text that cannot be rewritten is reported as an external request', async () => {
  const { url, host } = await otherHost({ '/x.png': ['image/png', 'PNG'] });
  const body = `<img src="${url}x.png"><iframe srcdoc="&lt;img src='${url}x.png'&gt;"></iframe>`;
  const { report } = await exported({ 'index.html': page(body) }, { deployment: 'air-gapped', vendor: true, allow: [host] });
  expect(report.egress.map(({ element, outcome }) => [element, outcome])).toEqual([
    ['img', 'vendored'],
    [expect.stringContaining('srcdoc'), 'allowed'],
  ]);
});

test('without a list, vendor downloads images, sounds and videos of public hosts only', async () => {
  const cdn = await otherHost({ '/x.png': ['image/png', 'PNG'], '/app.js': ['text/javascript', ''] });
  const files = { 'index.html': page(`<img src="${cdn.url}x.png"><script src="${cdn.url}app.js"></script>`) };
  const { report } = await exported(files, { vendor: true });
  expect(cdn.asked).toEqual([]);
  expect(report.warnings.map(({ kind, message }) => [kind, message.replace(cdn.host, 'HOST')])).toEqual([
    [
      'remote-not-vendored',
      '"http://HOST/x.png" could not be downloaded into the export: its host is not on the public internet.',
    ],
    ['remote-load', 'The img loads "http://HOST/x.png" from an external origin, so without a network it is missing.'],
    ['remote-load', 'The script loads "http://HOST/app.js" from an external origin, so without a network it is missing.'],
  ]);
});

test('hosts outside the allow-list get no request, even if a file of an allowed host names them', async () => {
  const other = await otherHost({ '/x.png': ['image/png', 'PNG'] });
  const cdn = await otherHost({ '/a.css': ['text/css', `a { background: url(${other.url}x.png) }`] });
  const files = { 'index.html': page('', `<link rel="stylesheet" href="${cdn.url}a.css">`) };
  const failed = await exported(files, { deployment: 'air-gapped', vendor: true, allow: [cdn.host] }).catch(
    (error: unknown) => error,
  );
  expect(other.asked).toEqual([]);
  expect((failed as EgressError).message).toContain(`${cdn.url}a.css:1  url()  ${other.url}x.png`);
});

test.each([
  ['missing.js', 'the host answers 404'],
  ['page.js', 'it is text/html, not a script'],
  ['loop.js', 'it redirects more than five times'],
  ['file.js', 'file: is not fetched'],
])('an allowed URL that cannot be downloaded is reported as an error: %s', async (name, reason) => {
  const cdn = await otherHost({
    '/page.js': ['text/html', '<p>'],
    '/loop.js': ['redirect', '/loop.js'],
    '/file.js': ['redirect', 'file:///etc/passwd'],
  });
  const files = { 'index.html': page('', `<script src="${cdn.url}${name}"></script>`) };
  await expect(exported(files, { vendor: true, allow: [cdn.host] })).rejects.toMatchObject({
    code: 'RemoteNotVendored',
    message: `"${cdn.url}${name}" (in index.html:5) could not be downloaded into the export: ${reason}.`,
  });
});

test('a pattern in the allow-list does not allow private networks', async () => {
  const cdn = await otherHost({ '/x.js': ['text/javascript', ''] });
  const url = `http://localhost:${cdn.host.split(':')[1]}/x.js`;
  const files = { 'index.html': page('', `<script src="${url}"></script>`) };
  const message = `"${url}" (in index.html:5) could not be downloaded into the export: its host is not on the public internet.`;
  await expect(exported(files, { vendor: true, allow: ['*.localhost', 'localhost'] })).resolves.toBeDefined();
  const redirecting = await otherHost({ '/x.js': ['redirect', url] });
  const other = { 'index.html': page('', `<script src="${redirecting.url}x.js"></script>`) };
  await expect(exported(other, { vendor: true, allow: [redirecting.host] })).rejects.toMatchObject({
    message: message.replace(url, `${redirecting.url}x.js`),
  });
});
