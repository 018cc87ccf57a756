import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { create } from 'fontkitten';
import subsetFont from 'subset-font';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ensureTheme } from '../../../src/setup/ensure-theme.ts';
import { buildTheme } from '../../../src/theme/build.ts';
import { loadTheme, type Theme } from '../../../src/theme/load.ts';
import { samplePage } from './sample-page.ts';

let folder: string;
let theme: Theme;
const render = (change: Parameters<typeof samplePage>[1] = {}) => theme.render(samplePage(theme.reader, change));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'carrel-theme-test-'));
  // Names that Astro's modules ask for; no theme contains a variable of the environment.
  for (const [name, value] of Object.entries({ DEV: '1', PROD: '', MODE: 'test', SSR: '', NODE_ENV: 'development' }))
    vi.stubEnv(name, value);
  vi.stubEnv('code', 'a-variable-of-the-environment');
  const before = process.cwd();
  process.chdir(folder);
  await buildTheme(join(folder, 'theme')).finally(() => process.chdir(before));
  theme = await loadTheme(join(folder, 'theme'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function filesOf(dir: string): Promise<Map<string, Buffer>> {
  const names = (await readdir(dir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const files = names.map((entry) => join(entry.parentPath, entry.name));
  return new Map(await Promise.all(files.sort().map(async (file) => [file.slice(dir.length), await readFile(file)] as const)));
}

test('attributes of a page have a prefix, so that selectors of authors do not match them', async () => {
  const html = await render({ config: { feedback: false } });
  // `data-theme` is for authors' stylesheets.
  expect([...new Set(html.match(/\sdata-(?!carrel-|theme=|prompt=)[\w-]+/g))]).toEqual([]);
});

describe('the compiled theme', () => {
  test('is the same in every folder, process and environment', async () => {
    // Built before the tests.
    const other = await ensureTheme();
    expect(await filesOf(other)).toEqual(await filesOf(join(folder, 'theme')));
    expect((await loadTheme(other)).digest).toBe(theme.digest);
    // A hash in a name of Astro's depends on the folder of the sources, where chunks import each other.
    const chunks = await readdir(join(folder, 'theme/server/chunks'));
    expect(chunks).toContain('server.mjs');
    expect(chunks.filter((name) => /_[\w-]{8}\.mjs$/.test(name))).toEqual([]);
  });

  test('points the anchors of the title’s heading to the title', async () => {
    const html = await render({ page: { anchors: ['great-tool', 'fees-&-billing'] } });
    expect(html).toMatch(
      /<header class="c-page-heading">\s*<span id="great-tool"><\/span>\s*<span id="fees-&(?:amp;)?-billing"><\/span>/,
    );
  });

  test('contains no path of the machine that compiled it', async () => {
    const root = new URL('../../../', import.meta.url).pathname.replace(/\/$/, '');
    const files = await filesOf(join(folder, 'theme'));
    expect(files.size).toBeGreaterThan(5);
    for (const [name, content] of files) {
      expect(content.includes(root), name).toBe(false);
      expect(content.includes(folder), name).toBe(false);
    }
  });

  test('renders where no package is installed', async () => {
    const script = join(folder, 'render.mjs');
    await writeFile(join(folder, 'page.json'), JSON.stringify(samplePage(theme.reader)));
    await writeFile(
      script,
      `import { readFileSync } from 'node:fs';
       import { app } from './theme/server/entry.mjs';
       const page = JSON.parse(readFileSync(new URL('page.json', import.meta.url), 'utf8'));
       process.stdout.write(await (await app.render(new Request('http://x/'), { locals: { page } })).text());`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, [script], { cwd: folder });
    expect(stdout).toBe(await render());
  });

  test('contains only small classic scripts', async () => {
    const size = async (name: string) => {
      const asset = theme.assets.find(({ path }) => path.startsWith(`${name}.`) && path.endsWith('.js'))!;
      const code = Buffer.from(asset.contents).toString();
      expect(code).not.toMatch(/^\s*(import|export)\b|\bimport\(|import\.meta/m);
      return gzipSync(code).length;
    };
    expect(await size('early')).toBeLessThan(1024);
    expect(await size('reader')).toBeLessThan(10 * 1024);
    expect(await size('tabs')).toBeLessThan(3 * 1024);
    expect((await size('core')) + (await size('search'))).toBeLessThan(22 * 1024);
    expect(await size('ask')).toBeLessThan(28 * 1024);
    expect(await size('record')).toBeLessThan(5 * 1024);
  });

  test('contains one stylesheet with only relative URLs of its fonts', async () => {
    const css = Buffer.from(theme.assets.find(({ path }) => theme.reader.style.endsWith(path))!.contents).toString();
    const addresses = [...css.matchAll(/url\("?([^")]+)/g)]
      .map(([, address]) => address!)
      .filter((address) => !address.startsWith('data:'));
    expect(addresses.length).toBeGreaterThan(4);
    for (const address of addresses) expect(theme.assets.map(({ path }) => `./${path}`)).toContain(address);
    expect(gzipSync(css).length).toBeLessThan(15 * 1024);
  });

  test('links the stylesheets of fields and parts on pages that have them, before those of the site', async () => {
    const sheets = async (html: string) =>
      [
        ...(await render({ page: { html, styles: ['/own.css'] } })).matchAll(
          /rel="stylesheet" href="\/(?:_carrel\/)?([\w-]+)\./g,
        ),
      ].map(([, name]) => name);
    expect(await sheets('<p>Words</p>')).toEqual(['reader', 'own']);
    expect(await sheets('<ol class="c-steps"></ol>')).toEqual(['reader', 'blocks', 'own']);
    expect(await sheets('<div class="c-field"></div>')).toEqual(['reader', 'fields', 'own']);
    expect(await sheets('<span class="c-badge"></span><carrel-frame></carrel-frame>')).toEqual(['reader', 'parts', 'own']);
    expect(await sheets(`<p>${'Words '.repeat(4000)}</p>`)).toEqual(['reader', 'long', 'own']);
    const names = Object.values(theme.reader.partStyles).map((url) => url.replace('/_carrel/', ''));
    expect(names).toHaveLength(4);
    for (const name of names)
      expect(theme.assets.some(({ path, contents }) => path === name && contents.length > 200)).toBe(true);
  });

  // The widths of the letters from a to z and of the space, in thousandths of the font's size.
  test.each([
    ['Arial', 400, '556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 278'],
    [
      'Roboto',
      400,
      '544 562 523 564 530 348 562 551 243 239 507 243 877 552 570 562 568 339 516 327 551 484 751 496 473 496 248',
    ],
    [
      'Arial Bold',
      650,
      '556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 333 611 556 778 556 556 500 278',
    ],
    [
      'Roboto Bold',
      650,
      '535 563 521 563 540 358 571 560 265 260 534 265 866 561 564 563 564 366 514 338 560 506 734 509 503 509 249',
    ],
  ])('shows text in %s as wide as Inter until that has loaded', async (name, wght, widths) => {
    const css = Buffer.from(theme.assets.find(({ path }) => theme.reader.style.endsWith(path))!.contents).toString();
    const fallback = css.match(/@font-face\{[^}]*\}/g)!.find((face) => face.replaceAll('"', '').includes(`local(${name})`))!;
    const text = 'how the offline copy of a site finds answers to questions';
    const file = createRequire(import.meta.url).resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');
    const inter = await subsetFont(await readFile(file), text, { targetFormat: 'woff2', variationAxes: { wght } });
    const font = create(inter) as { unitsPerEm: number; glyphForCodePoint(code: number): { advanceWidth: number } };
    const codes = Array.from(text, (letter) => letter.charCodeAt(0));
    const width = codes.reduce((sum, code) => sum + font.glyphForCodePoint(code).advanceWidth / font.unitsPerEm, 0);
    const other = codes.reduce((sum, code) => sum + Number(widths.split(' ')[code === 32 ? 26 : code - 97]) / 1000, 0);
    const adjusted = (other * Number(/size-adjust:([\d.]+)%/.exec(fallback)![1])) / 100;
    expect(Math.abs(adjusted / width - 1)).toBeLessThan(0.01);
  });

  test('contains the license of each of its fonts', () => {
    const fonts = theme.assets
      .filter(({ path }) => path.endsWith('.woff2'))
      .map(({ path }) => /^fonts\/(inter|geist-mono)-/.exec(path)?.[1]);
    expect(new Set(fonts)).toEqual(new Set(['inter', 'geist-mono']));
    for (const font of new Set(fonts)) {
      const text = theme.assets.find(({ path }) => path === `fonts/${font}-LICENSE.txt`)!.contents;
      expect(Buffer.from(text).toString()).toContain('SIL Open Font License');
    }
  });

  test('throws with the path of a page that it cannot render', async () => {
    await expect(theme.render({ ...samplePage(theme.reader), context: undefined! })).rejects.toThrow('"/guides/install"');
  });
});

describe('a page', () => {
  test('has no inline script and no style element, which its content security policy forbids', async () => {
    const html = await render();
    expect(html).not.toMatch(/<style/);
    expect(html.match(/<script\b[^>]*>[^<]/g)).toBeNull();
    expect(html).not.toMatch(/\son[a-z]+=/);
  });

  test('has no attribute, id or class that stylesheets for Mintlify select', async () => {
    const html = await render({ config: { banner: { content: 'New', dismissible: true, type: 'info' } } });
    const root = /<html[^>]*>/.exec(html)![0];
    expect(root).toContain('data-carrel-banner=');
    expect([...root.matchAll(/ (data-(?!carrel-)[a-z-]+)/g)].map(([, name]) => name)).toEqual([]);
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);
    expect(ids).toContain('carrel-sidebar');
    const selected = ['navbar', 'sidebar', 'sidebar-content', 'navigation-items', 'banner', 'header', 'footer', 'content', 'content-area', 'content-container', 'page-title', 'table-of-contents', 'topbar-cta-button', 'search-bar-entry', 'pagination']; // prettier-ignore
    expect(ids.filter((id) => selected.includes(id))).toEqual([]);
    const classes = [...html.matchAll(/ class="([^"]+)"/g)].flatMap(([, names]) => names!.split(' '));
    expect(classes).toContain('c-header');
    expect([...new Set(classes)].filter((name) => !/^(?:c-|prose$)/.test(name))).toEqual([]);
  });

  test('refers to this site by root-relative URLs', async () => {
    const html = await render();
    const addresses = [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, address]) => address!);
    expect(addresses.length).toBeGreaterThan(5);
    expect(addresses.filter((address) => !/^(\/|#|https:|data:,)/.test(address))).toEqual([]);
  });

  test('has a language, a direction, one main landmark with its title, and a skip link', async () => {
    const html = await render({ page: { language: 'ar', dir: 'rtl', title: 'تثبيت' } });
    expect(html).toMatch(/<html lang="ar" dir="rtl"/);
    expect(html.match(/<main/g)).toHaveLength(1);
    expect(html).toMatch(/<main id="carrel-content" data-carrel-content[^>]*>[\s\S]*<h1[^>]*>تثبيت<\/h1>[\s\S]*<\/main>/);
    expect(html).toContain('href="#carrel-content"');
  });

  test('says that it asks no reader whether it helped, where docs.json does not want that', async () => {
    expect(await render({ config: { feedback: false } })).toContain('data-carrel-feedback="off"');
    expect(await render()).not.toContain('data-carrel-feedback');
  });

  test('opens only the groups above its entry', async () => {
    const html = await render();
    expect(html).toMatch(/<a href="\/guides\/install" aria-current="page"/);
    expect(html).toMatch(/<details open><summary><span>Setup/);
    expect(html).toMatch(/<details><summary><span>Folded/);
  });

  test('escapes what authors wrote outside the content', async () => {
    const html = await render({ page: { title: '<img src=x onerror=alert(1)>', description: '"><script>alert(1)</script>' } });
    const outsideAttributes = html.replaceAll(/="[^"]*"/g, '');
    expect(outsideAttributes).not.toContain('<img');
    expect(outsideAttributes).not.toContain('<script>alert');
  });

  test.each([
    ['default', { sidebar: true, heading: true, aside: true }],
    ['wide', { sidebar: true, heading: true, aside: false }],
    ['frame', { sidebar: true, heading: false, aside: false }],
    ['custom', { sidebar: false, heading: false, aside: false }],
    ['center', { sidebar: false, heading: true, aside: false }],
  ])('in mode %s shows %o', async (mode, expected) => {
    const html = await render({ page: { mode } });
    expect({
      sidebar: !html.includes('sidebar-drawer-only'),
      heading: html.includes('<h1'),
      aside: html.includes('carrel-on-this-page'),
    }).toEqual(expected);
  });

  test('calls social networks by their names', async () => {
    const socials = { github: '/g', x: '/x', 'hacker-news': '/h', podcast: '/p' };
    const html = await render({ config: { footer: { socials, links: [] } } });
    const named = [...html.matchAll(/href="\/[gxhp]" aria-label="([^"]*)"/g)].map((match) => match[1]);
    expect(named).toEqual(['GitHub', 'X', 'Hacker News', 'Podcast']);
  });

  test('has readable text on a banner of any color', async () => {
    const banner = { content: 'x', dismissible: false, type: 'info', color: { light: '#ffe08a', dark: '#102030' } };
    const html = await render({ config: { banner } });
    expect(html).toContain('style="background:light-dark(#ffe08a,#102030);color:light-dark(#0b0d11,#ffffff)"');
  });

  test('lists the entries of a group as cards or as accordions, and related pages', async () => {
    const entries = [
      { title: 'One', href: '/one', description: 'The <first>', icon: 'a' },
      {
        title: 'More',
        href: '/two',
        entries: [
          { title: 'Two', href: '/two' },
          { title: 'Three', href: '/three' },
        ],
      },
    ];
    const page = (kind: string) => render({ page: { directory: { kind, entries }, related: [{ title: 'Far', href: '/far' }] } });
    const links = (html: string) =>
      [...html.matchAll(/class="(?:c-card-target|c-directory-link)" href="([^"]*)"/g)].map((match) => match[1]);
    const cards = await page('card');
    expect(links(cards)).toEqual(['/one', '/two']);
    expect(cards).toContain('<p>The &lt;first&gt;</p>');
    expect(links(await page('accordion'))).toEqual(['/one', '/two', '/three']);
    expect(cards).toMatch(/<p id="carrel-related">Related pages<\/p>.*<a href="\/far">Far<\/a>/s);
  });

  test('has no theme switch where the site allows one appearance only', async () => {
    const html = await render({ config: { appearance: { default: 'dark', strict: true } } });
    expect(html).not.toContain('carrel-theme');
    expect(html).toContain('data-theme="dark"');
    expect(html).toContain('data-carrel-appearance="dark strict"');
  });

  test('has a canonical URL: its own, else the published URL', async () => {
    expect(await render()).not.toContain('canonical');
    expect(await render({ site: { url: 'https://docs.acme.example/v2' } })).toContain(
      '<link rel="canonical" href="https://docs.acme.example/v2/guides/install">',
    );
    expect(await render({ page: { canonical: 'https://a.example/b' } })).toContain(
      '<link rel="canonical" href="https://a.example/b">',
    );
  });
});

test('the 404 page has the header of all pages, and redirects only where its script knows the root of the site', async () => {
  const page = { path: '404', mode: 'not-found', title: 'Page not found' };
  const html = await render({ page });
  expect(html).toContain('<header class="c-header">');
  expect(html).toContain('class="c-sidebar c-sidebar-drawer-only"');
  expect(html).not.toContain('data-carrel-page=');
  expect(html).not.toContain('data-carrel-redirect');
  const leaving = await render({ page, config: { notFound: { redirect: true } }, site: { home: '/en/start' } });
  expect(leaving).toContain('data-carrel-redirect="en/start"');
});
