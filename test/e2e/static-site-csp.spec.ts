import { expect } from './exported.ts';
import { expectWorkingLinks, findByKeyboard, forEachAstro, placesOf, test } from './static-site.ts';

forEachAstro('strict-csp', (site, astro) => {
  for (const place of placesOf(astro)) {
    test(`the page's scripts, style, island and search run under its policy, which blocks a script without a hash ${place}`, async ({
      page,
      open,
      watched,
    }) => {
      const home = await open(site(), place);
      await page.goto(`${home}index.html`);
      await expect(page.locator('#written')).toHaveText('by a script in the page');
      await expect(page.locator('#counted')).toHaveText('by a module');
      await expect(page.locator('main')).toHaveCSS('max-width', '640px');
      await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
      await page.getByRole('button', { name: 'Turned 0 times' }).click();
      await expect(page.getByRole('button')).toContainText(['Turned 1 times']);
      expect(watched.faults).toEqual([]);
      await page.evaluate(() => {
        const script = document.createElement('script');
        script.textContent = 'document.title = "Broken into"';
        document.body.append(script);
      });
      await expect.poll(() => watched.faults.length).toBe(1);
      expect(watched.faults[0]).toMatch(/Content Security Policy/i);
      await expect(page).toHaveTitle('Vault');
      watched.faults = [];
      if (place !== 'as built') await findByKeyboard(page, 'deeds of the mill bound in calf', `${home}inventory/index.html`);
    });
  }

  test('no link of any page is broken', async ({ page, open }) => {
    await expectWorkingLinks(page, site(), await open(site(), 'from file://'));
  });
});
