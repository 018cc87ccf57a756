// A site that VitePress has built, with the scripts that it has on its host.
import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import type { ExportReport } from '../../integration/export/export-site.ts';
import { optionsSchema } from '../../integration/options.ts';
import { exportStaticSite } from '../../integration/static-site/export-static-site.ts';
import { expect, test } from './exported.ts';
import { exportPlaces, findByKeyboard } from './static-site.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test.describe.configure({ mode: 'default' });

let folder: string;
let report: ExportReport;

test.beforeAll(async ({}, info) => {
  // Beside the packages that its pages import.
  const site = path.join(root, `test/vitepress/.sites/${info.workerIndex}`);
  cpSync(path.join(root, 'fixtures/static-sites/vitepress'), site, { recursive: true });
  const vitepress = path.join(root, 'test/vitepress/node_modules/vitepress/bin/vitepress.js');
  await promisify(execFile)(process.execPath, [vitepress, 'build', site], { env: { ...process.env, NODE_ENV: 'production' } });
  folder = info.outputPath('offline');
  const { out: _out, replace: _replace, zip: _zip, ...options } = optionsSchema.parse({ deployment: 'air-gapped' });
  report = await exportStaticSite(
    { root: path.join(site, '.vitepress/dist') },
    { ...options, out: folder, generator: 'carrel/test', environment: {} },
  );
});

test('the export reports nothing that a reader lacks', () => {
  expect(report.warnings.map(({ kind }) => kind)).toEqual(['remote-load-possible']);
});

for (const place of exportPlaces) {
  const homeOf = (serve: (source: string, at?: string) => Promise<string>) =>
    place === 'from file://' ? Promise.resolve(`${pathToFileURL(folder).href}/`) : serve(folder, '/some/path/');

  test(`sidebar, menus, code groups, components and themes work by keyboard, ${place}`, async ({ page, serve }) => {
    const home = await homeOf(serve);
    await openPage(page, `${home}guide/install.html`);

    const group = page.locator('.VPSidebarItem', { hasText: 'Reference' });
    await expect(group.getByRole('link', { name: 'Mooring' })).toBeHidden();
    await group.getByRole('button').first().focus();
    await page.keyboard.press('Enter');
    await expect(group.getByRole('link', { name: 'Mooring' })).toBeVisible();

    const versions = page.getByRole('button', { name: 'v2' });
    await versions.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('link', { name: 'Moorings of v1' })).toBeVisible();

    await page.getByRole('radio', { name: 'npm', exact: true }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByText('pnpm add harbor')).toBeVisible();
    await expect(page.getByText('npm install harbor')).toBeHidden();

    await page.getByRole('button', { name: '0 ships' }).press('Enter');
    await expect(page.getByRole('button', { name: '1 ships' })).toBeVisible();
    await expect(page.locator('.VPDocAsideOutline').getByRole('link', { name: 'Cranes' })).toHaveAttribute('href', '#cranes');
    expect(await page.locator('main use').evaluate((use) => (use as SVGUseElement).getBBox().width)).toBe(10);

    const theme = page.getByRole('switch').first();
    await theme.focus();
    await page.keyboard.press('Enter');
    await expect(page.locator('html')).toHaveClass(/dark/);
    await group.getByRole('link', { name: 'Mooring' }).click();
    await page.waitForURL(`${home}guide/mooring.html`);
    await expect(page.locator('html')).toHaveClass(/dark/);
    await expect(group.getByRole('link', { name: 'Mooring' })).toBeVisible();
  });

  test(`a phone has its menus, whose links open files, ${place}`, async ({ page, serve }) => {
    const home = await homeOf(serve);
    await page.setViewportSize({ width: 390, height: 844 });
    await openPage(page, `${home}guide/install.html`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    await page.getByRole('button', { name: 'mobile navigation' }).click();
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('link', { name: 'Français' }).click();
    await page.waitForURL(`${home}fr/guide/install.html`);
    await expect(page.getByRole('heading', { name: 'Installer' })).toBeVisible();

    await openPage(page, `${home}guide/install.html`);
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.locator('.VPSidebar').getByRole('link', { name: 'Install' }).waitFor();
    await page.keyboard.press('Escape');
    await findByKeyboard(page, 'Bollards', `${home}guide/mooring.html`);
    await expect(page.getByRole('heading', { name: 'Mooring' })).toBeVisible();
  });
}

test("its search button opens Carrel's search instead of its own", async ({ page }) => {
  await openPage(page, `${pathToFileURL(folder).href}/guide/install.html`);
  await page.locator('.DocSearch-Button').click();
  await expect(page.locator('carrel-search').getByRole('dialog')).toBeVisible();
  await expect(page.locator('.VPLocalSearchBox')).toHaveCount(0);
});

/** Opens a page and waits until Vue has taken it over. */
async function openPage(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.waitForFunction(() => '__vue_app__' in (document.querySelector('#app') ?? {}));
}
