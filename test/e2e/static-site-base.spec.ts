import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { AstroMajor } from '../support/build-static-site.ts';
import { expect } from './exported.ts';
import {
  expectWorkingLinks,
  expectImagesToLoad,
  findByKeyboard,
  forEachAstro,
  manifestOf,
  placesOf,
  type Place,
  test,
} from './static-site.ts';

const shapes: [format: string, slash: string, astro: AstroMajor, file: (page: string) => string][] = [
  ['directory', 'ignore', 6, (page) => `${page}/index.html`],
  ['directory', 'ignore', 7, (page) => `${page}/index.html`],
  ['file', 'never', 7, (page) => `${page}.html`],
  ['preserve', 'always', 7, (page) => `${page}.html`],
];

for (const [format, slash, astro, built] of shapes) {
  // A host serves the files that a disk has: one shape is enough for it.
  const places: readonly Place[] = format === 'directory' && astro === 7 ? placesOf(astro) : ['from file://'];
  const environment = { SITE_FORMAT: format, SITE_TRAILING_SLASH: slash };
  forEachAstro(
    'plain-base',
    (site) => {
      /** The output file of a page: from the manifest, or for redirects the file of the build. */
      const fileOf = (page: string) => manifestOf(site()).pages.find((entry) => entry.path === page)?.file ?? built(page);

      for (const place of places) {
        test(`pages, images, stylesheets and fonts load ${place}`, async ({ page, open }) => {
          const home = await open(site(), place, '/docs/');
          const files = place === 'as built' ? built : fileOf;
          await page.goto(`${home}index.html`);
          await expectImagesToLoad(page);
          await expect(page.locator('body')).toHaveCSS('background-image', /url\(.*(waves|data:)/);
          await expect(page.locator('#anchored')).toHaveCSS('background-image', new RegExp(`${home}.*anchor\\.svg`));
          await expect(page.locator('#picture')).toHaveJSProperty('naturalWidth', 320);
          expect(await page.evaluate(() => document.fonts.load('16px "Inter Variable"').then(({ length }) => length))).toBe(1);
          const bell = page.locator('svg[aria-label="Bell"]');
          await expect.poll(() => bell.evaluate((svg) => (svg as SVGSVGElement).getBBox().width)).toBeGreaterThan(0);
          await expect(page.locator('pre')).toHaveText('<a href="/docs/routes/north">North</a>');

          await page.goto(home + files('routes/north'));
          await expect(page.locator('.timetable')).toHaveCSS('background-image', new RegExp(`${home}.*anchor\\.svg`));
          await page.getByRole('link', { name: 'South route', exact: true }).click();
          await expect(page.locator('h1')).toHaveText('South route');
          await expect(page.locator('main')).toHaveAttribute('data-script', 'ran');
          // The browser may ignore a click on a page that is still loading.
          await page.waitForLoadState();
          await page.getByRole('link', { name: 'the timetable of Sundays' }).click();
          await expect(page.locator('h1')).toHaveText('North route');
          await page.waitForLoadState();
          await page.getByRole('link', { name: 'home' }).click();
          await expect(page.locator('h1')).toHaveText('Ferries');
          await page.waitForLoadState();
          await page.getByRole('link', { name: 'the fares' }).click();
          await expect(page.locator('h1')).toHaveText('Fares');
          await expect(page).toHaveURL(/#anchorage$/);
        });

        test(`redirects and refreshing pages open their targets ${place}`, async ({ page, open }) => {
          const home = await open(site(), place, '/docs/');
          const files = place === 'as built' ? built : fileOf;
          for (const [old, title] of [
            ['timetable', 'North route'],
            ['prices/children', 'Fares'],
            ['moved', 'Fares'],
          ]) {
            await page.goto(home + files(old!));
            await expect(page.locator('h1')).toHaveText(title!);
          }
          await page.goto(`${home}index.html`);
          await page.getByRole('link', { name: 'Timetable' }).click();
          await expect(page.locator('h1')).toHaveText('North route');
        });

        if (place === 'as built') continue;
        test(`search finds a sentence of the last page ${place}`, async ({ page, open }) => {
          const home = await open(site(), place);
          await page.goto(home + fileOf('routes/north'));
          await findByKeyboard(page, 'bicycles travel on the fore deck', home + fileOf('routes/south'));
        });
      }

      test('no link of any page is broken', async ({ page, open }) => {
        await expectWorkingLinks(page, site(), await open(site(), 'from file://'));
      });

      test('the web manifest and stylesheets link to files of the export, and no page contains a root-relative URL', () => {
        const { offline } = site();
        const manifest = JSON.parse(readFileSync(path.join(offline, 'manifest.webmanifest'), 'utf8'));
        for (const address of [manifest.start_url, manifest.icons[0].src]) {
          expect(address).not.toMatch(/^\//);
          expect(existsSync(path.join(offline, address)), address).toBe(true);
        }
        expect(readFileSync(path.join(offline, 'styles.css'), 'utf8')).toMatch(/@import url\("?(\.\/)?print\.css"?\) print/);
        const { pages } = manifestOf(site());
        expect(pages.length).toBeGreaterThan(2);
        for (const { file } of pages) {
          const html = readFileSync(path.join(site().offline, file), 'utf8').replaceAll(/<pre>.*?<\/pre>/gs, '');
          expect(html.match(/["'(=, ]\/docs[/"')][^\s"']*/g) ?? [], file).toEqual([]);
          expect(html, file).not.toContain('crossorigin');
        }
      });
    },
    // The formats differ only in file names, which are the same in both majors: one format is enough for Astro 6.
    { environment, astros: [astro] },
  );
}
