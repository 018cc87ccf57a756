import { expect, exported, test } from './exported.ts';
import { hrefs, leadsSomewhere } from './links.ts';

for (const name of ['docs-json-site', 'versions-languages', 'manual', 'plain-folder', 'arabic', 'cjk', 'russian', 'elsewhere']) {
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
    expect(links.length).toBeGreaterThan(site.manifest.pages.length);
    const dead = links.filter(({ href }) => !leadsSomewhere(href, site.folder, ids));
    expect(dead).toEqual([]);
  });
}

test('what an air-gapped site would load from elsewhere stands there as a card with its address', async ({ page }) => {
  const site = exported('elsewhere');
  await page.goto(site.file('index.html'));
  await expect(page.locator('a.c-remote')).toHaveText([/A boat.*boat\.png/, /A quay.*small\.png/, /A day.*day\.png/]);
  await expect(page.locator('.header')).toContainText('Harbour');
  await page.goto(site.file('films/index.html'));
  await expect(page.locator('a.c-remote')).toHaveCount(5);
  await expect(page.locator('iframe, video, audio, img')).toHaveCount(0);
});

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
