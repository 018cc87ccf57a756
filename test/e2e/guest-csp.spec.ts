import { expect } from './exported.ts';
import { expectLinksToLead, exportPlaces, findByKeyboard, forEachAstro, places, test } from './guest.ts';

forEachAstro('strict-csp', (site) => {
  for (const place of places) {
    test(`the page's scripts, style and island run under its policy ${place}`, async ({ page, open }) => {
      const home = await open(site(), place);
      await page.goto(`${home}index.html`);
      await expect(page.locator('#written')).toHaveText('by a script in the page');
      await expect(page.locator('#counted')).toHaveText('by a module');
      await expect(page.locator('main')).toHaveCSS('max-width', '640px');
      await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
      await page.getByRole('button', { name: 'Turned 0 times' }).click();
      await expect(page.getByRole('button')).toContainText(['Turned 1 times']);
    });

    test(`a script that nobody vouched for is refused ${place}`, async ({ page, open, watched }) => {
      const home = await open(site(), place);
      await page.goto(`${home}index.html`);
      await page.evaluate(() => {
        const script = document.createElement('script');
        script.textContent = 'document.title = "Broken into"';
        document.body.append(script);
      });
      await expect.poll(() => watched.faults.length).toBe(1);
      expect(watched.faults[0]).toMatch(/Content Security Policy/i);
      await expect(page).toHaveTitle('Vault');
      watched.faults = [];
    });
  }

  for (const place of exportPlaces) {
    test(`a sentence of the last page is found under the policy ${place}`, async ({ page, open }) => {
      const home = await open(site(), place);
      await page.goto(`${home}index.html`);
      await findByKeyboard(page, 'deeds of the mill bound in calf', `${home}inventory/index.html`);
    });
  }

  test('every link of every page leads to a file', async ({ page, open }) => {
    await expectLinksToLead(page, site(), await open(site(), 'from file://'));
  });
});
