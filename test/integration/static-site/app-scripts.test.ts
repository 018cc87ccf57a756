// Small imitations of the applications of VitePress and Docusaurus: like them, they show the page that `location` names, or "not found".
import { pathToFileURL } from 'node:url';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { securityHeaders } from '../../../server/hosting/security-headers.ts';
import { chromiumArguments, findChromium } from '../../support/chromium.ts';
import { serveFolder } from '../../support/serve-folder.ts';
import { exported } from './export-files.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
});
afterAll(() => browser.close());

const places = ['from file://', 'below another path, with the policy of carrel serve'] as const;

/** Opens a page of an export; `faults` are errors on its console and failed requests. */
async function open(out: string, place: (typeof places)[number], file: string, javaScriptEnabled = true) {
  const context = await browser.newContext({ offline: place === 'from file://', javaScriptEnabled });
  onTestFinished(() => context.close());
  let home = `${pathToFileURL(out).href}/`;
  if (place !== 'from file://') {
    const served = await serveFolder(out, '/some/path/');
    onTestFinished(() => served.close());
    home = served.address;
    const headers = securityHeaders({ deployment: 'client-hosted', guest: { allow: [] } });
    await context.route('**/*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), ...headers } });
    });
  }
  const opened = await context.newPage();
  const faults: string[] = [];
  opened.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  opened.on('pageerror', (error) => faults.push(error.message));
  opened.on('requestfailed', (request) => faults.push(`${request.url()} failed`));
  await opened.goto(home + file);
  return { opened, faults, home };
}

// What both applications do with a page: they show its path, count on a click, and build a menu whose links no page contains.
const shown = `
  document.querySelector('#path').textContent = at;
  document.querySelector('#count').onclick = ({ target }) => { target.textContent = 'Count ' + ++count };
  document.querySelector('#menu').onclick = async () => document.querySelector('#app').append((await loadMenu()).menu());
  document.querySelector('#tab').onclick = () => { document.querySelector('.second').hidden = false; history.replaceState({}, '', '?tab=2#tabs') };
  document.querySelector('#leave').onclick = () => history.pushState({}, '', '/docs/guide/v1.2');`;
const menu = `const nav = document.createElement('nav');
  nav.innerHTML = '<a href="/docs/guide/">Guide</a> <a href="/docs/">Home</a> <a href="https://example.com/">Elsewhere</a>';
  const image = document.createElement('img'), other = new Image();
  image.setAttribute('src', '/docs/logo.svg');
  other.src = '/docs/logo.svg';
  nav.append(image, other);
  return nav;`;
const body = (words: string) => `<div id="app"><button id="menu">Menu</button><button id="count">Count 0</button>
  <button id="tab">Second</button><button id="leave">Leave</button><p id="path"></p>
  <main class="theme-doc-markdown vp-doc"><h1 id="deep">${words}</h1><a href="/docs/guide/install#deep">Install</a>
  <div class="vp-code-group"><div class="blocks"><div role="tabpanel" class="second" hidden>Second tab</div></div></div></main></div>`;
const logo = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>';

const vitepressPage = (words: string, lean: string | undefined) => `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
  <title>${words} | Ferry</title><meta name="generator" content="VitePress v1.6.4"><script type="module" src="/docs/assets/app.A1_b-2.js"></script>
  <link rel="modulepreload" href="/docs/assets/chunks/framework.F1.js">${lean ? `<link rel="modulepreload" href="/docs/assets/${lean}">` : ''}
  <link rel="icon" href="data:,"></head>
  <body>${body(words)}<script>window.__VP_HASH_MAP__={"index.md":"H1","guide_index.md":"H2","guide_install.md":"H3","guide_v1.2.md":"H4"}</script></body></html>`;
const vitepress = {
  'index.html': vitepressPage('Ferry', 'index.md.H1.lean.js'),
  'guide/index.html': vitepressPage('Guide', 'guide_index.md.H2.lean.js'),
  'guide/install.html': vitepressPage('Install', 'guide_install.md.H3.lean.js'),
  'guide/v1.2.html': vitepressPage('Version 1.2', 'guide_v1.2.md.H4.lean.js'),
  'guide/old.html': vitepressPage('Old', undefined),
  '404.html': vitepressPage('404', undefined),
  'logo.svg': logo,
  'assets/app.A1_b-2.js': `import { renders, show } from './chunks/framework.F1.js';
    const base = '/docs/';
    const fileOf = (path) => {
      const name = path.slice(base.length).replace(/\\.html$/, '').replaceAll('/', '_').replace(/_?$/, (end) => (end ? '_index' : '')) || 'index';
      const hash = __VP_HASH_MAP__[name + '.md'];
      return hash && base + 'assets/' + name + '.md.' + hash + '.js';
    };
    async function go(href) {
      const { pathname } = new URL(href, 'http://a.com');
      const file = fileOf(pathname);
      const page = file ? await import(file.replace(/\\.js$/, '.lean.js')) : { default: 'PAGE NOT FOUND' };
      history.replaceState({}, '', href);
      show(page.default, pathname, () => import('./chunks/menu.M1.js'));
      document.title = page.default + ' ' + renders;
    }
    addEventListener('click', ({ target }) => {
      const link = target.closest('a');
      if (link && new URL(link.href).origin === new URL(location.href).origin) show('ROUTED', link.pathname, () => {});
    }, true);
    go(window.location.href);`,
  // A live binding, and modules that import each other.
  'assets/chunks/framework.F1.js': `import { prefix } from './menu.M1.js';
    export let renders = 0;
    let count = 0;
    export function show(words, path, loadMenu) { const at = prefix() + words + ' ' + path; ${shown}; renders = 1 }`,
  'assets/chunks/menu.M1.js': `import { renders } from './framework.F1.js';
    export function prefix() { return renders + ': ' } export const menu = () => { ${menu} };`,
  ...Object.fromEntries(
    ['index.md.H1', 'guide_index.md.H2', 'guide_install.md.H3', 'guide_v1.2.md.H4'].flatMap((name) => [
      [`assets/${name}.lean.js`, `export default 'page';`],
      [`assets/${name}.js`, `export default 'whole page';`],
    ]),
  ),
};

