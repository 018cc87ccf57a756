import { expect } from './exported.ts';
import { expectWorkingLinks, exportPlacesOf, findByKeyboard, forEachAstro, manifestOf, placesOf, test } from './static-site.ts';
import { results, searchField, status } from './search-dialog.ts';

forEachAstro(
  'i18n',
  (site, astro) => {
    for (const place of placesOf(astro)) {
      test(`a page links to its translations ${place}`, async ({ page, open }) => {
        const home = await open(site(), place);
        await page.goto(`${home}water/index.html`);
        for (const [language, title] of [
          ['ja', '水'],
          ['fr', 'Eau'],
          ['en', 'Water'],
        ]) {
          await page.getByRole('navigation', { name: 'Language' }).getByRole('link', { name: language }).click();
          await expect(page.locator('h1')).toHaveText(title!);
          await expect(page.locator('html')).toHaveAttribute('lang', language!);
          // The browser may ignore a click on a page that is still loading.
          await page.waitForLoadState();
        }
      });
    }

    for (const place of exportPlacesOf(astro)) {
      test(`search finds a sentence of the last page in its language, and no page of another ${place}`, async ({
        page,
        open,
      }) => {
        const home = await open(site(), place);
        for (const [folder, words] of [
          ['', 'unglazed pot remembers'],
          ['fr/', 'théière en terre se souvient'],
          ['ja/', '素焼きの急須'],
        ]) {
          await page.goto(`${home}${folder}index.html`);
          await findByKeyboard(page, words!, `${home}${folder}pots/index.html`);
        }
        await page.goto(`${home}fr/water/index.html`);
        await page.keyboard.press('ControlOrMeta+k');
        await expect(searchField(page)).toBeFocused();
        await page.keyboard.insertText('infusion');
        await expect(status(page)).not.toBeEmpty();
        const found = await results(page).evaluateAll((options) => options.map((option) => (option as HTMLAnchorElement).href));
        expect(found.length).toBeGreaterThan(0);
        expect(found.filter((href) => !href.startsWith(`${home}fr/`))).toEqual([]);
      });
    }

    test('the export has an index for each language, and no link of any page is broken', async ({ page, open }) => {
      expect(
        manifestOf(site())
          .indexes.map(({ language }) => language)
          .sort(),
      ).toEqual(['en', 'fr', 'ja']);
      expect(manifestOf(site()).pages).toHaveLength(9);
      await expectWorkingLinks(page, site(), await open(site(), 'from file://'));
    });
  },
  // The pages of both Astro versions are alike here.
  { astros: [7] },
);
