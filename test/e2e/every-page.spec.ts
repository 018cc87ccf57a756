import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { expect, exported, test } from './exported.ts';

for (const name of ['docs-json-site', 'versions-languages', 'manual']) {
  test(`every page of ${name} opens from file://, and every link leads somewhere`, async ({ page }) => {
    const site = exported(name);
    const ids = new Map<string, Set<string>>();
    const links: { from: string; href: string }[] = [];
    for (const { file } of site.manifest.pages) {
      const address = site.file(file);
      await page.goto(address);
      await expect(page.locator('h1').first()).not.toBeEmpty();
      ids.set(address, new Set(await page.locator('[id]').evaluateAll((elements) => elements.map((element) => element.id))));
      links.push(...(await hrefs(page)).map((href) => ({ from: file, href })));
    }
    const dead = links.filter(({ href }) => !leadsSomewhere(href, site.folder, ids));
    expect(dead).toEqual([]);
  });
}

test('the files that pages load are there', async ({ page }) => {
  const site = exported('docs-json-site');
  await page.goto(site.file('guides/monitoring/index.html'));
  const widths = await page
    .locator('main img')
    .evaluateAll((images) =>
      Promise.all(
        images.map((image) => (image as HTMLImageElement).decode().then(() => (image as HTMLImageElement).naturalWidth)),
      ),
    );
  expect(widths.length).toBeGreaterThan(0);
  expect(widths.every((width) => width > 0)).toBe(true);
});

test('an old address leads to its new one', async ({ page }) => {
  const site = exported('docs-json-site');
  for (const [old, now] of [
    ['start', 'quickstart/index.html'],
    ['deploy/docker', 'guides/deploy/docker/index.html'],
    ['old-reference/cli', 'reference/cli/index.html'],
    ['retry', 'concepts/retries/index.html#backoff'],
  ]) {
    await page.goto(site.file(`${old}/index.html`));
    await page.waitForURL(site.file('').replace(/\/?$/, '/') + now);
  }
});

function hrefs(page: Page): Promise<string[]> {
  return page.locator('a[href]').evaluateAll((anchors) => anchors.map((anchor) => (anchor as HTMLAnchorElement).href));
}

/** Whether an absolute address is another host's, or a file of the export with an element of that id. */
function leadsSomewhere(href: string, folder: string, ids: Map<string, Set<string>>): boolean {
  const url = new URL(href);
  if (url.protocol !== 'file:') return ['http:', 'https:', 'mailto:'].includes(url.protocol);
  const target = new URL(url.href.split('#')[0]!);
  const file = fileURLToPath(target);
  const known = ids.get(target.href);
  const anchor = decodeURIComponent(url.hash.slice(1));
  // A browser opens a folder as a listing: a link must name the file.
  return file.startsWith(folder) && existsSync(file) && !file.endsWith('/') && (anchor === '' || !known || known.has(anchor));
}
