// Small imitations of what other generators write, opened as a reader does.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readFile } from 'node:fs/promises';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { chromiumArguments, findChromium } from '../../support/chromium.ts';
import { exported, page } from './export-files.ts';
import { listen } from '../../support/listen.ts';

let browser: Promise<Browser> | undefined;
afterAll(async () => (await browser)?.close());

async function open(url: string, offline: boolean) {
  browser ??= chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
  const context = await (await browser).newContext({ offline });
  onTestFinished(() => context.close());
  const opened = await context.newPage();
  const faults: string[] = [];
  opened.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  opened.on('pageerror', (error) => faults.push(error.message));
  await opened.goto(url);
  return { opened, faults };
}

const openFile = (out: string, file: string) => open(pathToFileURL(join(out, file)).href, true);

test('VitePress: pages stay unchanged and styled, with links without extensions, and its search button opens search', async () => {
  const vitepress = (
    content: string,
  ) => `<!DOCTYPE html><html lang="en-US"><head><meta charset="utf-8"><title>Guide | Ferry</title>
    <meta name="generator" content="VitePress v1.6.4"><link rel="preload stylesheet" href="/docs/assets/style.css" as="style">
    <script type="module" src="/docs/assets/app.Dk3x_1-a.js"></script><link rel="modulepreload" href="/docs/assets/chunks/x.js"></head>
    <body><div id="app"><button type="button" class="DocSearch DocSearch-Button">Search</button><main><div class="vp-doc">${content}</div></main></div></body></html>`;
  const { out, problems } = await exported(
    {
      'index.html': vitepress('<h1>Ferry</h1><a href="/docs/guide/install">Install</a>'),
      'guide/install.html': vitepress('<h1>Install</h1><p>Tie it to the pier.</p><a href="./use#deep">Use</a>'),
      'guide/use.html': vitepress('<h1>Use</h1><h2 id="deep">Deep</h2>'),
      '404.html': vitepress('404'),
      'assets/app.Dk3x_1-a.js': 'document.body.textContent = "PAGE NOT FOUND";',
      'assets/chunks/x.js': '',
      'assets/style.css': 'h1 { color: rgb(1, 2, 3) }',
    },
    { search: 'button' },
  );
  expect(problems).toEqual(['application-left-out']);
  const { opened, faults } = await openFile(out, 'index.html');
  await opened.getByText('Install').click();
  await opened.getByText('Tie it to the pier.').waitFor();
  expect(await opened.locator('h1').evaluate((heading) => getComputedStyle(heading).color)).toBe('rgb(1, 2, 3)');
  await opened.getByText('Use').click();
  await opened.waitForURL(/guide\/use\.html#deep$/);
  await opened.locator('.DocSearch-Button').click();
  await opened.getByRole('dialog').waitFor();
  expect(faults).toEqual([]);
});

test('DocSearch, which uses its own server: its button and keys open our search, even if its script creates the button again', async () => {
  const search = `<div id="docsearch"><button type="button" class="DocSearch DocSearch-Button">Search</button></div>
    <script>
      docsearch.innerHTML = '<button type="button" class="DocSearch DocSearch-Button">Search</button>';
      docsearch.onclick = () => (document.title = 'theirs');
      addEventListener('keydown', (event) => event.key === 'k' && (document.title = 'theirs'));
    </script>`;
  const { out } = await exported({ 'index.html': page('<h1>Ferry</h1>', { around: search }) }, { search: 'button' });
  const { opened, faults } = await openFile(out, 'index.html');
  const dialog = opened.getByRole('dialog');
  await opened.locator('.DocSearch-Button').click();
  await dialog.waitFor();
  await opened.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await opened.keyboard.press('Control+k');
  await dialog.waitFor();
  expect([await opened.title(), await opened.locator('carrel-search-button').count(), faults]).toEqual(['Page', 0, []]);
});

test('option links for languages or versions, whose script opens a root-relative path, open the page of the export', async () => {
  const choice = (here: string) =>
    `<select id="language">${['/docs/guide/', '/docs/fr/guide/', '/elsewhere/']
      .map((path) => `<option value="${path}" ${path === here ? 'selected' : ''}>${path}</option>`)
      .join('')}</select><script>language.onchange = ({ target }) => (location.pathname = target.value)</script>`;
  const guide = (path: string, words: string) => page(`<p>${words}</p>`, { around: choice(path) });
  const { out, files } = await exported(
    {
      'index.html': page('<a href="/docs/guide/">Guide</a>'),
      'guide/index.html': guide('/docs/guide/', 'Words'),
      'fr/guide/index.html': guide('/docs/fr/guide/', 'Mots'),
    },
    { search: 'site' },
    { base: '/docs/' },
  );
  expect(files['guide/index.html']).toContain('<option data-carrel-page="../fr/guide/index.html" value="/docs/fr/guide/"');
  expect(files['guide/index.html']).toContain('<option value="/elsewhere/"');
  const { opened, faults } = await openFile(out, 'guide/index.html');
  await opened.locator('select').selectOption('/docs/fr/guide/');
  await opened.getByText('Mots').waitFor();
  await opened.locator('select').selectOption('/docs/guide/');
  await opened.getByText('Words').waitFor();
  expect(faults).toEqual([]);
});

test('a page without an index uses that of the default language and version', async () => {
  const stub = '<!doctype html><title>Docs</title><meta http-equiv="refresh" content="0;url=/en/v2/">';
  const words = (language: string, version: string) =>
    page(`<h1>Lamp ${language} ${version}</h1><p>The lamp of ${language} ${version} burns oil.</p>`, {
      title: `Lamp ${language} ${version}`,
    }).replace('lang="en"', `lang="${language}"`);
  const unsearched = '<meta name="carrel:searchable" content="false">';
  const { out, manifest } = await exported(
    {
      'index.html': stub,
      'de/v1/index.html': words('de', '1'),
      'de/v2/index.html': words('de', '2'),
      'en/v1/index.html': words('en', '1'),
      'en/v2/index.html': words('en', '2'),
      'fi/index.html': page('<h1>Tervetuloa</h1>', { head: unsearched }).replace('lang="en"', 'lang="fi"'),
      'legal.html': page('<h1>Legal</h1>', { head: unsearched }),
    },
    { search: 'button', versions: { 'de/v1': '1', 'de/v2': '2', 'en/v1': '1', 'en/v2': '2' } },
  );
  expect(manifest.indexes).toHaveLength(4);
  for (const file of ['fi/index.html', 'legal.html']) {
    const { opened, faults } = await openFile(out, file);
    await opened.keyboard.press('Control+k');
    await opened.getByRole('dialog').getByRole('combobox').fill('oil');
    const results = opened.getByRole('dialog').getByRole('option');
    await results.first().waitFor();
    expect(await results.evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).pathname))).toEqual([
      pathToFileURL(join(out, 'en/v2/index.html')).pathname,
    ]);
    await opened.keyboard.press('Escape');
    await opened.keyboard.press('Control+i');
    await opened.locator('carrel-ask').getByRole('textbox').fill('Which oil does the lamp burn?');
    await opened.keyboard.press('Enter');
    await opened.locator('carrel-ask .answer[aria-busy="false"]').getByText('The lamp of en 2 burns oil.').waitFor();
    expect(faults).toEqual([]);
  }
});

