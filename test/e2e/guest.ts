import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import type { Manifest } from '../../integration/manifest.ts';
import { buildGuest, type AstroMajor, type GuestBuild } from '../support/build-guest.ts';
import { serveFolder } from '../support/serve-folder.ts';
import { expect, test as base } from './exported.ts';
import { dialog, results, searchField, status } from './search-dialog.ts';
import { hrefs, leadsSomewhere } from './links.ts';

const majors: AstroMajor[] = [6, 7];

/** Where readers open an export: below some path of a static host, and as files, without a network. */
export const exportPlaces = ['over http', 'from file://'] as const;
/** As Astro made it comes first: it shows that the fixture itself is good. */
export const places = ['as built', ...exportPlaces] as const;
export type Place = (typeof places)[number];

interface GuestFixtures {
  /** Gives the address of a guest's home in a place, with a slash at its end. `base` is where it has to be as it was built. */
  open(site: GuestBuild, place: Place, base?: string): Promise<string>;
}

export const test = base.extend<GuestFixtures>({
  open: async ({ context }, use) => {
    const running: { close(): Promise<void> }[] = [];
    await use(async (site, place, base = '/') => {
      if (place === 'from file://') {
        await context.setOffline(true);
        return `${pathToFileURL(site.offline).href}/`;
      }
      const served = place === 'as built' ? serveFolder(site.dist, base) : serveFolder(site.offline, '/some/sub-path/');
      running.push(await served);
      return (await served).address;
    });
    await Promise.all(running.map((served) => served.close()));
  },
});

/** Declares the tests of a guest, built with both Astros or those named; `site()` is the build, once a test runs. */
export function forEachAstro(
  name: string,
  declare: (site: () => GuestBuild, astro: AstroMajor) => void,
  { astros = majors, environment = {} }: { astros?: AstroMajor[]; environment?: Record<string, string> } = {},
): void {
  for (const astro of astros) {
    const settings = Object.values(environment);
    test.describe([`Astro ${astro}`, ...settings].join(', '), () => {
      // One after the other, so that one worker builds the site, not all of them.
      test.describe.configure({ mode: 'default' });
      let built: GuestBuild | undefined;
      test.beforeAll(async () => {
        test.setTimeout(300_000);
        built = await buildGuest(name, { astro, environment });
      });
      declare(() => built!, astro);
    });
  }
}

export function manifestOf(site: GuestBuild): Manifest {
  return JSON.parse(readFileSync(path.join(site.offline, 'carrel.json'), 'utf8'));
}

/** Opens every page from file:// and fails for each link that leads to no file, or to no element of a page. */
export async function expectLinksToLead(page: Page, site: GuestBuild, home: string): Promise<void> {
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
  expect(links.filter(({ href }) => !leadsSomewhere(href, site.offline, ids))).toEqual([]);
}

/** Presses Ctrl/Cmd+K, types, takes the best result by Enter and waits for the page whose address begins so. */
export async function findByKeyboard(page: Page, words: string, address: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  await expect(searchField(page)).toBeFocused();
  // In one stroke: results of half a query would come and go.
  await page.keyboard.insertText(words);
  await expect(status(page)).not.toBeEmpty();
  await expect(results(page).first()).toBeVisible();
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.href.startsWith(address));
  await expect(dialog(page)).toBeHidden();
}

/** Fails for each picture of the page that does not load. */
export async function expectPicturesToLoad(page: Page): Promise<void> {
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
