import { expect, test } from 'vitest';
import { placeLoads } from '../../../integration/html/load.ts';
import { loadFinder } from '../../../integration/html/external-loads.ts';
import { readHtml } from '../../../integration/html/read-html.ts';

function read(html: string) {
  const reader = loadFinder(html, () => true);
  readHtml(html, { open: reader.open, text() {}, close: reader.close });
  return reader.found();
}

function loadsOf(html: string): string[] {
  return placeLoads(html, read(html).loads).map(({ line, kind, element, url }) => `${line} ${kind} ${element} ${url}`);
}

test.each([
  ['<script src="https://a.example/x.js"></script>', 'script script https://a.example/x.js'],
  ['<script type=module src=https://a.example/x.js></script>', 'script script https://a.example/x.js'],
  ['<link rel="stylesheet" href="https://a.example/x.css">', 'stylesheet link rel=stylesheet https://a.example/x.css'],
  ['<link rel="shortcut icon" href="https://a.example/x.ico">', 'image link rel=shortcut icon https://a.example/x.ico'],
  ['<link rel="manifest" href="https://a.example/x.json">', 'manifest link rel=manifest https://a.example/x.json'],
  ['<link rel="preload" as="font" href="https://a.example/x">', 'hint link rel=preload https://a.example/x'],
  ['<link rel="prefetch" href="https://a.example/x">', 'hint link rel=prefetch https://a.example/x'],
  ['<link rel="modulepreload" href="https://a.example/x">', 'hint link rel=modulepreload https://a.example/x'],
  ['<link rel="dns-prefetch" href="//a.example">', 'hint link rel=dns-prefetch https://a.example/'],
  ['<link rel="preconnect" href="https://a.example">', 'hint link rel=preconnect https://a.example/'],
  ['<link rel="prerender" href="https://a.example/x">', 'hint link rel=prerender https://a.example/x'],
  ['<style>@import "https://a.example/x.css";</style>', 'stylesheet style @import https://a.example/x.css'],
  ['<style>a{background:url(https://a.example/x.png)}</style>', 'image style url() https://a.example/x.png'],
  ['<style>@font-face{src:url(https://a.example/x.woff2)}</style>', 'font style @font-face https://a.example/x.woff2'],
  ['<style>a{background:image-set("https://a.example/x.png" 1x)}</style>', 'image style url() https://a.example/x.png'],
  ['<p style="background:url(https://a.example/x.png)">', 'image p url() https://a.example/x.png'],
  ['<img src="https://a.example/x.png">', 'image img https://a.example/x.png'],
  ['<img srcset="https://a.example/x.png 2x">', 'image img srcset https://a.example/x.png'],
  [
    '<picture><source srcset="https://a.example/x.png"><img src="/x.png"></picture>',
    'image source srcset https://a.example/x.png',
  ],
  ['<svg><image href="https://a.example/x.png"/></svg>', 'image image https://a.example/x.png'],
  ['<svg><use xlink:href="https://a.example/x.svg#a"/></svg>', 'image use https://a.example/x.svg#a'],
  ['<svg><filter><feImage href="https://a.example/x.png"/></filter></svg>', 'image feimage https://a.example/x.png'],
  ['<svg><rect fill="url(https://a.example/x.svg#a)"/></svg>', 'image rect url() https://a.example/x.svg#a'],
  [
    '<svg><image><animate attributeName="href" values="#a;https://a.example/x.png"/></image></svg>',
    'image animate https://a.example/x.png',
  ],
  ['<video src="https://a.example/x.mp4"></video>', 'media video https://a.example/x.mp4'],
  ['<video poster="https://a.example/x.png"></video>', 'image video poster https://a.example/x.png'],
  ['<audio><source src="https://a.example/x.mp3"></audio>', 'media source https://a.example/x.mp3'],
  ['<video><track src="https://a.example/x.vtt"></video>', 'media track https://a.example/x.vtt'],
  ['<iframe src="https://a.example/x"></iframe>', 'embed iframe https://a.example/x'],
  ['<carrel-frame src="https://a.example/x"></carrel-frame>', 'embed iframe https://a.example/x'],
  ['<img data-carrel-poster src="https://a.example/x.jpg">', 'image iframe poster https://a.example/x.jpg'],
  ['<object data="https://a.example/x.pdf"></object>', 'embed object https://a.example/x.pdf'],
  ['<embed src="https://a.example/x.svg">', 'embed embed https://a.example/x.svg'],
  ['<input type="image" src="https://a.example/x.png">', 'image input type=image https://a.example/x.png'],
  ['<body background="https://a.example/x.png">', 'image body background https://a.example/x.png'],
  [
    '<iframe src="data:text/html,<img src=%22https://a.example/x.png%22>"></iframe>',
    'image iframe data: img https://a.example/x.png',
  ],
  [
    `<object data="data:text/html;charset=utf-8;base64,${btoa('<img src="https://a.example/x.png">')}"></object>`,
    'image object data: img https://a.example/x.png',
  ],
  [
    '<iframe srcdoc="&lt;img src=&quot;https://a.example/x.png&quot;&gt;"></iframe>',
    'image iframe srcdoc img https://a.example/x.png',
  ],
  [
    '<astro-island component-url="https://a.example/x.js"></astro-island>',
    'script astro-island component-url https://a.example/x.js',
  ],
  [
    '<script type="importmap">{"imports":{"x":"https://a.example/x.js"}}</script>',
    'script script type=importmap https://a.example/x.js',
  ],
  [
    '<script type="speculationrules">{"prefetch":[{"urls":["https://a.example/x"]}]}</script>',
    'hint script type=speculationrules https://a.example/x',
  ],
  ['<meta http-equiv="refresh" content="0;url=https://a.example/x">', 'navigation meta http-equiv=refresh https://a.example/x'],
])('finds what %s loads', (html, load) => {
  expect(loadsOf(html)).toEqual([`1 ${load}`]);
});