test('Docusaurus: content that its scripts would show on a click is visible', async () => {
  const { out } = await exported({
    'index.html': `<!doctype html><html lang=en><head><meta charset=UTF-8><meta name=generator content="Docusaurus v3.10.2"><title>Home</title>
      <script src="/assets/js/runtime~main.1a2b.js" defer></script><script defer src=/assets/js/main.3c4d.js></script></head>
      <body><main><div class="theme-doc-markdown"><div role="tabpanel">One</div><div role="tabpanel" hidden>Two</div></div></main></body></html>`,
    'assets/js/runtime~main.1a2b.js': 'throw new Error("it runs")',
    'assets/js/main.3c4d.js': 'throw new Error("it runs")',
  });
  const { opened, faults } = await openFile(out, 'index.html');
  await opened.getByText('Two').waitFor({ state: 'visible' });
  expect(faults).toEqual([]);
});

test('mdBook: its scripts find their files by the path to the root, because pages keep their paths', async () => {
  const book = (
    root: string,
    content: string,
  ) => `<!DOCTYPE HTML><html lang="en" class="light"><head><meta charset="UTF-8"><title>Chapter - Book</title>
    <script>const path_to_root = "${root}";</script></head><body><h1 class="menu-title">Book</h1><div id="content"><main>${content}</main>
    <nav class="nav-wrapper"><a rel="next" href="../index.html">Next</a></nav></div><script src="${root}book.js"></script></body></html>`;
  const { out, problems, manifest, report } = await exported({
    'index.html': book('', '<h1 id="book"><a class="header" href="#book">Book</a></h1><a href="deep/chapter.html">on</a>'),
    'deep/chapter.html': book(
      '../',
      '<h1 id="t"><a class="header" href="#t">Chapter</a></h1><p>Words</p><h2 id="use"><a class="header" href="#use">Use it</a></h2>',
    ),
    'book.js': `document.body.append(Object.assign(new Image(), { src: path_to_root + 'leaf.svg', onload() { document.title = 'loaded'; } }));`,
    'leaf.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
  });
  expect(problems).toEqual([]);
  expect(manifest.pages.map(({ path, file }) => [path, file])).toEqual([
    ['', 'index.html'],
    ['deep/chapter', 'deep/chapter.html'],
  ]);
  expect(report.sections).toBe(3);
  const { opened, faults } = await openFile(out, 'deep/chapter.html');
  await opened.waitForFunction(() => document.title === 'loaded');
  expect(faults).toEqual([]);
});

