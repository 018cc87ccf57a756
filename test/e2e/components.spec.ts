import { pathToFileURL } from 'node:url';
import path from 'node:path';
import { axeFindings } from './axe.ts';
import { expect, exported, test } from './exported.ts';

const site = () => exported('components');
const places: [string, (serve: (source: string, at?: string) => Promise<string>) => Promise<{ home: string; entry: string }>][] =
  [
    ['from file://', async () => ({ home: pathToFileURL(`${site().folder}${path.sep}`).href, entry: 'index.html' })],
    ['in a folder of a host, with its policy', async (serve) => ({ home: await serve(site().folder, '/docs/'), entry: '' })],
  ];

for (const [place, open] of places) {
  test(`trusted components work ${place}, with the content that Carrel rendered`, async ({ page, serve }) => {
    const { home, entry } = await open(serve);
    await page.goto(home + entry);
    await expect(page.locator('[data-measure]')).toHaveText('1.89 in');

    const counter = page.getByRole('button', { name: 'Planed' });
    await expect(counter).toHaveText('Planed: 3');
    await counter.click();
    await expect(counter).toHaveText('Planed: 4');
    await page.getByRole('tab', { name: 'Pine' }).click();
    await expect(page.getByText('Soft.')).toBeVisible();
    await counter.click();
    await expect(page.getByText('Soft.')).toBeVisible();

    const drawer = page.getByRole('button', { name: 'The drawer' });
    await expect(page.locator('[data-drawer]')).toHaveCount(0);
    await drawer.focus();
    await page.keyboard.press('Enter');
    await expect(page.locator('[data-drawer]')).toContainText('Chisels and a plane.');
    await expect(drawer).toHaveAttribute('aria-expanded', 'true');
    // The browser's own button is gray in dark mode.
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect(drawer).toHaveCSS('color', 'rgb(255, 255, 255)');
    await page.emulateMedia({ colorScheme: 'light' });

    // Its first render needs a browser.
    await expect(page.locator('[data-where]')).toHaveText('Width: known');
    await expect(page.locator('.c-component')).toHaveCount(0);

    const rack = page.locator('[data-rack]');
    await expect(rack.getByRole('listitem')).toHaveText([/chisel/, /plane/, /saw/]);
    await rack.getByLabel('Tool').fill('s');
    await expect(rack.getByRole('listitem')).toHaveText([/chisel/, /saw/]);
    await rack.getByLabel('Tool').fill('');
    await expect(rack.getByRole('listitem')).toHaveText([/chisel/, /plane/, /saw/]);
    for (const image of await rack.locator('img').all()) await expect(image).toHaveJSProperty('naturalWidth', 16);
    await rack.getByRole('link', { name: 'plane' }).click();
    await expect(page.locator('h1')).toHaveText('Plane');
    await expect(page.locator('[data-rack]').getByRole('listitem')).toHaveText([/jack plane/]);
  });
}

test('a page with components has no accessibility faults, and one without loads no script for them', async ({ page }) => {
  await page.goto(site().file('index.html'));
  await expect(page.locator('[data-where]')).toBeVisible();
  await expect(page.locator('script[src*="islands"]').first()).toBeAttached();
  expect(await axeFindings(page)).toEqual([]);
  await page.goto(site().file('bench/index.html'));
  await expect(page.locator('h1')).toHaveText('Bench');
  await expect(page.locator('script[src*="islands"]')).toHaveCount(0);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('components show what they begin with, and a placeholder where they need a browser', async ({ page }) => {
    await page.goto(site().file('index.html'));
    await expect(page.getByRole('button', { name: 'Planed' })).toHaveText('Planed: 3');
    await expect(page.locator('[data-rack]').getByRole('listitem')).toHaveCount(3);
    await expect(page.locator('.c-component')).toHaveText(
      /The interactive component Where is not shown here\.\s*Shown without a browser\./,
    );
  });
});
