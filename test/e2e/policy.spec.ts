import { existsSync } from 'node:fs';
import { axeFindings } from './axe.ts';
import { expect, exported, test } from './exported.ts';
import { airGapped } from './policy.ts';
import { openSearch, search, searchField } from './search-dialog.ts';

// The pages of docs-json-site are in reading.spec.ts.
test('every page with placeholders runs under its content security policy, and search', async ({ page, serve }) => {
  const site = exported('elsewhere');
  const home = await serve(site.zip);
  for (const { path } of site.manifest.pages) {
    const response = await page.goto(home + (path === '' ? '' : `${encodeURI(path)}/`));
    expect(response!.status(), path).toBe(200);
    expect(response!.headers()['content-security-policy']).toBe(airGapped);
  }
  await openSearch(page);
  expect((await search(page, site.manifest.pages[0]!.title, home)).length).toBeGreaterThan(0);
});

test('the policy of a site that is not air-gapped allows images of other origins too', async ({ page, serve }) => {
  const response = await page.goto(await serve(exported('docs-json-site').zip));
  expect(response!.headers()['content-security-policy']).toBe(`${airGapped} https:`);
});

test('a redirect opens the new page under the policy too', async ({ page, serve }) => {
  const home = await serve(exported('docs-json-site').folder, '/docs/');
  await page.goto(`${home}retry`);
  await page.waitForURL(`${home}concepts/retries/index.html#backoff`);
});

test('a URL that does not exist shows the 404 page at any depth, which links to the home page', async ({
  page,
  serve,
  watched,
}) => {
  await page.goto(exported('docs-json-site').file('404.html'));
  await expect(page.locator('#closest').getByRole('link')).toHaveText(['Welcome', 'Quickstart', 'Installation', 'Queues']);
  for (const link of await page.locator(':is(main, header) a:not([href^=http])').all())
    expect(existsSync(new URL((await link.getAttribute('href'))!, page.url()))).toBe(true);
  await page.locator('a#home').click();
  await expect(page.locator('h1')).toHaveText('Welcome to Tidewater');
  const home = await serve(exported('docs-json-site').folder, '/docs/');
  for (const missing of ['nowhere', 'nowhere/at/all/', 'guides/nowhere/index.html']) {
    const response = await page.goto(home + missing);
    expect(response!.status()).toBe(404);
    await expect(page.locator('h1')).toHaveText('This page has drifted away');
    const quickstart = page.getByRole('link', { name: 'quickstart' });
    await expect(quickstart).toHaveJSProperty('href', `${home}quickstart/index.html`);
    await expect(page.getByRole('main').getByRole('button', { name: 'Search' })).toBeVisible();
    const header = page.getByRole('banner');
    await header.getByRole('button', { name: 'Dark' }).click();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await header.getByRole('button', { name: 'System' }).click();
    await expect(header.getByRole('link', { name: 'Reference' })).toHaveJSProperty('href', `${home}reference/cli/index.html`);
    await page.locator('a#home').click();
    await expect(page.locator('h1')).toHaveText('Welcome to Tidewater');
  }
  // The words of the address find what it may have meant.
  await page.goto(`${home}old/retry.html`);
  const closest = page.locator('#closest').getByRole('link');
  await expect(closest.first()).toHaveText('Retries');
  expect(await closest.count()).toBeLessThanOrEqual(4);
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press('Control+k');
  await expect(searchField(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await closest.first().click();
  await expect(page.locator('h1')).toHaveText('Retries');
  // The browser reports each 404 in the console, also of the folders in which the page looks for the site.
  watched.faults = watched.faults.filter((fault) => !fault.includes('404'));
});
