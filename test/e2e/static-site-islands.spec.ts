import type { Page } from '@playwright/test';
import { expect } from './exported.ts';
import { expectWorkingLinks, findByKeyboard, forEachAstro, placesOf, test } from './static-site.ts';

const counters: Record<string, [text: string, start: number]> = {
  react: ['React', 1],
  preact: ['Preact', 2],
  vue: ['Vue', 3],
  svelte: ['Svelte', 4],
  solid: ['Solid', 5],
};
// Astro removes the attribute when it has hydrated an island.
const asleep = (page: Page) => page.locator('astro-island[ssr]');

async function expectAllToCount(page: Page): Promise<void> {
  for (const [framework, [text, start]] of Object.entries(counters)) {
    const button = page.locator(`[data-counter="${framework}"]`);
    await button.scrollIntoViewIfNeeded();
    await expect(button).toHaveText(`${text}: ${start}`);
    await expect(page.locator('astro-island[ssr]').filter({ has: button })).toHaveCount(0);
    await button.click();
    await expect(button).toHaveText(`${text}: ${start + 1}`);
  }
}

forEachAstro('islands', (site, astro) => {
  for (const place of placesOf(astro)) {
    test(`islands of five frameworks count clicks ${place}, with each client directive`, async ({ page, open }) => {
      const home = await open(site(), place);
      for (const directive of ['load', 'idle', 'only']) {
        await page.goto(`${home}${directive}/index.html`);
        await expectAllToCount(page);
      }
      // Below the fold, they hydrate when they become visible; those for wide screens do not on narrow ones.
      await page.goto(`${home}visible/index.html`);
      await expect(asleep(page)).toHaveCount(5);
      await expectAllToCount(page);
      await page.setViewportSize({ width: 400, height: 800 });
      await page.goto(`${home}media/index.html`);
      await expect(asleep(page)).toHaveCount(5);
      await page.setViewportSize({ width: 1000, height: 800 });
      await expectAllToCount(page);
    });

    test(`islands of different frameworks share their state ${place}`, async ({ page, open }) => {
      const home = await open(site(), place);
      await page.goto(`${home}shared/index.html`);
      await expect(asleep(page)).toHaveCount(0);
      await page.getByRole('button', { name: 'Take a chisel' }).click();
      await expect(page.locator('[data-basket="vue"] output')).toHaveText('plane, chisel (2)');
      await expect(page.locator('[data-basket="svelte"]')).toHaveText('In the basket: 2');
      await page.getByRole('button', { name: 'Take a saw' }).click();
      await expect(page.locator('[data-basket="react"] output')).toHaveText('plane, chisel, saw');
      await expect(page.locator('[data-basket="svelte"]')).toHaveText('In the basket: 3');
    });

    test(`dynamic imports load on demand, and import.meta.url is right, ${place}`, async ({ page, open }) => {
      const home = await open(site(), place);
      await page.goto(`${home}modules/index.html`);
      await page.getByRole('button', { name: 'Which joints?' }).click();
      await expect(page.locator('#joints-found')).toHaveText('dovetail, mortise and tenon, finger joint');
      await expect(asleep(page)).toHaveCount(0);
      await page.getByRole('button', { name: 'Show the drawing' }).click();
      await expect(page.locator('[data-drawing]')).toHaveText('Three boards, two rails, eight screws');
      await expect(page.locator('[data-drawing]')).toHaveCSS('padding-left', '42px');
      await expect(page.locator('#stamped')).toHaveText('Checked, stamped in violet');
      await expect(page.locator('#base')).toHaveText('/');
      await expect(page.locator('#board')).toHaveJSProperty('naturalWidth', 40);
      await expect(page.locator('#here')).toContainText(new URL(home).pathname);
    });

    test(`a script with a top-level await runs, beside an island, ${place}`, async ({ page, open }) => {
      const home = await open(site(), place);
      await page.goto(`${home}await/index.html`);
      await expect(page.locator('#moisture')).toHaveText('9');
      await expect(asleep(page)).toHaveCount(0);
      await page.locator('[data-counter="vue"]').click();
      await expect(page.locator('[data-counter="vue"]')).toHaveText('Vue: 8');
    });

    test(`links open the next page ${place}, where elements, islands and search work`, async ({ page, open }) => {
      const home = await open(site(), place);
      await page.goto(`${home}index.html`);
      await page.getByRole('button', { name: '48 mm' }).click();
      await expect(page.locator('tape-measure')).toHaveText('1.89 in');
      await page.getByRole('link', { name: 'Finish' }).hover();
      await page.getByRole('link', { name: 'Finish' }).click();
      await expect(page.locator('h1')).toHaveText('Finish');
      await page.getByRole('button', { name: '3 mm' }).click();
      await expect(page.locator('tape-measure')).toHaveText('0.12 in');
      await page.getByRole('link', { name: 'At once' }).click();
      await expect(page.locator('h1')).toHaveText('At once');
      await expectAllToCount(page);
      await page.goBack();
      await expect(page.locator('h1')).toHaveText('Finish');
      await page.getByRole('button', { name: '3 mm' }).click();
      await expect(page.locator('tape-measure')).toHaveText('0.12 in');
      if (place === 'as built') return;
      await page.getByRole('link', { name: 'At once' }).click();
      await expect(asleep(page)).toHaveCount(0);
      await findByKeyboard(page, 'linseed oil thinned with turpentine', `${home}finish/index.html`);
    });
  }

  test('no link of any page is broken', async ({ page, open }) => {
    await expectWorkingLinks(page, site(), await open(site(), 'from file://'));
  });
});
