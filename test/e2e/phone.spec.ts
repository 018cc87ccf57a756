import { expect, exported, test } from './exported.ts';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

/** What a finger opens, apart from links in sentences, which are as high as their line. */
const CONTROLS =
  'button, summary, [role=tab], .c-navigation a, .c-on-this-page a, .c-previous-next a, .c-page-facts a, .c-footer a, .c-eyebrow a, .c-menu a, .c-drawer-links a';

test('what can be touched is 44 pixels high and wide, in the page and in its menu', async ({ page }) => {
  for (const [site, path] of [
    ['docs-json-site', 'components/tabs/index.html'],
    ['versions-languages', 'ar/v2/lamp/index.html'],
    ['docs-json-site', 'index.html'],
  ] as const) {
    await page.goto(exported(site).file(path));
    const small = () =>
      page.locator(CONTROLS).evaluateAll((controls) =>
        controls
          .filter((control) => control.checkVisibility({ visibilityProperty: true }))
          .map((control) => ({ control, box: control.getBoundingClientRect() }))
          // Two buttons share the height of a line of code.
          .filter(
            ({ control, box }) => box.width < 43.5 || box.height < (control.matches('.c-code > * > *, .c-code > *') ? 34 : 43.5),
          )
          .map(({ control, box }) => `${control.outerHTML.slice(0, 120)} ${box.width} × ${box.height}`),
      );
    expect(await page.locator(CONTROLS).count(), path).toBeGreaterThan(5);
    expect(await small(), path).toEqual([]);
    await page.getByRole('banner').locator('.c-header-menu').tap();
    await expect(page.locator('.c-drawer-theme')).toBeVisible();
    expect(await small(), path).toEqual([]);
  }
  // The theme is chosen in the menu, in one place.
  await expect(page.getByRole('button', { name: 'Dark' })).toHaveCount(1);
  await page.getByRole('button', { name: 'Dark' }).tap();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('the header is one row of 56 pixels, and names the group of the page once', async ({ page }) => {
  await page.goto(exported('docs-json-site').file('guides/monitoring/index.html'));
  const header = (await page.getByRole('banner').boundingBox())!;
  expect(header.height).toBeLessThanOrEqual(56);
  const group = await page.locator('.c-eyebrow').innerText();
  expect(group).not.toBe('');
  await expect(page.getByText(group, { exact: true }).filter({ visible: true })).toHaveCount(1);
});

test('many languages of an example scroll between their first title and the buttons for the code', async ({ page }) => {
  await page.goto(exported('playground').file('api-reference/parcels/send-a-parcel/index.html'));
  const group = page.locator('.c-code-group').first();
  const tabs = await group.getByRole('tab').evaluateAll((elements) =>
    elements.map((tab) => ({
      name: tab.textContent,
      missing: tab.scrollWidth - tab.clientWidth,
      ...tab.getBoundingClientRect().toJSON(),
    })),
  );
  expect(tabs.length).toBeGreaterThan(5);
  expect(tabs.filter(({ missing }) => missing > 0)).toEqual([]);
  const list = (await group.getByRole('tablist').boundingBox())!;
  const copy = (await group.locator('.c-code-panel:not([hidden]) :is(.c-ask, .c-copy)').first().boundingBox())!;
  expect(list.x + list.width).toBeLessThanOrEqual(copy.x + 1);
});

test('search is closed by a button with a cross, not by the name of a key', async ({ page }) => {
  await page.goto(exported('docs-json-site').file('index.html'));
  await page.locator('.c-search-button').tap();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  const close = dialog.getByRole('button', { name: 'Close' });
  expect(await close.evaluate((button) => getComputedStyle(button, '::before').content)).not.toContain('Esc');
  const { width, height } = (await close.boundingBox())!;
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
  await close.tap();
  await expect(dialog).toBeHidden();
});

test('an option in a sentence is not cut after its hyphens', async ({ page }) => {
  await page.goto(exported('manual').file('export/index.html'));
  const options = page.locator('.prose :is(p, li, td) code .c-nowrap, .prose :is(p, li, td) code.c-nowrap');
  expect(await options.count()).toBeGreaterThan(5);
  for (const option of await options.all())
    expect(await option.evaluate((code) => code.getClientRects().length), await option.innerText()).toBe(1);
  await expect(page.getByText('--paths guides/install,guides/use', { exact: true })).toBeVisible();
});
