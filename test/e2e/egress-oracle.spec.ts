// Compares the external-request report with the requests of a real browser.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportStaticSite } from '../../integration/static-site/export-static-site.ts';
import { optionsSchema, type CarrelOptions } from '../../integration/options.ts';
import { buildStaticSite } from '../support/build-static-site.ts';
import { missedBy, outsideRequests } from '../support/egress-oracle.ts';
import { serveFolder } from '../support/serve-folder.ts';
import { expect, test } from './exported.ts';
import { writeFiles } from '../support/write-files.ts';

function exportOf(dist: string, out: string, given: CarrelOptions) {
  const { out: _out, replace: _replace, zip: _zip, ...options } = optionsSchema.parse(given);
  return exportStaticSite({ root: dist }, { ...options, out, generator: 'carrel/test', environment: {} });
}

test('the report lists every external request of every page', async ({}, info) => {
  const { dist } = await buildStaticSite('outside', { astro: 7 });
  const { egress } = await exportOf(dist, info.outputPath('export'), { deployment: 'cloud' });
  const { pages, requests } = await outsideRequests(dist);
  expect(pages).toBeGreaterThanOrEqual(6);
  // Without requests the comparison would show nothing.
  expect(new Set(requests.map(({ url }) => new URL(url).host)).size).toBeGreaterThan(15);
  expect(missedBy(egress, requests)).toEqual([]);
  const clean = requests.filter(({ page }) => page.startsWith('clean'));
  expect(clean).toEqual([]);
  expect(egress.filter(({ page }) => page.startsWith('clean'))).toEqual([]);
});

const awkward = `<!doctype html>
<html lang="en"><head><title>Awkward</title>
<script>
  const late = document.createElement('script');
  late.src = 'https://late.example/x.js';
  document.head.append(late);
  new Image().src = '//pixel.example/x.gif';
  const request = new XMLHttpRequest();
  request.open('GET', 'https://request.example/x');
  request.send();
  navigator.sendBeacon('https://beacon.example/x', '');
  const base = 'https://base.example';
  fetch(base + '/v1/x').catch(() => {});
  fetch(new URL('x.json', 'https://joined.example/y/')).catch(() => {});
  addEventListener('load', () => (document.getElementById('box').innerHTML = '<img src="https://inner.example/x.png">'));
</script>
<style>
  @import url('https://import.example/x.css');
  @font-face { font-family: F; src: url("\\68ttps://font.example/x.woff2"); }
  h1 { font-family: F; }
  p { content: "broken
  ; background: image-set("https://set.example/x.png" 1x); }
</style></head>
<body background="https://body.example/x.png"><main><h1>Awkward</h1><p>Words.</p>
<img src="HTTPS:\\\\UPPER.example\\x.png"><img src=" https&colon;//entity.example/x.png "><img src="https://user@userinfo.example/x.png">
<img src="https://bücher.example/x.png"><input type="image" src="//input.example/x.png">
<img loading="lazy" style="margin-top: 4000px" src="https://lazy.example/x.png">
<iframe srcdoc="<img src='https://srcdoc.example/x.png'>"></iframe>
<svg><filter id="f"><feImage href="https://fe.example/x.png"/></filter><rect width="9" height="9" filter="url(#f)"/></svg>
<video poster="https://poster.example/x.png"><track default src="https://track.example/x.vtt"></video>
<img src=x.png onerror="fetch('https://handler.example/x')"><div id="box"></div>
</main></body></html>`;

test('the report lists loads in scripts, styles and unusual spellings', async ({}, info) => {
  const dist = writeFiles(info.outputPath('dist'), { 'index.html': awkward });
  const { egress } = await exportOf(dist, info.outputPath('export'), { deployment: 'cloud' });
  const { requests } = await outsideRequests(dist);
  const hosts = [...new Set(requests.map(({ url }) => new URL(url).hostname.replace('.example', '')))].sort();
  expect(hosts.join(' ')).toBe(
    'base beacon body entity fe font handler import inner input joined late lazy pixel poster request set srcdoc upper xn--bcher-kva',
  );
  // Chromium refuses a URL with a user name; the report lists it all the same.
  expect(egress.map(({ url }) => new URL(url).hostname)).toContain('userinfo.example');
  expect(missedBy(egress, requests)).toEqual([]);
});

// Each element shows its own file, so the host name says which element loaded it.
const drawing = (name: string) => `<?xml version="1.0"?>
<?xml-stylesheet href="https://${name}-pi.example/x.css"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" onload="fetch('https://${name}-onload.example/')">
<style><![CDATA[ @import "https://${name}-import.example/x.css"; ]]></style>
<g id="part"><image href="https://${name}-image.example/x.png" width="9" height="9"/>
<image xlink:href="https://${name}-old.example/x.png" width="9" height="9"/></g>
<script href="https://${name}-script.example/x.js"/>
<script><![CDATA[ fetch('https://${name}-fetch.example/x') ]]></script>
</svg>`;

