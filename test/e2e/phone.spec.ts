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

test('the language of an example is chosen in a list, and a line that goes on has a shadow at its edge', async ({ page }) => {
  await page.goto(exported('playground').file('api-reference/parcels/send-a-parcel/index.html'));
  const group = page.locator('.c-code-group').first();
  const list = group.getByRole('combobox', { name: 'Example' });
  await expect(list).toHaveValue('cURL');
  expect(await list.getByRole('option').count()).toBeGreaterThan(5);
  const code = group.locator('pre:visible');
  expect(await code.evaluate((pre) => pre.scrollWidth - pre.clientWidth)).toBeGreaterThan(0);
  expect(await code.evaluate((pre) => getComputedStyle(pre).backgroundImage)).toContain('gradient');
  await list.selectOption('Python');
  await expect(code).toContainText('requests');
  const box = (await list.boundingBox())!;
  const copy = (await group.locator('.c-code-panel:not([hidden]) :is(.c-ask, .c-copy)').first().boundingBox())!;
  expect(box.x + box.width).toBeLessThanOrEqual(copy.x + 1);
  // The same language on the next page.
  await page.goto(exported('playground').file('api-reference/parcels/list-parcels/index.html'));
  await expect(list).toHaveValue('Python');
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

  // The page menu is beside the title, also beside a long one.
  const title = page.getByRole('heading', { level: 1 });
  await title.evaluate((heading) => (heading.textContent = 'Everything that carrel export can do with a folder of docs'));
  const [words, copy] = [(await title.boundingBox())!, (await page.getByRole('button', { name: 'Copy page' }).boundingBox())!];
  expect(words.height).toBeGreaterThan(60);
  expect(copy.y + copy.height / 2).toBeLessThan(words.y + words.height / 2);
  expect(copy.x).toBeGreaterThanOrEqual(words.x + words.width);
});
