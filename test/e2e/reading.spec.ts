import type { Page } from '@playwright/test';
import { axeFindings, sameOnAllPages } from './axe.ts';
import { expect, exported, test, watch } from './exported.ts';
import { airGapped } from './policy.ts';
import { openSearch, search } from './search-dialog.ts';

const otherPages: [site: string, file: string][] = [
  ['versions-languages', 'en/v2/lamp/index.html'],
  ['arabic', 'guides/install/index.html'],
  ['cjk', 'ja/brewing/index.html'],
  ['elsewhere', 'index.html'],
  ['elsewhere', 'cards/index.html'],
  ['manual', 'index.html'],
  ['manual', 'components/index.html'],
];

async function seriousFaults(page: Page, exclude?: string): Promise<string[]> {
  return (await axeFindings(page, { exclude }))
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${page.url()} ${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
}

for (const part of ['components', 'concepts', 'guides', 'reference', '']) {
  test(`each page of docs-json-site in ${part || 'the root'} runs under its policy, and axe finds nothing serious`, async ({
    page,
    serve,
  }) => {
    const { manifest, zip } = exported('air-gapped');
    const home = await serve(zip);
    const faults: string[] = [];
    const own = manifest.pages.filter(({ file }) => file.split('/').slice(0, -2)[0] === (part || undefined));
    expect(own.length).toBeGreaterThan(1);
    for (const [index, { path }] of own.entries()) {
      const response = await page.goto(home + (path === '' ? '' : `${encodeURI(path)}/`));
      expect(response!.status(), path).toBe(200);
      expect(response!.headers()['content-security-policy'], path).toBe(airGapped);
      faults.push(...(await seriousFaults(page, index === 0 ? undefined : sameOnAllPages)));
    }
    expect(faults).toEqual([]);
  });
}

test('axe finds nothing serious on pages in other languages, of the manual, with placeholders, and in open search', async ({
  page,
}) => {
  const faults: string[] = [];
  for (const [site, file] of otherPages) {
    await page.goto(exported(site).file(file));
    faults.push(...(await seriousFaults(page)));
  }
  await openSearch(page);
  await search(page, 'docs', '');
  faults.push(...(await seriousFaults(page)));
  expect(faults).toEqual([]);
});

test('a page has the direction and language of its docs', async ({ page }) => {
  await page.goto(exported('arabic').file('guides/install/index.html'));
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page.locator('html')).toHaveAttribute('lang', 'ar');
  const sidebar = (await page.getByRole('navigation').filter({ hasText: 'البداية' }).first().boundingBox())!;
  const content = (await page.locator('main').boundingBox())!;
  expect(sidebar.x).toBeGreaterThan(content.x);
  // Code stays left to right.
  await expect(page.locator('main pre').first()).toHaveCSS('direction', 'ltr');
});

test('the menu on a phone opens, navigates and closes with Escape', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const site = exported('docs-json-site');
  await page.goto(site.file('quickstart/index.html'));
  const link = page.locator('#carrel-sidebar').getByRole('link', { name: 'Retries' });
  await expect(link).toBeHidden();
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(link).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(link).toBeHidden();
  await page.getByRole('button', { name: 'Menu' }).click();
  await link.click();
  await page.waitForURL(/concepts\/retries\/index\.html/);
});

