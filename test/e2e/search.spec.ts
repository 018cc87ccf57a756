import type { Page } from '@playwright/test';
import { axeFindings } from './axe.ts';
import { field } from './ask-panel.ts';
import { expect, exported, test } from './exported.ts';
import { dialog, openSearch, results, search, searchField, status } from './search-dialog.ts';

const queries = [
  'retries',
  'backoff doubles',
  'partitionKey',
  'batchTrigger',
  'deploy kubernetes',
  'dead lettrs',
  'quetzalcoatlus',
  'maximumLease',
  'systemd unit',
  'QueueFull',
];

test('ten searches give the same results from file://, from http:// and under a sub-path', async ({ page, serve }) => {
  const site = exported('docs-json-site');
  const homes = [site.file('').replace(/\/?$/, '/'), await serve(site.folder), await serve(site.zip, '/some/sub-path/')];
  const found: Record<string, string[]>[] = [];
  for (const home of homes) {
    await page.goto(`${home}index.html`);
    await openSearch(page);
    const answers: Record<string, string[]> = {};
    for (const query of queries) answers[query] = await search(page, query, home);
    found.push(answers);
  }
  for (const query of queries) expect(found[0]![query]!.length, query).toBeGreaterThan(0);
  expect(found[1]).toEqual(found[0]);
  expect(found[2]).toEqual(found[0]);
});

test('search works by keyboard alone, and the page highlights the words', async ({ page }) => {
  await page.goto(exported('docs-json-site').file('index.html'));
  await page.keyboard.press('ControlOrMeta+k');
  await expect(searchField(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();

  await page.keyboard.press('/');
  await expect(searchField(page)).toBeFocused();
  // Inserted at once, because results for half a query would come and go.
  await page.keyboard.insertText('dead letters');
  await expect(status(page)).not.toBeEmpty();
  const first = await searchField(page).getAttribute('aria-activedescendant');
  await page.keyboard.press('ArrowDown');
  await expect(searchField(page)).not.toHaveAttribute('aria-activedescendant', first ?? '');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.waitForURL(/concepts\/queues\/index\.html.*#dead-letters/);
  await expect(page.locator('#dead-letters')).toBeInViewport();
  await expect.poll(() => page.evaluate(() => CSS.highlights.get('carrel-search')?.size)).toBeGreaterThan(0);
});

test('? opens a sheet of keys, also from the foot of search, and not while the reader types', async ({ page }) => {
  await page.goto(exported('docs-json-site').file('index.html'));
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await page.keyboard.press('?');
  await expect(sheet).toContainText('Ask the docs');
  await expect(sheet.getByRole('button', { name: 'Close' })).toBeFocused();
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();

  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('why?');
  await expect(searchField(page)).toHaveValue('why?');
  await expect(sheet).toBeHidden();
  const button = dialog(page).getByRole('button', { name: 'Keyboard shortcuts' });
  await button.press('Enter');
  await expect(sheet).toBeVisible();
  await page.keyboard.press('?');
  await expect(button).toBeFocused();
});

test('search does not wait for a pause in typing where its part of the index is there', async ({ page }) => {
  const site = exported('docs-json-site');
  const home = site.file('').replace(/\/?$/, '/');
  await page.goto(`${home}index.html`);
  await openSearch(page);
  expect(await search(page, 'redrive', home)).not.toEqual([]);
  const href = await results(page).first().getAttribute('href');
  expect(await search(page, 'leases', home)).not.toEqual([]);
  await expect(results(page).first()).not.toHaveAttribute('href', href!);
  // No timer fires any more.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await searchField(page).fill('redrive');
  await expect(results(page).first()).toHaveAttribute('href', href!);
});

for (const place of ['from file://', 'over http'] as const) {
  test(`what is typed while search still loads is in its field, ${place}`, async ({ page, serve }) => {
    const site = exported('docs-json-site');
    const home = place === 'over http' ? await serve(site.folder) : site.file('').replace(/\/?$/, '/');
    await page.goto(`${home}index.html`);
    // Without a pause between the keys, as from a reader who types fast or on a slow network.
    await page.keyboard.type('/redrvie');
    for (const key of ['Backspace', 'Backspace', 'Backspace']) await page.keyboard.press(key);
    await page.keyboard.type('ive');
    await expect(dialog(page)).toHaveCount(1);
    await expect(searchField(page)).toBeFocused();
    await page.keyboard.type(' a');
    await expect(searchField(page)).toHaveValue('redrive a');
    await expect(results(page).first()).toBeVisible();
  });
}

test('search that still loads is a field of its own, which Escape and the shortcut close', async ({ page, serve }) => {
  const home = await serve(exported('docs-json-site').folder);
  const { promise: held, resolve: load } = Promise.withResolvers<void>();
  await page.route(/_carrel\/(core|search)\.\w+\.js$/, (route) => held.then(() => route.continue()));
  await page.goto(`${home}index.html`);
  const button = page.locator('[data-carrel-search]').first();
  await button.focus();
  const field = dialog(page).getByRole('textbox', { name: 'Search' });
  for (const key of ['Escape', 'ControlOrMeta+k']) {
    await page.keyboard.press('ControlOrMeta+k');
    await expect(field).toBeFocused();
    expect(await axeFindings(page, { include: 'dialog' })).toEqual([]);
    await page.keyboard.type('leases');
    await page.keyboard.press(key);
    await expect(dialog(page)).toHaveCount(0);
    await expect(button).toBeFocused();
  }
  await button.click();
  await page.keyboard.type('redrive');
  await expect(field).toHaveValue('redrive');
  load();
  // Search that was closed while it loaded stays closed; the last one opens, once.
  await expect(searchField(page)).toBeFocused();
  await expect(searchField(page)).toHaveValue('redrive');
  await expect(dialog(page)).toHaveCount(1);
  await expect(results(page).first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  await expect(button).toBeFocused();
});

test('a shortcut opens search again in the moment after it has closed', async ({ page }) => {
  await page.goto(exported('docs-json-site').file('index.html'));
  await page.keyboard.press('ControlOrMeta+k');
  await expect(searchField(page)).toBeFocused();
  // Both in one task: until the next frame, the field of the closed dialog has the focus.
  await page.evaluate(() => {
    const { shadowRoot } = document.querySelector('carrel-search')!;
    shadowRoot!.querySelector('dialog')!.close();
    const target = shadowRoot!.activeElement ?? document.body;
    target.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true, composed: true, cancelable: true }));
  });
  await expect(searchField(page)).toBeFocused();
});

test('a screen reader announces the number of results, of which none is a comment or a page for members', async ({ page }) => {
  await page.goto(exported('docs-json-site').file('index.html'));
  await openSearch(page);
  await search(page, 'worker', '');
  const count = await results(page).count();
  expect(count).toBeGreaterThan(0);
  await expect(dialog(page).getByRole('status')).toContainText(/\d+ results$/);
  await search(page, 'clockskew', '');
  await expect(status(page)).toHaveText('1 result');
  // Words of comments, of pages for members or of hidden pages.
  expect(await search(page, 'xylophonist', '')).toEqual([]);
  expect(await search(page, 'sesquipedalian', '')).toEqual([]);
});

test('more results appear when the reader reaches the end of the first ones', async ({ page }) => {
  await page.goto(exported('docs-json-site').file('index.html'));
  await openSearch(page);
  const first = await search(page, 'queue', '');
  expect(first).toHaveLength(10);
  await expect(status(page)).toContainText('10');
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => results(page).count()).toBeGreaterThan(10);
  const all = await results(page).evaluateAll((options) => options.map(({ id, ariaSelected }) => ({ id, ariaSelected })));
  await expect(status(page)).toContainText(String(all.length));
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(all.map(({ ariaSelected }) => ariaSelected).indexOf('true')).toBe(9);
});

