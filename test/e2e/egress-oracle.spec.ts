// What the audit lists beside what a real browser asks other hosts for.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exportFinished } from '../../integration/export-finished.ts';
import { optionsSchema, type CarrelOptions } from '../../integration/options.ts';
import { buildGuest } from '../support/build-guest.ts';
import { missedBy, outsideRequests } from '../support/egress-oracle.ts';
import { serveFolder } from '../support/serve-folder.ts';
import { expect, test } from './exported.ts';

function exportOf(dist: string, out: string, given: CarrelOptions) {
  const { out: _out, replace: _replace, zip: _zip, ...options } = optionsSchema.parse(given);
  return exportFinished({ root: dist }, { ...options, out, generator: 'carrel/test', environment: {} });
}

/** Writes a site of these files. */
function site(folder: string, files: Record<string, string>): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

test('every request of every page to another host is in the list of the audit', async ({}, info) => {
  test.setTimeout(300_000);
  const { dist } = await buildGuest('outside', { astro: 7 });
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

test('loads that hide in scripts, styles and odd spellings are found as well', async ({}, info) => {
  const dist = site(info.outputPath('dist'), { 'index.html': awkward });
  const { egress } = await exportOf(dist, info.outputPath('export'), { deployment: 'cloud' });
  const { requests } = await outsideRequests(dist);
  const hosts = [...new Set(requests.map(({ url }) => new URL(url).hostname.replace('.example', '')))].sort();
  expect(hosts.join(' ')).toBe(
    'base beacon body entity fe font handler import inner input joined late lazy pixel poster request set srcdoc upper xn--bcher-kva',
  );
  // Chromium refuses what has a user in its address; the audit lists it all the same.
  expect(egress.map(({ url }) => new URL(url).hostname)).toContain('userinfo.example');
  expect(missedBy(egress, requests)).toEqual([]);
});

test('a card is read and reached by the keyboard under a strict policy, and asks for nothing', async ({ page }, info) => {
  const policy = `<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'self'; script-src 'self'">`;
  const dist = site(info.outputPath('dist'), {
    'index.html': `<!doctype html><html lang="en"><head><title>Film</title>${policy}</head><body><main><h1>Film</h1><p>Words.</p>
<iframe src="https://www.youtube.com/embed/abc" title="How to plant a tree"></iframe></main></body></html>`,
  });
  const out = info.outputPath('export');
  await exportOf(dist, out, { deployment: 'air-gapped', search: 'off' });
  expect(readFileSync(join(out, 'index.html'), 'utf8')).not.toContain('<iframe');
  const outside: string[] = [];
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
});