const docusaurusPage = (
  words: string,
  url: string,
) => `<!doctype html><html lang=en><head><meta charset=UTF-8><meta name=generator content="Docusaurus v3.10.2">
  <title>${words}</title><link rel=canonical href=https://ferry.example.com${url}><link rel=icon href=data:,>
  <script src=/docs/assets/js/runtime~main.1a2b.js defer></script><script src=/docs/assets/js/main.3c4d.js defer></script></head><body>${body(words)}</body></html>`;
const docusaurus = {
  'index.html': docusaurusPage('Ferry', '/docs/'),
  'guide/index.html': docusaurusPage('Guide', '/docs/guide/'),
  'guide/install/index.html': docusaurusPage('Install', '/docs/guide/install/'),
  'guide/v1.2/index.html': docusaurusPage('Version 1.2', '/docs/guide/v1.2/'),
  '404.html': docusaurusPage('404', '/docs/404'),
  'logo.svg': logo,
  'assets/js/runtime~main.1a2b.js': `(()=>{var m={},n=i=>{var e={exports:{}};m[i](e.exports,e,n);return e.exports};n.m=m;
    n.e=i=>new Promise((y,x)=>{var s=document.createElement("script");s.src=n.p+"assets/js/"+i+".5e6f.js";s.onload=y;s.onerror=x;document.head.append(s)});
    n.p="/docs/";(self.webpackChunkferry=self.webpackChunkferry||[]).push=([i,f,r])=>{Object.assign(m,f);r&&r(n)}})();`,
  'assets/js/main.3c4d.js': `(self.webpackChunkferry=self.webpackChunkferry||[]).push([["main"],{1(e,t,n){
    let count = 0, { pathname } = window.location, globalHistory = window.history;
    const loadMenu = () => n.e("menu").then(() => n(2));
    const isPage = /^\\/docs\\/(?:guide\\/(?:(?:install|v1\\.2)\\/)?)?$/.test(pathname), at = '0: ' + (isPage ? 'page ' : 'PAGE NOT FOUND ') + pathname;
    ${shown}
    document.addEventListener("click", (event) => {
      const link = event.target.closest("a");
      if (!link) return;
      event.preventDefault();
      document.querySelector("#path").textContent = "ROUTED";
      globalHistory.pushState({}, "", link.href);
    });
  }},n=>n(1)]);`,
  'assets/js/menu.5e6f.js': `(self.webpackChunkferry=self.webpackChunkferry||[]).push([["menu"],{2(e){e.menu=()=>{${menu}}}}]);`,
};

