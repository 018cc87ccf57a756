import type { Page } from '@playwright/test';
import { expect, exported, test, watch } from './exported.ts';
import { openSearch, search } from './search-dialog.ts';

const site = () => exported('docs-json-site');
const withDiagram = 'components/formulas-and-diagrams';
const drawing = (page: Page) => page.locator('.c-diagram').getByRole('img');

test('a diagram is drawn in the colors of the page, from file:// and without a request', async ({ page }) => {
  const seen = watch(page);
  await page.goto(site().file(`${withDiagram}/index.html`));
  const diagram = drawing(page).first();
  await expect(diagram).toHaveAccessibleName('Queue, Worker, fails, Retry');
  await expect(page.locator('.c-diagram pre')).toHaveCount(0);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const frame = diagram.locator('rect[stroke]').first();
    await expect(frame).toHaveCSS('fill', colorScheme === 'light' ? 'rgb(247, 248, 249)' : 'rgb(18, 21, 27)');
    const color = await diagram.getByText('Worker').evaluate((text) => getComputedStyle(text).fill.match(/\d+/g)!.map(Number));
    const isLight = color.every((part) => part > 128);
    expect(isLight).toBe(colorScheme === 'dark');
  }
  expect(seen).toEqual({ faults: [], foreign: [] });
});

test("a diagram has its colors and size under the server's policy", async ({ page, serve }) => {
  const root = await serve(site().zip);
  const seen = watch(page);
  await page.goto(new URL(`${withDiagram}/`, root).href);
  const frame = drawing(page).first().locator('rect[stroke]').first();
  expect(await frame.evaluate((rectangle) => getComputedStyle(rectangle).fill)).toBe('rgb(247, 248, 249)');
  const { width } = (await drawing(page).first().boundingBox())!;
  expect(width).toBeGreaterThan(200);
  expect(width).toBeLessThan(721);
  expect(seen).toEqual({ faults: [], foreign: [] });
});

test('text of a diagram is inside its box', async ({ page }) => {
  await page.goto(site().file(`${withDiagram}/index.html`));
  await page.evaluate(() => document.fonts.ready);
  const overlaps = await drawing(page)
    .first()
    .evaluate((svg) =>
      [...svg.querySelectorAll('rect')].flatMap((rectangle) => {
        const box = rectangle.getBoundingClientRect();
        const text = rectangle.parentElement?.querySelector('text')?.getBoundingClientRect();
        return text && box.width > 50
          ? [text.left - box.left, box.right - text.right, text.top - box.top, box.bottom - text.bottom]
          : [];
      }),
    );
  expect(overlaps.length).toBeGreaterThan(11);
  expect(Math.min(...overlaps)).toBeGreaterThan(0);
});

test('only a page with a diagram that the export could not draw loads the scripts that draw it', async ({ page }) => {
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  for (const path of ['components/tables', withDiagram]) {
    await page.goto(site().file(`${path}/index.html`), { waitUntil: 'networkidle' });
    expect(loaded.filter((url) => url.endsWith('.js')).length).toBeGreaterThan(0);
    expect(loaded.filter((url) => /mermaid|diagrams\.\w+\.js/.test(url))).toEqual([]);
  }
  const seen = watch(page);
  await page.goto(site().file('components/frames/index.html'));
  await page.locator('.c-diagram').scrollIntoViewIfNeeded();
  await expect(page.locator('.c-diagram').getByRole('img').first()).toBeVisible();
  await expect(page.locator('.c-diagram pre')).toBeHidden();
  expect(loaded.filter((url) => /mermaid\.\w+\.js/.test(url))).toHaveLength(1);
  expect(seen.faults).toEqual([]);
  expect(Object.keys(site().manifest.files).filter((file) => /mermaid/.test(file))).toHaveLength(1);
  expect(Object.keys(exported('cjk').manifest.files).filter((file) => /mermaid|diagrams\./.test(file))).toEqual([]);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 800 } });

  test('a wide diagram scrolls in its place, and opens large with the keyboard', async ({ page }) => {
    await page.goto(site().file(`${withDiagram}/index.html`));
    const figure = page.locator('.c-diagram').filter({ has: page.getByRole('img', { name: /opens a page/ }) });
    const wide = figure.getByRole('img');
    const opener = figure.getByRole('button', { name: 'Expand' });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    const text = wide.getByText('opens a page');
    // 14 px at three quarters of their size.
    expect((await text.boundingBox())!.height).toBeGreaterThan(10);
    expect(await wide.evaluate((svg) => svg.parentElement!.scrollWidth - svg.parentElement!.clientWidth)).toBeGreaterThan(100);
    const button = (await opener.boundingBox())!;
    expect(button.y + button.height).toBeLessThanOrEqual((await wide.boundingBox())!.y);
    await opener.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    const large = dialog.getByRole('img');
    await expect(large).toBeVisible();
    expect((await large.boundingBox())!.width).toBeGreaterThan((await wide.boundingBox())!.width * 1.2);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(opener).toBeFocused();
  });
});

test('search finds the nodes of a diagram, and not its syntax', async ({ page }) => {
  const home = site().file('').replace(/\/?$/, '/');
  await page.goto(site().file(`${withDiagram}/index.html`));
  await openSearch(page);
  expect((await search(page, 'Queue, Worker, fails, Retry', home)).map((href) => href.replace(/#.*/, ''))).toContain(
    `${withDiagram}/index.html`,
  );
  // The words of the source are "graph", "LR" and arrows.
  expect((await search(page, 'graph LR', home)).map((href) => href.replace(/#.*/, ''))).not.toContain(
    `${withDiagram}/index.html`,
  );
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a diagram is drawn, and one that only a browser can draw is its source', async ({ page }) => {
    await page.goto(site().file(`${withDiagram}/index.html`));
    await expect(drawing(page).first().getByText('Worker')).toBeVisible();
    await page.goto(site().file('components/frames/index.html'));
    await expect(page.locator('.c-diagram pre')).toContainText('tf 01 ui CartUI');
  });
});
