import { expect, test } from '@playwright/test';
import { exported, watch } from './exported.ts';
import { hrefs, isWorkingLink } from './links.ts';

test('pages of an awkward site open, send no external request and run no injected script', async ({ page }) => {
  const site = exported('awkward');
  const seen = watch(page);
  let links = 0;
  expect(site.manifest.pages.length).toBeGreaterThan(20);
  for (const { file, path } of site.manifest.pages) {
    await page.goto(site.file(file));
    expect(await page.evaluate(() => (globalThis as { hostile?: unknown }).hostile), path).toBeUndefined();
    await expect(page.locator('h1').first()).not.toBeEmpty();
    const addresses = await page.locator('main a[href]').evaluateAll((all) => all.map((link) => link.getAttribute('href')!));
    links += addresses.length;
    expect(
      addresses.filter((address) => /^\s*(?:javascript|vbscript|data):/i.test(address)),
      path,
    ).toEqual([]);
  }
  expect(links).toBeGreaterThan(20);
  expect(seen.foreign).toEqual([]);
  // No page requests the images that the fixture names and does not have.
  expect(seen.faults).toEqual([]);
});

test('links to awkward names open their pages', async ({ page }) => {
  const site = exported('awkward');
  await page.goto(site.file('index.html'));
  const links = page.locator('main li a');
  const count = await links.count();
  expect(count).toBe(11);
  for (let index = 0; index < count; index++) {
    await page.goto(site.file('index.html'));
    await links.nth(index).click();
    await expect(page.locator('main')).toContainText(/Back to the start|Up by steps/);
  }
});

test('the navigation links to pages with awkward names', async ({ page }) => {
  const site = exported('awkward');
  for (const file of ['index.html', 'names/UPPER/index.html']) {
    await page.goto(site.file(file));
    const links = await hrefs(page.locator('#carrel-sidebar'));
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((href) => !isWorkingLink(href, site.folder, new Map()))).toEqual([]);
  }
});

test('a page that is not valid MDX is readable', async ({ page }) => {
  await page.goto(exported('awkward').file('broken/mdx/index.html'));
  await expect(page.locator('main strong')).toHaveText('bold');
  await expect(page.locator('main h2')).toContainText('A heading on the broken page');
});
