import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { carrel } from '../src/cli/carrel.ts';
import { axeFindings } from './axe.ts';
import { expect, exported, test } from './exported.ts';
import { dialog, openSearch, results, search, searchField } from './search-dialog.ts';

test.describe.configure({ mode: 'default' });
const root = mkdtempSync(path.join(tmpdir(), 'carrel-collection-'));
const folder = path.join(root, 'all');
const home = pathToFileURL(`${folder}/`).href;

test.beforeAll(async () => {
  const bundles = [exported('docs-json-site').zip, exported('plain-folder').folder, exported('versions-languages').zip];
  const { code, stderr } = await carrel(['bundle', ...bundles, '--name', 'All products', '--out', folder], { cwd: root });
  if (code !== 0) throw new Error(stderr);
});
test.afterAll(() => rmSync(root, { recursive: true, force: true }));

test('from disk, the start page searches all sites or one of them', async ({ page }) => {
  await page.goto(`${home}index.html`);
  await expect(page.getByRole('main').getByRole('link')).toHaveText([/./, 'Kettle handbook', 'Lighthouse keeper', /./]);
  await openSearch(page);
  const found = await search(page, 'lamp', home);
  expect(found[0]).toMatch(/^lighthouse-keeper\//);
  await expect(dialog(page).locator('.version').first()).toHaveText('Lighthouse keeper');
  const everywhere = await search(page, 'light', home);
  expect(new Set(everywhere.map((url) => url.split('/')[0])).size).toBeGreaterThan(1);
  expect(await axeFindings(page)).toEqual([]);

  await expect(dialog(page).getByRole('radio')).toHaveCount(4);
  await dialog(page).locator('label', { hasText: 'Kettle handbook' }).click();
  await expect.poll(() => results(page).evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href))).not.toEqual([]);
  await expect(dialog(page).locator('a[role=option]:not([href*="/kettle-handbook/"])')).toHaveCount(0);
  const within = await search(page, 'light stays off', home);
  expect(within[0]).toBe('kettle-handbook/02-troubleshooting/no-light/index.html');
  await searchField(page).press('Enter');
  await page.waitForURL(/kettle-handbook\/02-troubleshooting\/no-light\/index\.html/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The light stays off');
});

test('without scripts, the start page is a list of links', async ({ browser }) => {
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto(`${home}index.html`);
  await page.getByRole('link', { name: 'Kettle handbook' }).click();
  await expect(page).toHaveURL(`${home}kettle-handbook/index.html`);
  await page.close();
});

test('a served collection gives the settings of the place to all its sites', async ({ page, serve }) => {
  const address = await serve(folder, '/', { features: { search: { enabled: false } } });
  for (const site of ['', 'kettle-handbook/']) {
    await page.goto(address + site);
    await expect(page.locator('[data-carrel-search]').first()).toBeHidden();
  }
});