test('the report lists what SVG documents load, and nothing for SVG images', async ({}, info) => {
  const names = ['object', 'embed', 'iframe', 'use', 'img'];
  const body = `<object data="Object.svg"></object><embed src="embed.svg#x"><iframe src="/iframe.svg?1"></iframe>
<svg><use href="use.svg#part"/></svg><img src="img.svg"><p style="background: url(img.svg)">Words.</p>`;
  const dist = writeFiles(info.outputPath('dist'), {
    'index.html': `<!doctype html><html lang="en"><head><title>Drawings</title></head><body><main><h1>Drawings</h1>${body}</main></body></html>`,
    ...Object.fromEntries(names.map((name) => [name === 'object' ? 'Object.svg' : `${name}.svg`, drawing(name)])),
  });
  const { egress } = await exportOf(dist, info.outputPath('export'), { deployment: 'cloud' });
  const { requests } = await outsideRequests(dist);
  const hosts = (urls: string[]) => [...new Set(urls.map((url) => new URL(url).hostname.replace('.example', '')))].sort();
  const asked = hosts(requests.map(({ url }) => url));
  expect(asked).toHaveLength(3 * 7 + 2);
  expect(hosts(egress.map(({ url }) => url))).toEqual(asked);
  expect(egress.find(({ url }) => url.includes('embed-script'))).toMatchObject({
    page: 'embed.svg',
    line: 7,
    element: 'script',
    outcome: 'loads',
  });
});

test('the report lists what scripts of inline frames load, unless the sandbox forbids scripts', async ({}, info) => {
  const script = (name: string) => `<script>fetch('https://${name}.example/x').catch(() => {})</script>`;
  const body = `<iframe srcdoc="${script('srcdoc')}"></iframe>
<iframe srcdoc="<body onload='import(&quot;https://handler.example/x.js&quot;).catch(()=>{})'>"></iframe>
<iframe sandbox srcdoc="${script('boxed')}"></iframe><iframe sandbox="allow-scripts" srcdoc="${script('open')}"></iframe>
<iframe src="data:text/html,${script('data')}"></iframe><object data="data:text/html;base64,${btoa(script('object'))}"></object>`;
  const dist = writeFiles(info.outputPath('dist'), {
    'index.html': `<!doctype html><html lang="en"><head><title>Frames</title></head><body><main><h1>Frames</h1><p>Words.</p>\n${body}</main></body></html>`,
  });
  const { egress } = await exportOf(dist, info.outputPath('export'), { deployment: 'cloud' });
  const { requests } = await outsideRequests(dist);
  expect(missedBy(egress, requests)).toEqual([]);
  // Playwright may start to watch a sandboxed frame, which is its own process, after the frame has sent its request.
  const asked = requests.map(({ url }) => new URL(url).hostname).filter((host) => host !== 'open.example');
  expect(asked.sort()).toEqual(['data.example', 'handler.example', 'object.example', 'srcdoc.example']);
  expect(egress.map(({ line, element, url }) => [line, element, new URL(url).hostname])).toEqual([
    [2, 'iframe srcdoc script fetch()', 'srcdoc.example'],
    [3, 'iframe srcdoc body onload import()', 'handler.example'],
    [4, 'iframe srcdoc script fetch()', 'open.example'],
    [5, 'iframe data: script fetch()', 'data.example'],
    [5, 'object data: script fetch()', 'object.example'],
  ]);
});

test('a placeholder is readable and focusable under a policy without styles, and sends no request', async ({ page }, info) => {
  const policy = `<meta http-equiv="content-security-policy" content="default-src 'none'; script-src 'self'">`;
  const dist = writeFiles(info.outputPath('dist'), {
    'index.html': `<!doctype html><html lang="en"><head><title>Film</title>${policy}</head><body><main><h1>Film</h1><p>Words.</p>
<iframe src="https://www.youtube.com/embed/abc" title="How to plant a tree"></iframe></main></body></html>`,
  });
  const out = info.outputPath('export');
  await exportOf(dist, out, { deployment: 'air-gapped', search: 'off' });
  expect(readFileSync(join(out, 'index.html'), 'utf8')).not.toContain('<iframe');
  const outside: string[] = [];
  const faults: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && faults.push(message.text())));
  const served = await serveFolder(out);
  page.on('request', (request) => void (request.url().startsWith(served.address) || outside.push(request.url())));
  await page.goto(served.address);
  const card = page.getByRole('link', { name: 'How to plant a tree https://www.youtube.com/watch?v=abc' });
  await expect(card).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(card).toBeFocused();
  await expect(card).toHaveCSS('border-top-style', 'solid');
  await served.close();
  expect(outside).toEqual([]);
  expect(faults).toEqual([]);
});
