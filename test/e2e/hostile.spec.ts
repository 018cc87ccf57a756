import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Page } from '@playwright/test';
import { DRAW_DIAGRAMS, type DiagramRequest } from '../../integration/reader/shared/events.ts';
import { withRootFinder } from '../../integration/page/not-found-page.ts';
import { diagrams } from '../support/hostile-site.ts';
import { openSearch, searchField, status } from './search-dialog.ts';
import { expect, exported, test as base, watch } from './exported.ts';

// Without the server's policy: hostile content must be harmless even where no policy blocks it.
const test = base.extend({ watched: async ({}, use) => use({ faults: [], foreign: [] }) });
test.use({ bypassCSP: true });
const site = () => exported('hostile');

/** Triggers everything that a reader can do on a page without leaving it. */
async function poke(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.addEventListener(
      'click',
      (event) => !(event.target as Element).closest('[href^="javascript:" i]') && event.preventDefault(),
    );
    document.addEventListener('submit', (event) => event.preventDefault());
    const kinds =
      'click mouseover mouseenter pointerover focus blur toggle animationstart scroll wheel error load begin cut copy input submit'.split(
        ' ',
      );
    // Each of these buttons is ours and opens the same panel, which takes long on a page with hundreds of code blocks; clicks on their parts do, too.
    const [, ...alike] = document.querySelectorAll('.c-ask');
    const isPart = (element: Element) => element.matches(':is(.c-ask, .c-ask-button, .c-search-button) *');
    for (const element of document.querySelectorAll('*'))
      for (const kind of alike.includes(element) ? [] : isPart(element) ? kinds.slice(1) : kinds)
        element.dispatchEvent(
          kind === 'click' ? new MouseEvent(kind, { bubbles: true, cancelable: true }) : new Event(kind, { cancelable: true }),
        );
  });
}