test('arrow keys switch tabs, one of several views is visible, and print shows all of both', async ({ page }) => {
  await page.goto(exported('docs-json-site').file('components/tabs/index.html'));
  await page.getByRole('tab', { name: 'First tab' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Second tab' })).toBeFocused();
  await expect(page.getByText('The second text, with code:')).toBeVisible();
  await expect(page.getByText('The first text.')).toBeHidden();

  // Only one of several views is visible at a time.
  await expect(page.getByText('Shown for Node.')).toBeVisible();
  await expect(page.getByText('Shown for Deno.')).toBeHidden();
  await page.getByRole('button', { name: 'Deno' }).click();
  await expect(page.getByText('Shown for Deno.')).toBeVisible();
  await expect(page.getByText('Shown for Node.')).toBeHidden();

  // Print shows every tab and no navigation.
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('#carrel-sidebar')).toBeHidden();
  for (const text of ['The first text.', 'The third text.', 'On the left.', 'Shown for Deno.', 'Shown for Node.'])
    expect((await page.getByText(text).boundingBox())?.height, text).toBeGreaterThan(0);
});

test('until the script of tabs runs, the initial tab alone takes room', async ({ page, serve }) => {
  await page.route(/\/tabs\.\w+\.js$/, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  await page.goto(`${await serve(exported('docs-json-site').folder, '/docs/')}components/tabs/`);
  await expect(page.getByText('On the right.')).toBeVisible();
  await expect(page.getByText('On the left.')).toBeHidden();
  await expect(page.getByText('The first text.')).toBeVisible();
  await expect(page.getByText('The third text.')).toBeHidden();
});

test('print shows closed accordions', async ({ page }) => {
  await page.goto(exported('docs-json-site').file('components/accordions/index.html'));
  await page.emulateMedia({ media: 'print' });
  const text = page.getByText('Accordions may hold accordions.');
  expect(await text.evaluate((element) => element.checkVisibility())).toBe(true);
});

test('print shows the URL of a link to another site', async ({ page }) => {
  await page.goto(exported('manual').file('assistant/index.html'));
  const link = page.locator('.prose a[href^="https://ai-sdk.dev"]').first();
  const shown = () => link.evaluate((element) => getComputedStyle(element, '::after').content);
  const href = (await link.getAttribute('href'))!;
  expect(await shown()).not.toContain(href);
  await page.emulateMedia({ media: 'print' });
  expect(await shown()).toContain(href);
});

test('the first Tab stop skips to the content', async ({ page }) => {
  await page.goto(exported('docs-json-site').file('quickstart/index.html'));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.locator('main')).toBeFocused();
});

test('formulas are typeset with the fonts of the export, which no other page loads', async ({ page }) => {
  const site = exported('docs-json-site');
  const seen = watch(page);
  const sheets = page.locator('link[rel=stylesheet][href*="formulas/"]');
  await page.goto(site.file('components/formulas-and-diagrams/index.html'));
  await expect(sheets).toHaveCount(1);
  const fonts = () =>
    page.evaluate(
      () => [...document.fonts].filter(({ family, status }) => family.startsWith('KaTeX') && status === 'loaded').length,
    );
  await expect.poll(fonts).toBeGreaterThan(0);
  // A fraction has its denominator below its numerator.
  const [sum] = await page.locator('.c-formula-block .katex-html').all();
  expect((await sum!.boundingBox())!.height).toBeGreaterThan(40);
  await page.goto(site.file('components/tables/index.html'));
  await expect(sheets).toHaveCount(0);
  expect(seen).toEqual({ faults: [], foreign: [] });
});

test('breadcrumbs link to the first page of each group', async ({ page }) => {
  await page.goto(exported('docs-json-site').file('reference/clients/index.html'));
  const breadcrumbs = page.getByRole('navigation', { name: 'Breadcrumbs' });
  await expect(breadcrumbs.getByRole('listitem')).toHaveText(['Code']);
  await breadcrumbs.getByRole('link', { name: 'Code' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('HTTP interface');
  await expect(breadcrumbs.getByRole('listitem')).toHaveText(['Code']);
  await expect(breadcrumbs.getByRole('link')).toHaveCount(0);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('all text is readable and all links work', async ({ page }) => {
    const site = exported('docs-json-site');
    await page.goto(site.file('components/accordions/index.html'));
    await page.getByText('Where is my data?').click();
    await expect(page.getByText('quetzalcoatlus')).toBeVisible();
    await page.goto(site.file('components/tabs/index.html'));
    await expect(page.getByText('The first text.')).toBeVisible();
    await expect(page.getByText('The third text.')).toBeVisible();
    await page.locator('#carrel-sidebar').getByRole('link', { name: 'Steps' }).click();
    await expect(page.locator('h1')).toHaveText('Steps');
  });
});

test.describe('in the dark', () => {
  /** Returns the colors of the page in its first frames, starting before the first paint. */
  const recordFrames = () => {
    const frames: string[] = ((window as { painted?: string[] }).painted = []);
    const record = () => {
      if (document.body)
        frames.push(getComputedStyle(document.body).backgroundColor + getComputedStyle(document.documentElement).backgroundColor);
      if (frames.length < 20) requestAnimationFrame(record);
    };
    requestAnimationFrame(record);
  };
  const framesOf = (page: Page) =>
    page.waitForFunction(() => {
      const { painted } = window as { painted?: string[] };
      return painted && painted.length >= 20 ? painted : null;
    });

  test('the stored dark mode applies from the first frame', async ({ page }) => {
    const site = exported('docs-json-site');
    await page.goto(site.file('index.html'));
    const light = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    await page.getByRole('button', { name: 'Dark' }).first().click();
    await page.addInitScript(recordFrames);
    await page.goto(site.file('quickstart/index.html'));
    const frames = (await (await framesOf(page)).jsonValue())!;
    expect(new Set(frames).size).toBe(1);
    const dark = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    expect(dark).not.toBe(light);
  });
});

test('a link to lines of code marks them, from disk, too, and a click on a line number makes it', async ({ page }) => {
  const seen = watch(page);
  const file = exported('docs-json-site').file('reference/code-blocks/index.html');
  await page.setViewportSize({ width: 800, height: 200 });
  const block = (number: number) => page.locator('main .c-code').nth(number - 1);
  const marked = (number: number) => block(number).locator('.sk-line-highlighted');
  await page.goto(`${file}#code-6:L1`);
  await expect(marked(6)).toHaveText('rm -rf ./build');
  await expect(marked(6)).toBeInViewport();
  await page.evaluate(() => (location.hash = '#code-3:L1-L2'));
  await expect(marked(3)).toHaveCount(3);
  await expect(marked(6)).toHaveCount(0);
  for (const wrong of ['#code-99:L1', '#code-3:L1-L9', '#code-3:L2-L1', '#code-3:L0', '#code-3:Lx', '#code-3']) {
    await page.evaluate((hash) => (location.hash = hash), wrong);
    // The lines that the author has highlighted.
    await expect(marked(3)).toHaveText(['two();', 'three();']);
  }
  const number = { position: { x: 8, y: 5 } };
  await block(1).locator('.sk-line').nth(1).click(number);
  await expect(marked(1)).toHaveText('const b = 2;');
  await expect(page).toHaveURL(`${file}#code-1:L2`);
  await block(1)
    .locator('.sk-line')
    .nth(0)
    .click({ ...number, modifiers: ['Shift'] });
  await expect(marked(1)).toHaveCount(2);
  await expect(page).toHaveURL(`${file}#code-1:L1-L2`);
  await block(1).locator('.sk-line').nth(1).locator('.sk-keyword').click();
  await expect(page).toHaveURL(`${file}#code-1:L1-L2`);
  expect(seen.faults).toEqual([]);
});

test('a line above a long page shows how far the reader is, unless motion is reduced, and not on paper', async ({ page }) => {
  const line = () => page.evaluate(() => getComputedStyle(document.documentElement, '::before').width);
  await page.goto(exported('manual').file('components/index.html'));
  expect(await line()).toBe('0px');
  const width = await page.evaluate(() => `${document.body.clientWidth}px`);
  // The page grows as its end is drawn.
  await expect(async () => {
    await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }));
    expect(await line()).toBe(width);
  }).toPass();
  for (const media of [{ reducedMotion: 'reduce' as const }, { reducedMotion: null, media: 'print' as const }]) {
    await page.emulateMedia(media);
    await expect.poll(line).toBe('auto');
  }
  await page.emulateMedia({ media: null });
  await page.goto(exported('docs-json-site').file('reference/code-blocks/index.html'));
  expect(await line()).toBe('auto');
});

test('arrow keys move in a file tree and open its folders', async ({ page }) => {
  await page.goto(exported('docs-json-site').file('components/trees/index.html'));
  const workers = page.locator('.c-tree').first().locator('summary', { hasText: 'workers' });
  await expect(async () => {
    await page.locator('.c-tree summary').first().focus();
    await page.keyboard.press('ArrowDown');
    await expect(workers).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByText('email.js').first()).toBeVisible();
});
