import { expect, exported, test } from './exported.ts';
import { hrefs, isWorkingLink } from './links.ts';
import { outside } from './narrow.ts';

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  for (const name of [
    ...['docs-json-site', 'versions-languages', 'manual', 'plain-folder', 'arabic', 'cjk', 'russian', 'elsewhere'],
    ...['channels', 'layout', 'wide', 'playground', 'graphql', 'components'],
  ]) {
    test(`every page of ${name} opens from file://, no link is broken, and nothing is wider than the screen`, async ({
      page,
    }) => {
      const site = exported(name);
      const ids = new Map<string, Set<string>>();
      const links: { from: string; href: string }[] = [];
      for (const { file } of site.manifest.pages) {
        const address = site.file(file);
        await page.goto(address);
        await expect(page.locator('h1').first()).not.toBeEmpty();
        ids.set(address, new Set(await page.locator('[id]').evaluateAll((elements) => elements.map((element) => element.id))));
        links.push(...(await hrefs(page)).map((href) => ({ from: file, href })));
        expect(await outside(page), file).toEqual([]);
      }
      expect(links.length).toBeGreaterThan(site.manifest.pages.length);
      const dead = links.filter(({ href }) => !isWorkingLink(href, site.folder, ids));
      expect(dead).toEqual([]);
    });
  }
});

test('an air-gapped export shows a placeholder with the URL of each external load', async ({ page }) => {
  const site = exported('elsewhere');
  await page.goto(site.file('index.html'));
  await expect(page.locator('a.c-remote')).toHaveText([/A boat.*boat\.png/, /A quay.*small\.png/, /A day.*day\.png/]);
  await expect(page.locator('.c-header')).toContainText('Harbour');
  await page.goto(site.file('films/index.html'));
  await expect(page.locator('a.c-remote')).toHaveCount(6);
  await expect(page.locator('iframe, video, audio, img')).toHaveCount(0);
});

test('the images of a page load', async ({ page }) => {
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

test('a redirect opens the new page', async ({ page }) => {
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