describe.each([
  [
    'VitePress',
    vitepress,
    { install: 'guide/install.html', url: '/docs/guide/install.html', dotted: 'guide/v1.2.html', title: 'page 1' },
  ],
  [
    'Docusaurus',
    docusaurus,
    { install: 'guide/install/index.html', url: '/docs/guide/install/', dotted: 'guide/v1.2/index.html', title: 'Install' },
  ],
])('%s', (_, files, { install, url, dotted, title }) => {
  const exportedSite = () => exported(files, { search: 'button' });

  test('its controls work, its links and those of its menus open files, and search opens after its menu', async () => {
    const { out, problems } = await exportedSite();
    expect(problems).toEqual([]);
    for (const place of places) {
      await expectControls(out, place);
      await expectHistory(out, place);
    }
    await expectSearch(out);
    await expectContentWithoutScripts(out);
  });

  async function expectControls(out: string, place: (typeof places)[number]): Promise<void> {
    const { opened, faults, home } = await open(out, place, install);
    const path = opened.locator('#path');
    await path.getByText(`0: page ${url}`).waitFor();
    expect(await opened.title()).toBe(title);
    await opened.locator('#count').focus();
    await opened.keyboard.press('Enter');
    await opened.getByText('Count 1').waitFor();
    await opened.locator('#menu').click();
    const guide = opened.locator('nav a').first();
    await guide.waitFor();
    const hrefs = await opened.locator('nav a').evaluateAll((links) => (links as HTMLAnchorElement[]).map(({ href }) => href));
    expect(hrefs).toEqual([`${home}guide/index.html`, `${home}index.html`, 'https://example.com/']);
    const sources = await opened
      .locator('nav img')
      .evaluateAll((images) => Promise.all((images as HTMLImageElement[]).map((image) => image.decode().then(() => image.src))));
    expect(sources).toEqual([`${home}logo.svg`, `${home}logo.svg`]);
    await guide.click();
    await opened.waitForURL(`${home}guide/index.html`);
    await path.getByText('0: page /docs/guide/').waitFor();
    await opened.locator('main a').click();
    await opened.waitForURL(`${home}${install}#deep`);
    await path.getByText(`0: page ${url}`).waitFor();
    await opened.goBack();
    await path.getByText('0: page /docs/guide/').waitFor();
    expect(faults, place).toEqual([]);
  }

  /** What it does to its history stays on the page, or opens another. */
  async function expectHistory(out: string, place: (typeof places)[number]): Promise<void> {
    const { opened, faults, home } = await open(out, place, install);
    await opened.locator('#path').getByText('page').waitFor();
    await opened.locator('#tab').click();
    await opened.getByText('Second tab').waitFor();
    expect(opened.url()).toBe(`${home}${install}${place === 'from file://' ? '' : '?tab=2'}#tabs`);
    await opened.locator('#leave').click();
    await opened.waitForURL(home + dotted);
    await opened.getByRole('heading', { name: 'Version 1.2' }).waitFor();
    expect(faults, place).toEqual([]);
  }

  async function expectSearch(out: string): Promise<void> {
    const { opened, faults } = await open(out, 'from file://', install);
    await opened.locator('#menu').click();
    await opened.locator('nav a').first().waitFor();
    await opened.keyboard.press('ControlOrMeta+k');
    await opened.getByRole('dialog').waitFor();
    expect(faults).toEqual([]);
  }

  async function expectContentWithoutScripts(out: string): Promise<void> {
    const { opened } = await open(out, 'from file://', install, false);
    expect(await opened.getByText('Second tab').isVisible()).toBe(true);
    expect(await opened.locator('.second').evaluate((element) => getComputedStyle(element).display)).toBe('block');
  }

  test('the same site gives the same bytes, and its 404 page, which hosts show at any depth, has no application', async () => {
    const [{ files: first }, { files: again }] = [await exportedSite(), await exportedSite()];
    const page = first['404.html'] ?? '';
    expect(page).toContain('404</h1>');
    expect(page).not.toMatch(/site-app\.js|assets\/(?:js\/main|app)\./);
    expect(first[install]).toContain('site-app.js');
    const scripts = Object.keys(again).filter((file) => file.endsWith('.js'));
    expect(scripts.length).toBeGreaterThan(5);
    for (const file of scripts) expect(again[file], file).toBe(first[file]);
  });
});

test('VitePress: a page that its scripts cannot show keeps its HTML without them, and modules of whole pages are excluded', async () => {
  const { files } = await exported(vitepress);
  expect(files['guide/old.html']).not.toMatch(/site-app\.js|assets\/app\./);
  expect(files['guide/install.html']).toContain('data-start="/docs/assets/app.A1_b-2.js"');
  expect(Object.keys(files).filter((file) => file.includes('.md.'))).toEqual([
    'assets/guide_index.md.H2.lean.js',
    'assets/guide_install.md.H3.lean.js',
    'assets/guide_v1.2.md.H4.lean.js',
    'assets/index.md.H1.lean.js',
  ]);
});

test('Docusaurus: scripts whose public path is not known are removed, which is reported', async () => {
  const { files, problems } = await exported({
    ...docusaurus,
    'assets/js/runtime~main.1a2b.js': docusaurus['assets/js/runtime~main.1a2b.js'].replace('n.p="/docs/"', 'n.p=where()'),
  });
  expect(problems).toEqual(['application-left-out']);
  expect(files['guide/install/index.html']).not.toMatch(/site-app\.js|assets\/js\/main/);
});

test.each([
  [
    'a module that cannot be parsed',
    { 'assets/chunks/menu.M1.js': 'export const = 1' },
    'script-not-bundled assets/chunks/menu.M1.js',
  ],
  ['a module that is missing', { 'assets/app.A1_b-2.js': 'import "./gone.js"' }, 'script-import-missing assets/app.A1_b-2.js'],
])('VitePress: of %s the pages stay as they are, and it is reported', async (_, changed, problem) => {
  const { out, problems } = await exported({ ...vitepress, ...changed });
  expect(problems).toContain(problem);
  const { opened } = await open(out, 'from file://', 'guide/install.html');
  await opened.getByRole('heading', { name: 'Install' }).waitFor();
});
