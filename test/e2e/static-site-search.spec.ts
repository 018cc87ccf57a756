import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { axeFindings } from './axe.ts';
import { answers, field, panel } from './ask-panel.ts';
import type { AstroMajor } from '../support/build-static-site.ts';
import { expect } from './exported.ts';
import { exportPlaces, findByKeyboard, forEachAstro, test } from './static-site.ts';
import { dialog, results, searchField, status } from './search-dialog.ts';

// The pages of both Astro versions are alike to search; what differs is tested in static-site-{starlight,islands,csp,base}.spec.ts.
const astros: AstroMajor[] = [7];
const corner = (page: Page) => page.locator('carrel-search-button[corner]').getByRole('button');
const backgroundOf = (page: Page) => dialog(page).evaluate((element) => getComputedStyle(element).backgroundColor);

async function faults(page: Page, place: string): Promise<string[]> {
  return (await axeFindings(page, { include: place })).map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`,
  );
}

forEachAstro(
  'starlight',
  (site) => {
    test('the export of a default Starlight site contains neither Pagefind nor its dialog', async ({ page, open }) => {
      expect(existsSync(path.join(site().dist, 'pagefind/pagefind.js'))).toBe(true);
      expect(existsSync(path.join(site().offline, 'pagefind'))).toBe(false);
      await page.goto(`${await open(site(), 'from file://')}index.html`);
      await expect(page.locator('site-search')).toHaveCount(1);
      await expect(page.locator('site-search dialog')).toHaveCount(0);
    });

    for (const place of exportPlaces) {
      test(`Starlight's own button opens our dialog in the colors of the site, ${place}`, async ({ page, open }) => {
        const home = await open(site(), place);
        // What is typed while search still loads is in its field.
        await page.goto(`${home}index.html`);
        await page.keyboard.type('/install');
        await expect(searchField(page)).toBeFocused();
        await expect(searchField(page)).toHaveValue('install');
        await page.goto(`${home}guides/calibrate/index.html`);
        const button = page.locator('site-search').getByRole('button', { name: 'Search' });
        const looks: string[] = [];
        for (const theme of ['light', 'dark']) {
          await page.locator('starlight-theme-select select').first().selectOption(theme);
          await button.click();
          await expect(searchField(page)).toBeFocused();
          expect(await faults(page, 'carrel-search')).toEqual([]);
          looks.push(await backgroundOf(page));
          await page.keyboard.press('Escape');
          await expect(button).toBeFocused();
        }
        expect(looks).toEqual(['rgb(255, 255, 255)', 'rgb(23, 24, 28)']);
        await expect(corner(page)).toHaveCount(0);
        await findByKeyboard(page, 'alarm storm', `${home}guides/alarms/thresholds/index.html`);
        await expect.poll(() => page.evaluate(() => CSS.highlights.get('carrel-search')?.size)).toBeGreaterThan(0);
      });
    }

    test('settings turn search off, with its buttons and shortcuts', async ({ page, serve }) => {
      await page.goto(await serve(site().offline, '/', { features: { search: { enabled: false }, assistant: { mode: 'off' } } }));
      await page.waitForLoadState('networkidle');
      await expect(page.locator('site-search button[data-open-modal]')).toHaveCount(1);
      await expect(page.locator('site-search button[data-open-modal]')).toBeHidden();
      await expect(corner(page)).toHaveCount(0);
      for (const key of ['Control+k', '/', 'Control+i']) await page.keyboard.press(key);
      await expect(page.getByRole('dialog')).toHaveCount(0);
    });

    test('runs under the policy of carrel serve, which blocks external origins', async ({ page, serve, watched }) => {
      const home = await serve(site().offline);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.goto(`${home}guides/calibrate/`);
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
      await findByKeyboard(page, 'alarm storm', `${home}guides/alarms/thresholds/`);
      const refused = await page.evaluate(async () => {
        const violation = new Promise<string>((resolve) =>
          addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective)),
        );
        await fetch('https://elsewhere.example/').catch(() => {});
        return violation;
      });
      expect(refused).toBe('connect-src');
      watched.faults = watched.faults.filter((fault) => !fault.includes('elsewhere.example'));
    });
  },
  { astros, environment: { SITE_PLUGIN: 'none' } },
);

forEachAstro(
  'starlight',
  (site) => {
    test('the plugin adds neither search nor Pagefind to the output of the site itself', async ({ page, open }) => {
      expect(existsSync(path.join(site().dist, 'pagefind'))).toBe(false);
      await page.goto(`${await open(site(), 'as built')}index.html`);
      await expect(page.locator('[data-carrel-search]')).toBeHidden();
    });

    test("the plugin's button has the label and the position of Starlight's", async ({ page, open }) => {
      await page.goto(`${await open(site(), 'from file://')}guides/calibrate/index.html`);
      const button = page.getByRole('banner').getByRole('button', { name: 'Search' });
      await expect(button).toHaveText(/Search\s*Ctrl\s*K/);
      await button.click();
      await expect(searchField(page)).toBeFocused();
      expect(await faults(page, 'header')).toEqual([]);
    });
  },
  { astros },
);