test('Hugo: absolute URLs of the site, which its home page declares, link to the export', async () => {
  const hugo = (content: string, path = '') =>
    page(content, {
      head: `<link rel="canonical" href="https://example.org/manual/${path}"><link rel=stylesheet href="https://example.org/manual/main.css">`,
    });
  const { out, problems, files } = await exported({
    'index.html': hugo(
      '<a href="https://example.org/manual/guide/">full</a> <a href=/manual/guide/>absolute</a> <a href="https://example.org/blog/">blog</a>',
    ),
    'guide/index.html': hugo('<p>Words</p>', 'guide/'),
    'main.css': 'p { color: rgb(1, 2, 3) }',
  });
  expect(problems).toEqual([]);
  expect(files['index.html']).toMatch(/"guide\/index.html">full.*"guide\/index.html">absolute.*"https:\/\/example.org\/blog\/"/);
  const { opened, faults } = await openFile(out, 'guide/index.html');
  expect(await opened.locator('p').evaluate((text) => getComputedStyle(text).color)).toBe('rgb(1, 2, 3)');
  expect(faults).toEqual([]);
});

test('MkDocs: relative URLs of folders get their file name', async () => {
  const { files, problems } = await exported({
    'index.html': page('<a href="guide/install/">a</a> <a href=".">home</a>'),
    'guide/install/index.html': page('<a href="../..">home</a> <a href="../use/">b</a> <a href="./#x">self</a><h2 id="x">X</h2>'),
    'guide/use/index.html': page('Use'),
  });
  expect(problems).toEqual([]);
  expect(files['index.html']).toMatch(/"guide\/install\/index.html">.*"index.html">/);
  expect(files['guide/install/index.html']).toMatch(/"..\/..\/index.html">.*"..\/use\/index.html">.*"index.html#x">/);
});

test('MkDocs: its single-key shortcuts do nothing while a reader types in search', async () => {
  const script = `<script>
    document.addEventListener('keydown', ({ key, target }) => {
      if (!target.matches('input') && 'np?s'.includes(key)) document.title += key;
    });
  </script>`;
  const { out } = await exported({ 'index.html': page('<h1>Pins</h1>', { around: script }) }, { search: 'button' });
  const { opened } = await openFile(out, 'index.html');
  await opened.keyboard.press('Control+k');
  await opened.getByRole('combobox').pressSequentially('pins?');
  await opened.keyboard.press('Escape');
  await opened.getByRole('dialog').waitFor({ state: 'hidden' });
  await opened.waitForFunction(() => document.activeElement === document.body);
  await opened.keyboard.press('s');
  expect(await opened.title()).toBe('Pages');
});

test('a site’s own 404 page has its styles and its home link at any depth, below any path, and from file://', async () => {
  const { out } = await exported(
    {
      'index.html': page('Home'),
      '404.html': page('<h1>Lost</h1><a href="/docs/">home</a>', {
        head: `<meta http-equiv="content-security-policy" content="script-src 'self' 'sha256-${createHash('sha256').update('own()').digest('base64')}'"><link rel="stylesheet" href="/docs/a.css">`,
      }),
      'a.css': 'h1 { color: rgb(1, 2, 3) }',
    },
    {},
    { base: '/docs/' },
  );
  const server = createServer(async (request, response) => {
    const path = /^\/help\/v1\/(.*)$/.exec(request.url!)?.[1] ?? 'none';
    const known = await readFile(join(out, path || 'index.html')).catch(() => undefined);
    const type = path.endsWith('.css') ? 'text/css' : path.endsWith('.js') ? 'text/javascript' : 'text/html';
    response.writeHead(known ? 200 : 404, { 'content-type': known ? type : 'text/html' });
    response.end(known ?? (await readFile(join(out, '404.html'))));
  });
  onTestFinished(() => void server.close());
  const host = `http://127.0.0.1:${await listen(server)}/help/v1/`;
  const color = (opened: Awaited<ReturnType<typeof open>>['opened']) =>
    opened.locator('h1').evaluate((text) => getComputedStyle(text).color);
  for (const url of [`${host}404.html`, `${host}gone`, `${host}a/b/c/gone.html`]) {
    const { opened } = await open(url, false);
    expect([url, await color(opened)]).toEqual([url, 'rgb(1, 2, 3)']);
    await opened.getByText('home').click();
    await opened.waitForURL(`${host}index.html`);
  }
  const { opened, faults } = await openFile(out, '404.html');
  expect(await color(opened)).toBe('rgb(1, 2, 3)');
  expect(faults).toEqual([]);
});
