import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import type { Manifest } from '../../integration/manifest.ts';
import { buildStaticSite, type AstroMajor, type StaticSiteBuild } from '../support/build-static-site.ts';
import { serveFolder } from '../support/serve-folder.ts';
import { expect, test as base } from './exported.ts';
import { dialog, results, searchField, status } from './search-dialog.ts';
import { hrefs, isWorkingLink } from './links.ts';

const majors: AstroMajor[] = [6, 7];

/** Where readers open an export: below a path of a static host, and from file:// without a network. */
export const exportPlaces = ['over http', 'from file://'] as const;
export type Place = 'as built' | (typeof exportPlaces)[number];
/** Of the older Astro only the harder one: what a host changes is the same for both. */
export const exportPlacesOf = (astro: AstroMajor) => (astro === 7 ? exportPlaces : (['from file://'] as const));
/** The site as the newer Astro built it comes first: it shows that the fixture itself works. */
export const placesOf = (astro: AstroMajor): readonly Place[] => [
  ...(astro === 7 ? (['as built'] as const) : []),
  ...exportPlacesOf(astro),
];

interface StaticSiteFixtures {
  /** Returns the URL of the site's home page in a place, with a trailing slash. `base` is the base path of the build. */
  open(site: StaticSiteBuild, place: Place, base?: string): Promise<string>;
}

export const test = base.extend<StaticSiteFixtures>({
  open: async ({ context, servers }, use) => {
    await use(async (site, place, base = '/') => {
      if (place === 'from file://') {
        await context.setOffline(true);
        return `${pathToFileURL(site.offline).href}/`;
      }
      const served = await (place === 'as built' ? serveFolder(site.dist, base) : serveFolder(site.offline, '/some/sub-path/'));
      servers.push(served);
      return served.address;
    });
  },
});

/** Declares tests of a fixture, built with both Astro versions or those listed; `site()` returns the build while a test runs. */
export function forEachAstro(
  name: string,
  declare: (site: () => StaticSiteBuild, astro: AstroMajor) => void,
  { astros = majors, environment = {} }: { astros?: AstroMajor[]; environment?: Record<string, string> } = {},
): void {
  for (const astro of astros) {
    const settings = Object.values(environment);
    test.describe([`Astro ${astro}`, ...settings].join(', '), () => {
      // The tests run one after another, so that only one worker builds the site.
      test.describe.configure({ mode: 'default' });
      let built: StaticSiteBuild | undefined;
      test.beforeAll(async () => {
        built = await buildStaticSite(name, { astro, environment });
      });
      declare(() => built!, astro);
    });
  }
}

export function manifestOf(site: StaticSiteBuild): Manifest {
  return JSON.parse(readFileSync(path.join(site.offline, 'carrel.json'), 'utf8'));
}

/** Opens every page and fails for each link whose file or element does not exist. */
export async function expectWorkingLinks(page: Page, site: StaticSiteBuild, home: string): Promise<void> {
  const ids = new Map<string, Set<string>>();
  const links: { from: string; href: string }[] = [];
  for (const { file } of manifestOf(site).pages) {
    const address = home + file;
    await page.goto(address);
    await expect(page.locator('h1').first()).not.toBeEmpty();
    ids.set(address, new Set(await page.locator('[id]').evaluateAll((elements) => elements.map((element) => element.id))));
    links.push(...(await hrefs(page)).map((href) => ({ from: file, href })));
  }
  expect(links.length).toBeGreaterThanOrEqual(ids.size);
  expect(links.filter(({ href }) => !isWorkingLink(href, site.offline, ids))).toEqual([]);
}

/** Presses Ctrl/Cmd+K, types, opens the best result with Enter and waits for a page whose URL starts with `address`. */
export async function findByKeyboard(page: Page, words: string, address: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  await expect(searchField(page)).toBeFocused();
  // Inserted at once, because results for half a query would come and go.
  await page.keyboard.insertText(words);
  await expect(status(page)).not.toBeEmpty();
  await expect(results(page).first()).toBeVisible();
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.href.startsWith(address));
  await expect(dialog(page)).toBeHidden();
}

/** Fails for each image of the page that does not load. */
export async function expectImagesToLoad(page: Page): Promise<void> {
  const broken = await page.locator('img').evaluateAll((images) =>
    Promise.all(
      (images as HTMLImageElement[]).map(async (image) => {
        image.loading = 'eager';
        await image.decode().catch(() => {});
        return image.naturalWidth > 0 ? [] : [image.currentSrc || image.src];
      }),
    ).then((sources) => sources.flat()),
  );
  expect(broken).toEqual([]);
}