test.each([
  '<a href="https://a.example/">link</a>',
  '<area href="//a.example/">',
  '<form action="https://a.example/"></form>',
  '<link rel="canonical" href="https://a.example/"><link rel="alternate" hreflang="de" href="https://a.example/de">',
  '<meta property="og:image" content="https://a.example/x.png">',
  '<pre><code>&lt;img src="https://a.example/x.png"&gt;</code></pre>',
  '<!-- <img src="https://a.example/x.png"> -->',
  '<img src="data:image/png;base64,AAAA//AA"><img src="blob:https://a.example/1234">',
  '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><a xlink:href="https://a.example/"></a></svg>',
  '<style>@namespace svg url(http://www.w3.org/2000/svg); /* url(https://a.example/x) */ a{content:"url(https://a.example/y)"}</style>',
  '<script type="application/ld+json">{"@context":"https://schema.org","image":"https://a.example/x.png"}</script>',
  '<textarea><img src="https://a.example/x.png"></textarea>',
  '<img src="/a//b.png"><img src="https:"><img src="http://">',
  '<q cite="https://a.example/">quoted</q>',
])('%s loads nothing', (html) => {
  expect(loadsOf(html)).toEqual([]);
});

test.each([
  ['//a.example/x', 'https://a.example/x'],
  ['HTTPS://A.Example/x', 'https://a.example/x'],
  ['\\\\a.example\\x', 'https://a.example/x'],
  ['/\\a.example/x', 'https://a.example/x'],
  ['https:\\\\a.example/x', 'https://a.example/x'],
  ['https:a.example/x', 'https://a.example/x'],
  [' \n https://a.example/x ', 'https://a.example/x'],
  ['ht\ntps://a.exa\tmple/x', 'https://a.example/x'],
  ['https&colon;&sol;&#47;a.example/x', 'https://a.example/x'],
  ['&#x68;ttps://a.example/x?a=1&amp;b=2', 'https://a.example/x?a=1&b=2'],
  ['https://bücher.example/x', 'https://xn--bcher-kva.example/x'],
  ['https://site.example@a.example/x', 'https://site.example@a.example/x'],
  ['https://a.example:8443/x', 'https://a.example:8443/x'],
])('reads the URL %j as browsers do', (written, url) => {
  expect(read(`<img src="${written}">`).loads.map((load) => load.url)).toEqual([url]);
});

test('broken styles hide nothing', () => {
  const urls = (css: string) => read(`<style>${css}</style>`).loads.map(({ url }) => url);
  expect(urls('a{content:"open\n} b{background:url(https://a.example/x)}')).toEqual(['https://a.example/x']);
  expect(urls('a{background:url("https://a.example/x}\n b{background:url(https://a.example/y)}')).toContain(
    'https://a.example/y',
  );
  expect(urls('}}} @@ a{background:url(https://a.example/x')).toEqual([]);
  expect(urls('a{background:url("\\68ttps://a.example/x")}')).toEqual(['https://a.example/x']);
  expect(read('<style>a{background:url(https://a.example/x)}').loads).toHaveLength(1);
});

test('a load that is on a page several times is reported with its first line', () => {
  const html = '<p>\n<img src="https://a.example/x">\r\n\n<img src="https://a.example/x"> <img src="https://a.example/y">';
  expect(loadsOf(html)).toEqual(['2 image img https://a.example/x', '4 image img https://a.example/y']);
});

test('a list of ten thousand images is read completely', () => {
  const list = Array.from({ length: 10_000 }, (_, index) => `https://a.example/${index}.png ${index + 1}w`).join(', ');
  expect(loadsOf(`<img srcset="${list}">`)).toHaveLength(10_000);
});

test('scripts and handlers are reported with their position; data blocks and templates are not scripts', () => {
  const html =
    '<script>one()</script><script type="module">two()</script><a onclick="go(\'//x\')"></a>' +
    '<script type="application/json">{}</script><script type="text/template"><img src="https://a.example/x"></script><script src="/x.js"></script>';
  expect(read(html).scripts.map(({ element, text, start }) => [element, text, html.slice(start, start + 3)])).toEqual([
    ['script', 'one()', 'one'],
    ['script', 'two()', 'two'],
    ['a onclick', "go('//x')", 'go('],
  ]);
});

test('a load that only a script makes visible is dynamic', () => {
  const html = `<img data-src="https://a.example/x.png"><astro-island props='{"photo":[0,"https://a.example/y.png"],"home":[0,"https://a.example/"]}'></astro-island>`;
  expect(read(html).loads.map((load) => [load.url, load.static])).toEqual([
    ['https://a.example/x.png', false],
    ['https://a.example/y.png', false],
  ]);
});