forEachAstro(
  'search',
  (site) => {
    for (const place of exportPlaces) {
      test(`<CarrelSearch /> opens the dialog, and there is no second button, ${place}`, async ({ page, open }) => {
        await page.goto(`${await open(site(), place)}index.html`);
        await expect(corner(page)).toHaveCount(0);
        await page.getByRole('button', { name: 'Search' }).click();
        await expect(searchField(page)).toHaveAttribute('placeholder', 'Search the garden');
        await page.keyboard.insertText('larchwood');
        await expect(results(page).first()).toContainText('Drying');
      });

      test(`a page without a search button shows a small one in the corner, ${place}`, async ({ page, open }) => {
        const home = await open(site(), place);
        await page.goto(`${home}harvest/index.html`);
        await expect(corner(page)).toBeInViewport();
        await expect(corner(page)).toHaveAccessibleName('Search');
        expect(await faults(page, 'carrel-search-button')).toEqual([]);
        await page.keyboard.press('Tab');
        await expect(corner(page)).toBeFocused();
        await page.keyboard.press('Enter');
        await expect(searchField(page)).toBeFocused();
        await page.keyboard.press('Escape');
        await expect(corner(page)).toBeFocused();
        await findByKeyboard(page, 'sickle forged', `${home}index.html`);
      });
    }

    test('the dialog is dark on a dark page, and takes only colors and font from the site', async ({ page, open }) => {
      const home = await open(site(), 'from file://');
      const looks: Record<string, string>[] = [];
      for (const name of ['recolte', 'harvest']) {
        await page.goto(`${home}${name}/index.html`);
        await page.keyboard.press('ControlOrMeta+k');
        await expect(searchField(page)).toBeFocused();
        await page.keyboard.insertText('main');
        await expect(status(page)).not.toBeEmpty();
        expect(await faults(page, 'carrel-search')).toEqual([]);
        looks.push(
          await dialog(page).evaluate((element) => {
            const { backgroundColor, fontSize, fontFamily, letterSpacing, textTransform } = getComputedStyle(element);
            const accent = getComputedStyle(element).getPropertyValue('--accent');
            return { backgroundColor, fontSize, fontFamily, letterSpacing, textTransform, accent };
          }),
        );
      }
      const same = { fontSize: '15px', fontFamily: 'Georgia, serif', letterSpacing: 'normal', textTransform: 'none' };
      expect(looks).toEqual([
        { ...same, backgroundColor: 'rgb(255, 255, 255)', accent: '#0b6b3a' },
        { ...same, backgroundColor: 'rgb(20, 23, 29)', accent: '#7fe0aa' },
      ]);
      // The button of a page has a label in its language, and is not printed.
      await page.goto(`${home}recolte/index.html`);
      await expect(corner(page)).toHaveAccessibleName('Rechercher');
      await page.emulateMedia({ media: 'print' });
      await expect(corner(page)).toBeHidden();
    });

    test('Ask opens from the keyboard and from the dialog, and quotes the docs', async ({ page, open }) => {
      await page.goto(`${await open(site(), 'from file://')}harvest/index.html`);
      await page.keyboard.press('ControlOrMeta+i');
      await expect(field(page)).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(panel(page)).toBeHidden();
      await page.keyboard.press('ControlOrMeta+k');
      await searchField(page).fill('How is the sickle forged?');
      await dialog(page).getByRole('button', { name: 'Ask the docs' }).click();
      await expect(field(page)).toHaveValue('How is the sickle forged?');
      await field(page).press('Enter');
      await expect(answers(page)).toContainText('forged without a point');
    });

    test('runs under the policy of carrel serve', async ({ page, serve }) => {
      const home = await serve(site().offline);
      const response = await page.goto(`${home}harvest/`);
      expect(response!.headers()['content-security-policy']).toContain("script-src 'self' 'unsafe-inline'");
      expect(response!.headers()['content-security-policy']).toContain('tides.example.com');
      await expect(page.locator('html')).toHaveAttribute('data-ran', 'inline');
      await findByKeyboard(page, 'sickle forged', `${home}`);
    });

    test('the component is hidden in the output of the site itself', async ({ page, open }) => {
      await page.goto(`${await open(site(), 'as built')}index.html`);
      await expect(page.locator('[data-carrel-search]')).toBeHidden();
    });
  },
  { astros },
);

forEachAstro(
  'search',
  (site) => {
    test('without search there is neither a button nor a script for it', async ({ page, open }) => {
      await page.goto(`${await open(site(), 'from file://')}harvest/index.html`);
      await expect(corner(page)).toHaveCount(0);
      await expect(page.locator('script[src]')).toHaveCount(0);
      expect(existsSync(path.join(site().offline, 'carrel.config.js'))).toBe(true);
    });
  },
  { astros, environment: { SITE_SEARCH: 'off' } },
);
