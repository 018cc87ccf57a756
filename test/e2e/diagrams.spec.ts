import type { Page } from '@playwright/test';
import { expect, exported, test, watch } from './exported.ts';
import { openSearch, search } from './search-dialog.ts';

const site = () => exported('docs-json-site');
const withDiagram = 'components/formulas-and-diagrams';
const drawing = (page: Page) => page.locator('.c-diagram').getByRole('img');

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme} mode`, () => {
    test.use({ colorScheme });

    test('a diagram is drawn in the colors of the page, from file:// and without a request', async ({ page }) => {
      const seen = watch(page);
      await page.goto(site().file(`${withDiagram}/index.html`));
      await expect(drawing(page)).toHaveCount(1);
      await expect(drawing(page)).toHaveAccessibleName('Queue, Worker, fails, Retry');
      await expect(page.locator('.c-diagram pre')).toBeHidden();
      const color = await drawing(page)
        .getByText('Worker')
        .evaluate((text) => getComputedStyle(text).fill.match(/\d+/g)!.map(Number));
      const isLight = color.every((part) => part > 128);
      expect(isLight).toBe(colorScheme === 'dark');
      expect(seen).toEqual({ faults: [], foreign: [] });
    });
  });
}

test("a diagram is drawn under the server's policy", async ({ page, serve }) => {
  const root = await serve(site().zip);
  const seen = watch(page);
  await page.goto(new URL(`${withDiagram}/`, root).href);
  await expect(drawing(page)).toHaveCount(1);
  const frame = drawing(page).locator('.node rect').first();
  expect(await frame.evaluate((rectangle) => getComputedStyle(rectangle).fill)).toBe('rgb(247, 248, 249)');
  expect(seen).toEqual({ faults: [], foreign: [] });
});

test('only pages with a diagram load the scripts that draw it', async ({ page }) => {
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  await page.goto(site().file('components/tables/index.html'), { waitUntil: 'networkidle' });
  expect(loaded.filter((url) => url.endsWith('.js')).length).toBeGreaterThan(0);
  expect(loaded.filter((url) => /mermaid|diagrams/.test(url))).toEqual([]);
  expect(Object.keys(site().manifest.files).filter((file) => /mermaid/.test(file))).toHaveLength(1);
  expect(Object.keys(exported('cjk').manifest.files).filter((file) => /mermaid|diagrams\./.test(file))).toEqual([]);
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

  test('a diagram is its source', async ({ page }) => {
    await page.goto(site().file(`${withDiagram}/index.html`));
    await expect(page.locator('.c-diagram pre')).toBeVisible();
    await expect(page.locator('.c-diagram pre')).toContainText('Queue --> Worker');
  });
});