/** Lists what could run in a page, as the browser parsed it. */
function dangers(page: Page): Promise<string[]> {
  return page.evaluate(
    (own) => {
      const page = location.href.replace(/[?#].*/, '');
      // The Markdown of this page, for the button that copies it.
      const copied = [/\/index\.html$/, /\.html$/].map((end) => `${page.replace(end, '')}.md.js`);
      const found: string[] = [];
      for (const element of document.querySelectorAll('*')) {
        for (const { name, value } of element.attributes) {
          const bare = value.replace(/[\u0000-\u0020]/g, '');
          if (/^on|^(?:formaction|srcdoc|ping|background|action)$/i.test(name)) found.push(`${element.tagName} ${name}`);
          if (
            /^(?:href|src|xlink:href|poster|data|to|values|cite)$/i.test(name) &&
            /^(?:\d+;url=)?(?:javascript|vbscript|data:text|blob|view-source):?/i.test(bare)
          )
            found.push(`${element.tagName} ${name}=${value}`);
        }
        // Those of the 404 page.
        if (element instanceof HTMLBaseElement && /^(?:404\.html|\/)$/.test(element.getAttribute('href')!)) continue;
        if (/^(?:object|embed|applet|base|form|animate|set|foreignobject|portal|marquee)$/i.test(element.tagName))
          found.push(element.tagName);
        // Formulas are MathML, too.
        if (element.tagName === 'math' && !element.closest('.katex-mathml')) found.push('math');
        if (
          element instanceof HTMLScriptElement &&
          element.text !== own &&
          !copied.includes(element.src) &&
          !/_carrel\/|carrel\.(?:config|version)\.js$/.test(element.src)
        )
          found.push(element.outerHTML);
      }
      return found;
    },
    withRootFinder('').replace(/<\/?script>/g, ''),
  );
}

/** Tries the operation of a page with words in every field of the playground. */
async function tryOperation(page: Page): Promise<void> {
  await page.locator('button.c-try').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  for (const input of await dialog.getByRole('textbox').all()) await input.fill('x');
  await dialog.getByRole('button', { name: 'Show an example' }).click();
  await expect(dialog.getByRole('status')).not.toBeEmpty();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
}

/** Each part opens every fourth page, which keeps the time of a test apart from the number of pages. */
const parts = 4;
/** Over HTTP, the same pages have other origins for what they name, which these show. */
const overHttp = /^(?:index|(?:addresses|svg|handlers|bodies|components|api-reference\/data-[^/]+(?:\/8-[^/]+)?)\/index)\.html$/;
const ways = Array.from({ length: parts }, (_, part) => ({
  way: `over file (${part + 1} of ${parts})`,
  isOwn: (_name: string, index: number) => index % parts === part,
})).concat({ way: 'over http', isOwn: (name: string) => overHttp.test(name) });

for (const { way, isOwn } of ways) {
  test(`hostile docs run nothing, whatever a reader does, in the playground too, ${way}`, async ({ page, serve }) => {
    const { manifest, folder, zip, file } = site();
    const root = way === 'over http' ? await serve(zip) : undefined;
    const seen = watch(page);
    const opened: string[] = [];
    page.on('popup', (popup) => opened.push(popup.url()));
    page.on('download', (download) => opened.push(download.url()));
    await page.route(/^https?:\/\/(?!127\.0\.0\.1)/, (route) => route.abort());
    const names = Object.keys(manifest.files).filter((name) => name.endsWith('.html') && name !== 'evil.html');
    expect(manifest.pages.filter(({ path }) => path.startsWith('api-reference/')).length).toBeGreaterThan(20);
    const own = names.filter(isOwn);
    expect(own.length).toBeGreaterThan(7);
    const isOperation = (name: string) => readFileSync(join(folder, name), 'utf8').includes('data-carrel-operation="');
    expect(names.filter(isOperation).length).toBeGreaterThan(8);
    // Ask that is open opens on the next page too, over the playground.
    await page.addInitScript(() => window === top && sessionStorage.clear());
    for (const name of own) {
      await page.goto(root ? new URL(name, root).href : file(name), { waitUntil: 'load' });
      expect(await dangers(page), name).toEqual([]);
      if (isOperation(name)) await tryOperation(page);
      await poke(page);
      expect(await page.evaluate(() => (globalThis as { hostile?: unknown }).hostile), name).toBeUndefined();
      expect(await page.title(), name).not.toBe('hostile');
    }
    expect(seen.faults.filter((fault) => fault.includes('dialog'))).toEqual([]);
    expect(seen.foreign).toEqual([]);
    expect(opened).toEqual([]);
  });
}

test('hostile diagrams run nothing, link nowhere and load nothing, and a faulty one stays code', async ({ page }) => {
  const seen = watch(page);
  await page.addInitScript((name) => {
    document.addEventListener(name, ({ detail }: CustomEventInit<DiagramRequest>) => Object.assign(globalThis, detail), {
      once: true,
    });
  }, DRAW_DIAGRAMS);
  await page.goto(site().file('diagrams/index.html'));
  const drawings = page.locator('.c-diagram-drawing svg');
  const pending = page.locator('.c-diagram-source:not(.c-diagram-drawn):not(:has(.c-diagram-fault))');
  const harmless = async () => {
    await poke(page);
    expect(await dangers(page)).toEqual([]);
    expect(await page.locator('.c-diagram-drawing :is(a[href], [*|href], image)').count()).toBe(0);
    expect(await page.evaluate(() => (globalThis as { hostile?: unknown }).hostile)).toBeUndefined();
    expect(seen.foreign).toEqual([]);
  };
  expect(await page.locator('.c-diagram').count()).toBe(diagrams.length);
  const drawn = await drawings.count();
  expect(drawn).toBeGreaterThan(7);
  await harmless();
  const faulty = page.locator('.c-diagram').filter({ hasText: 'not closed' });
  await expect(faulty.locator('.c-diagram-fault')).toContainText('Parse error on line');
  await expect(faulty.locator('code')).toBeVisible();

  // The script for the diagrams that the export cannot draw.
  await page.locator('.c-diagram-source').scrollIntoViewIfNeeded();
  await expect(pending).toHaveCount(0);
  await page.evaluate(
    ({ name, sources }) => {
      const figures = sources.map((source) => {
        const figure = document.createElement('figure');
        figure.className = 'c-diagram c-diagram-source';
        const code = document.createElement('code');
        code.textContent = source;
        figure.append(code);
        return figure;
      });
      document.querySelector('.prose')!.append(...figures);
      const { openMermaid } = globalThis as unknown as Pick<DiagramRequest, 'openMermaid'>;
      document.dispatchEvent(new CustomEvent(name, { detail: { figures, openMermaid } }));
    },
    { name: DRAW_DIAGRAMS, sources: diagrams },
  );
  await expect(pending).toHaveCount(0);
  expect(await drawings.count()).toBeGreaterThan(drawn + 9);
  await harmless();
});

test('hostile search terms run nothing', async ({ page }) => {
  await page.goto(site().file('index.html'));
  for (const words of ['hostile', 'onerror', '<img src=x onerror=window.hostile=1>', 'constructor', '__proto__']) {
    await openSearch(page);
    await searchField(page).fill(words);
    await expect(status(page)).not.toBeEmpty();
    expect(await dangers(page), words).toEqual([]);
    expect(await page.evaluate(() => (globalThis as { hostile?: unknown }).hostile), words).toBeUndefined();
    await page.keyboard.press('Escape');
  }
});

test.describe('an image opened as a page', () => {
  test.use({ bypassCSP: false });

  test("runs nothing under the server's policy", async ({ page, serve }) => {
    const seen = watch(page);
    await page.goto(new URL('evil.svg', await serve(site().zip)).href);
    expect(await page.evaluate(() => (globalThis as { hostile?: unknown }).hostile)).toBeUndefined();
    expect(seen.foreign).toEqual([]);
  });
});
