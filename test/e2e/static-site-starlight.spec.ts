import { expect } from './exported.ts';
import {
  expectWorkingLinks,
  expectImagesToLoad,
  exportPlacesOf,
  findByKeyboard,
  forEachAstro,
  manifestOf,
  placesOf,
  test,
} from './static-site.ts';
import { results, searchField } from './search-dialog.ts';

forEachAstro('starlight', (site, astro) => {
  for (const place of placesOf(astro)) {
    test(`tabs, themes and groups of the sidebar work ${place}`, async ({ page, open }) => {
      const home = await open(site(), place);
      // Chromium ignores what a file:// page stores or reads if the page opens its storage before the browser has noted the
      // navigation ("a race condition between committing the new document and binding the DOM Storage", IsRequestValid in its
      // dom_storage_context_wrapper.cc). About one page in forty does, so a choice that got lost is made again.
      await expect(async () => {
        await page.goto(`${home}start/install/index.html`);
        await page.getByRole('tab', { name: 'Alpine' }).first().click();
        await expect(page.getByText('apk add --allow-untrusted')).toBeVisible();
        await expect(page.getByText('started by OpenRC')).toBeVisible();
        await page.reload();
        await expect(page.getByText('apk add --allow-untrusted')).toBeVisible({ timeout: 2000 });
      }).toPass();
      await expect(page.getByText('sudo apt install')).toBeHidden();

      await expect(async () => {
        await page.goto(`${home}start/install/index.html`);
        await page.locator('starlight-theme-select select').first().selectOption('light');
        await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
        await page.goto(`${home}index.html`);
        await expect(page.locator('html')).toHaveAttribute('data-theme', 'light', { timeout: 2000 });
      }).toPass();
      await expectImagesToLoad(page);

      const sidebar = page.getByRole('navigation', { name: 'Main' });
      await sidebar.getByText('Alarms', { exact: true }).click();
      await sidebar.getByRole('link', { name: 'Alarms by email' }).click();
      await expect(page.locator('h1')).toHaveText('Alarms by email');
    });

    test(`the menu of a narrow screen opens ${place}`, async ({ page, open }) => {
      const home = await open(site(), place);
      await page.setViewportSize({ width: 400, height: 800 });
      await page.goto(`${home}guides/calibrate/index.html`);
      const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Commands' });
      await expect(link).toBeHidden();
      await page.getByRole('button', { name: 'Menu' }).click();
      await link.click();
      await expect(page.locator('h1')).toHaveText('Commands');
    });
  }

  for (const place of exportPlacesOf(astro)) {
    test(`search finds a sentence of the last page, and ignores the layout around the content ${place}`, async ({
      page,
      open,
    }) => {
      const home = await open(site(), place);
      await page.goto(`${home}index.html`);
      await findByKeyboard(page, 'white louvred box thermometer shade', `${home}reference/glossary/index.html`);
      await expect(page.locator('#stevenson-screen')).toBeInViewport();
      await page.keyboard.press('ControlOrMeta+k');
      await expect(searchField(page)).toBeFocused();
      // The sidebar of every page names the glossary.
      await page.keyboard.insertText('glossary');
      await expect(results(page).first()).toBeVisible();
      const found = await results(page).evaluateAll((options) => options.map((option) => (option as HTMLAnchorElement).href));
      expect(found.filter((href) => !href.includes('/reference/glossary/'))).toEqual([]);
    });
  }

  test('no link of any page is broken, and the export has all pages of the site', async ({ page, open }) => {
    await expectWorkingLinks(page, site(), await open(site(), 'from file://'));
    expect(manifestOf(site()).pages.map(({ path }) => path)).toEqual([
      '',
      'guides/alarms/email',
      'guides/alarms/thresholds',
      'guides/calibrate',
      'reference/commands',
      'reference/glossary',
      'start/first-reading',
      'start/install',
    ]);
  });

  test('a redirect opens the new page from file://', async ({ page, open }) => {
    const home = await open(site(), 'from file://');
    await page.goto(`${home}setup/index.html`);
    await page.waitForURL(`${home}start/install/index.html`);
  });
});