test('the dialog suggests an earlier search', async ({ page }) => {
  const site = exported('docs-json-site');
  await page.goto(site.file('index.html'));
  await openSearch(page);
  await search(page, 'redrive', '');
  await page.keyboard.press('Enter');
  await page.waitForURL(/#/);
  await openSearch(page);
  await expect(dialog(page)).toContainText('redrive');
  await search(page, 'partitionKey', '');
  await page.keyboard.press('Escape');
  await openSearch(page);
  await searchField(page).fill('');
  await expect(dialog(page).getByRole('option')).toHaveText(['partitionKey', 'redrive']);
});

test('a search finds pages of one part of the site alone, also on the next page, and says what the others have', async ({
  page,
}) => {
  const site = exported('docs-json-site');
  const home = site.file('').replace(/\/?$/, '/');
  const part = (name: string) =>
    dialog(page).getByRole('radiogroup', { name: 'Search in' }).getByRole('radio', { name, exact: true });
  await page.goto(`${home}index.html`);
  await openSearch(page);
  const everywhere = await search(page, 'queue', home);
  await expect(part('All')).toBeChecked();
  await part('All').focus();
  for (let at = 0; at < 3; at++) await page.keyboard.press('ArrowRight');
  await expect(part('Reference')).toBeChecked();
  await expect.poll(async () => (await results(page).first().getAttribute('href')) ?? '').toContain('/reference/');
  const within = await search(page, 'queue', home);
  expect(within.every((url) => everywhere.includes(url) || url.startsWith('reference/'))).toBe(true);
  expect(within.length).toBeLessThan(everywhere.length);

  await page.goto(`${home}concepts/queues/index.html`);
  await openSearch(page);
  expect(await search(page, 'queue', home)).toEqual(within);
  await expect(part('Reference')).toBeChecked();
  expect(await axeFindings(page)).toEqual([]);

  expect(await search(page, 'callout', home)).toEqual([]);
  await dialog(page).getByRole('option', { name: /^All/ }).click();
  await expect(part('All')).toBeChecked();
  await expect(results(page).first()).toHaveAttribute('href', /components\/callouts/);
});

test('results say where their page is and for which spelling they are, and open in a new tab', async ({ page, context }) => {
  await page.goto(exported('docs-json-site').file('index.html'));
  await openSearch(page);
  await search(page, 'dead lettrs', '');
  await expect(dialog(page).getByText('Results for “dead letters”')).toBeVisible();
  await expect(dialog(page).locator('.trail').first()).toHaveText('Concepts');
  await search(page, 'dead letters', '');
  await expect(dialog(page).getByText('Results for')).toBeHidden();
  const opened = context.waitForEvent('page');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(await opened).toHaveURL(/concepts\/queues\/index\.html/);
  await expect(dialog(page)).toBeVisible();
  expect(await axeFindings(page, { include: 'carrel-search' })).toEqual([]);
});

test('each version and language searches its own pages, and the others on demand', async ({ page }) => {
  const site = exported('versions-languages');
  const home = site.file('').replace(/\/?$/, '/');
  await page.goto(site.file('en/v1/lamp/index.html'));
  await openSearch(page);
  const hits = await search(page, 'whale oil', home);
  expect(hits.length).toBeGreaterThan(0);
  expect(hits.filter((hit) => !hit.startsWith('en/v1/'))).toEqual([]);
  expect((await search(page, 'fog horn', home)).filter((hit) => hit.includes('fog'))).toEqual([]);
  await dialog(page)
    .getByLabel(/other versions/i)
    .check();
  expect((await search(page, 'fog horn', home))[0]).toContain('en/v2/fog/index.html');
});

/** The options of the dialog that are not results. */
const otherOptions = (page: Page) => dialog(page).locator('[role=option]:not(a)');
const groups = (page: Page) => dialog(page).getByRole('group');

test('a page shows its two best sections, and the others in their place by keyboard', async ({ page }) => {
  await page.goto(exported('manual').file('index.html'));
  await openSearch(page);
  const hits = await search(page, 'export site settings', '');
  expect(new Set(hits.map((hit) => hit.replace(/#.*/, ''))).size).toBeGreaterThanOrEqual(5);
  const perGroup = await groups(page).evaluateAll((all) => all.map((group) => group.querySelectorAll('a').length));
  expect(Math.max(...perGroup)).toBe(2);
  const more = otherOptions(page).first();
  await expect(more).toHaveText(/^\d+ more on this page$/);
  const hidden = Number.parseInt(await more.innerText(), 10);
  const label = await more.locator('xpath=..').getAttribute('aria-labelledby');
  const at = await dialog(page)
    .getByRole('option')
    .evaluateAll((all) => all.findIndex(({ id }) => id.startsWith('more-')));
  for (let i = 0; i < at; i++) await page.keyboard.press('ArrowDown');
  await expect(more).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  const opened = dialog(page).locator(`[aria-labelledby="${label}"]`);
  await expect(opened.locator('a')).toHaveCount(2 + hidden);
  const active = opened.locator('[aria-selected=true]');
  await expect(active).toHaveAttribute('id', (await opened.locator('a').nth(2).getAttribute('id')) ?? '');
  await expect(status(page)).toHaveText(`${await results(page).count()} results`);
  const pages = await opened.locator('a').evaluateAll((links) => links.map((link) => (link as HTMLElement).dataset['page']));
  expect(new Set(pages).size).toBe(1);
  const url = await active.evaluate((link) => (link as HTMLAnchorElement).href);
  expect(url).toContain('highlight=');
  await page.keyboard.press('Enter');
  await page.waitForURL(url);
});

test('no result offers similar words, which are searched for, and Ask with the query', async ({ page, serve }) => {
  await page.goto(`${await serve(exported('docs-json-site').folder)}index.html`);
  await openSearch(page);
  expect(await search(page, 'kubrnetis', '')).toEqual([]);
  await expect(status(page)).toHaveText('Nothing found for “kubrnetis”');
  const similar = dialog(page).getByRole('group', { name: 'Did you mean' }).getByRole('option');
  await expect(similar).toHaveText(['Kubernetes']);
  expect(await axeFindings(page, { include: 'carrel-search' })).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(searchField(page)).toHaveValue('Kubernetes');
  await expect(results(page).first()).toHaveAttribute('href', /kubernetes/);

  await expect(dialog(page).getByRole('button', { name: 'Ask the docs' })).toBeVisible();
  expect(await search(page, 'xylophonist', '')).toEqual([]);
  // The only way to Ask.
  await expect(dialog(page).getByText('Ask the docs').filter({ visible: true })).toHaveCount(1);
  await dialog(page).getByRole('option', { name: 'Ask the docs: “xylophonist”' }).click();
  await expect(dialog(page).getByRole('combobox')).toHaveCount(0);
  await expect(field(page)).toHaveValue('xylophonist');
});

test('no result names the other versions and languages that have some, and shows them', async ({ page }) => {
  const site = exported('versions-languages');
  await page.goto(site.file('en/v1/lamp/index.html'));
  await openSearch(page);
  expect(await search(page, 'horn', '')).toEqual([]);
  const elsewhere = dialog(page).getByRole('group', { name: 'Results in other languages and versions' });
  await expect(elsewhere.getByRole('option').first()).toContainText('English · v2');
  await elsewhere.getByRole('option').first().click();
  await expect(results(page).first()).toHaveAttribute('href', /en\/v2\//);
  await expect(groups(page).first()).toContainText('English · v2');
  await expect(searchField(page)).toBeFocused();
});

test('before a search, the dialog says what it finds and by which keys, and then marks the words softly', async ({
  page,
  serve,
}) => {
  await page.goto(`${await serve(exported('docs-json-site').folder)}index.html`);
  const button = page.locator('[data-carrel-search]').first();
  await expect(button).toContainText('Search Tidewater');
  await openSearch(page);
  await expect(searchField(page)).toHaveAttribute('placeholder', 'Search Tidewater');
  await expect(dialog(page).getByText('Typos are fine')).toBeVisible();
  await expect(dialog(page).locator('.keys')).toHaveText('↑↓Move↵OpenEscClose');
  expect(await axeFindings(page, { include: 'carrel-search' })).toEqual([]);
  await search(page, 'worker', '');
  await expect(dialog(page).getByText('Typos are fine')).toBeHidden();

  // Matches in excerpts have a soft background, and do not look like links.
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const look = await dialog(page)
      .locator('mark')
      .first()
      .evaluate((mark) => {
        const { backgroundColor, color, textDecorationLine } = getComputedStyle(mark);
        return {
          backgroundColor,
          textDecorationLine,
          isText: color === getComputedStyle(mark.closest('a')!.querySelector('.section')!).color,
        };
      });
    expect(look).toEqual({
      backgroundColor: expect.not.stringMatching(/^rgba\(0, 0, 0, 0\)$/),
      textDecorationLine: 'none',
      isText: true,
    });
  }
  expect(await axeFindings(page, { include: 'carrel-search' })).toEqual([]);
});

test('excerpts keep the cells of a table apart, and no result is without words', async ({ page }) => {
  await page.goto(exported('manual').file('index.html'));
  await openSearch(page);
  for (const query of ['CARREL_DATA data', 'reference', 'options', 'server']) {
    const count = (await search(page, query, '')).length;
    expect(count).toBeGreaterThan(3);
    for (let at = 0; at < count; at++) {
      await results(page).nth(at).scrollIntoViewIfNeeded();
      await expect(results(page).nth(at).locator('.excerpt'), query).toHaveText(/\S/);
    }
    if (query.startsWith('CARREL_DATA')) await expect(dialog(page)).toContainText('CARREL_DATA · data · .carrel');
  }
});

test('the highlights of a result are outside code blocks, and a button or Escape ends them', async ({ page, serve }) => {
  const home = await serve(exported('docs-json-site').folder);
  const highlighted = () =>
    page.evaluate(() => {
      const ranges = [...(CSS.highlights.get('carrel-search') ?? [])] as Range[];
      return ranges.map(({ startContainer }) => (startContainer.parentElement?.closest('pre') ? 'code' : 'text'));
    });
  const clear = page.getByRole('button', { name: 'Clear highlights' });
  for (const end of ['button', 'key'] as const) {
    await page.goto(`${home}reference/configuration/index.html?highlight=retry+lease+attempt`);
    await expect(page.locator('pre').first()).toContainText('attempts');
    await expect.poll(async () => (await highlighted()).length).toBeGreaterThan(2);
    expect(new Set(await highlighted())).toEqual(new Set(['text']));
    await expect(clear).toBeVisible();
    if (end === 'button') {
      expect(await axeFindings(page)).toEqual([]);
      await clear.click();
    } else await page.keyboard.press('Escape');
    await expect(clear).toHaveCount(0);
    expect(await highlighted()).toEqual([]);
  }
});
