import { statSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { axeFindings } from './axe.ts';
import { expect, exported, test } from './exported.ts';

const large = () => exported('large');
const sidebar = (page: Page) => page.locator('#carrel-sidebar .c-navigation');
const open = (page: Page, name: string) => page.goto(large().file(`${name}/index.html`));
const current = (page: Page) => sidebar(page).locator('[aria-current="page"]');
const topOf = (page: Page) => current(page).evaluate((entry) => entry.getBoundingClientRect().top);

test('the sidebar is completed around the entries of the page, which stay where they are', async ({ page }) => {
  await page.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () => {
      const entry = document.querySelector<HTMLElement>('.c-navigation [aria-current="page"]')!;
      entry.dataset['top'] = String(entry.getBoundingClientRect().top);
      entry.dataset['carried'] = String(document.querySelectorAll('.c-navigation li').length);
    });
  });
  await open(page, 'basics/step-100');
  await expect(sidebar(page).getByRole('link', { name: 'basics step-0', exact: true })).toBeAttached();
  await expect(sidebar(page).locator('summary', { hasText: 'Topic 29' })).toBeAttached();
  await expect(sidebar(page).locator('.c-all-pages')).toHaveCount(0);
  await expect(sidebar(page).locator('ul > li')).toHaveCount(150 + 2 + 30);
  // The same element as before the navigation script.
  const noted = await current(page).evaluate(({ dataset: { top, carried } }) => ({ top, carried }));
  expect(Number(noted.carried)).toBeLessThan(60);
  expect(Math.abs((await topOf(page)) - Number(noted.top))).toBeLessThanOrEqual(1);
});

test('a closed group opens by keyboard, and its entries follow it', async ({ page }) => {
  await open(page, 'topics/3');
  const group = sidebar(page).locator('summary', { hasText: 'Topic 7' });
  await group.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(sidebar(page).getByRole('link', { name: 'topics 7', exact: true })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(sidebar(page).getByRole('link', { name: 'topics 7 more' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.waitForURL(/topics\/7\/more/);
  await expect(current(page)).toHaveText('topics 7 more');
});

test('a link with the focus becomes a group only after it has lost it', async ({ page }) => {
  await page.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () =>
      document.querySelector<HTMLElement>('a.c-closed[href$="/9/index.html"]')!.focus(),
    );
  });
  await open(page, 'topics/3');
  await expect(sidebar(page).locator('summary', { hasText: 'Topic 8' })).toBeAttached();
  await expect(sidebar(page).getByRole('link', { name: 'Topic 9' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(sidebar(page).locator('summary', { hasText: 'Topic 9' })).toBeAttached();
});

test('open groups and the position of the list survive a change of the page', async ({ page }) => {
  await open(page, 'topics/3');
  await sidebar(page).locator('summary', { hasText: 'Topic 12' }).click();
  const link = sidebar(page).getByRole('link', { name: 'topics 12', exact: true });
  await sidebar(page).locator('summary', { hasText: 'Topic 14' }).click();
  await sidebar(page).locator('summary', { hasText: 'Topic 3' }).first().click();
  const before = (await link.boundingBox())!.y;
  await link.click();
  await page.waitForURL(/topics\/12\//);
  await expect(sidebar(page).getByRole('link', { name: 'topics 14', exact: true })).toBeVisible();
  await expect(sidebar(page).getByRole('link', { name: 'topics 3', exact: true })).toBeHidden();
  await expect.poll(async () => Math.abs((await topOf(page)) - before)).toBeLessThanOrEqual(2);
});

test('a page is loaded when the reader points at its link', async ({ page, serve }) => {
  const link = page.locator('#carrel-sidebar').getByRole('link', { name: 'Retries' });
  await page.goto(`${await serve(exported('docs-json-site').folder, '/docs/')}quickstart/index.html`);
  const loaded = page.waitForEvent('requestfinished', (request) => request.url().includes('retries'));
  await link.hover();
  expect((await (await loaded).allHeaders())['sec-purpose']).toBe('prefetch');
  await link.click();
  await expect(page.locator('h1')).toHaveText('Retries');
  const sizes = () =>
    performance.getEntriesByType('navigation').map((entry) => (entry as PerformanceResourceTiming).transferSize);
  expect(await page.evaluate(sizes)).toEqual([0]);
});

test('a group of 50,000 entries grows with the reader', async ({ page }) => {
  await open(page, 'big/middle');
  const items = sidebar(page).getByRole('listitem');
  await expect.poll(() => items.count()).toBeGreaterThan(900);
  expect(await items.count()).toBeLessThan(1200);
  const last = await items.last().textContent();
  await page.locator('#carrel-sidebar').evaluate((box) => (box.scrollTop = box.scrollHeight));
  await expect.poll(async () => (await items.count()) > 1000 && (await items.last().textContent()) === last).toBe(true);
  await expect(sidebar(page).locator('.c-all-pages')).toHaveCount(1);
});

test('entries that are added above others do not style those again', async ({ page, browser }) => {
  await open(page, 'big/middle');
  // So many are added while the browser is idle, and no more.
  await expect.poll(() => sidebar(page).locator('> ul:not(.c-anchors) li').count()).toBeGreaterThanOrEqual(1000);
  await browser.startTracing(page, { categories: ['devtools.timeline'] });
  await sidebar(page).evaluate((navigation) => {
    const second = navigation.querySelector('ul ul > li:nth-child(2)')!;
    const added = second.cloneNode(true) as HTMLElement;
    second.before(added);
    added.getBoundingClientRect();
  });
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: { name: string; args: { elementCount?: number } }[];
  };
  const styled = traceEvents.flatMap(({ name, args }) => (name === 'UpdateLayoutTree' ? (args.elementCount ?? 0) : []));
  expect(Math.max(...styled)).toBeGreaterThan(0);
  expect(Math.max(...styled)).toBeLessThan(300);
});

test('a page below 2,000 groups shows the top level and the nearest groups', async ({ page }) => {
  await open(page, 'deep/last');
  await expect(current(page)).toHaveText('deep last');
  await expect(sidebar(page).locator('.c-folded')).toHaveCount(1);
  // It leads to the page that is open, whose URL is no sign that it has been loaded again.
  const loaded = page.waitForEvent('load');
  await sidebar(page).locator('.c-folded > a').click();
  await loaded;
  expect(page.url()).toContain('deep/last');
  await open(page, 'deep/first');
  // Before the script has added the groups, each is a link to its first page.
  const groups = sidebar(page).locator('summary');
  for (let level = 2; level <= 20; level++) await groups.getByText(`Level ${level}`, { exact: true }).click();
  const title = sidebar(page).getByText('Level 21', { exact: true });
  await expect(title).toBeVisible();
  const { width, height } = (await title.boundingBox())!;
  expect(width).toBeGreaterThan(60);
  expect(height).toBeLessThan(30);
});

test('a page in 40 places is current in the first of them without script', async ({ browser }) => {
  const page = await browser.newPage({ javaScriptEnabled: false });
  await open(page, 'everywhere');
  await expect(sidebar(page).getByRole('link', { name: 'everywhere' })).toHaveCount(1);
  await expect(sidebar(page).getByRole('listitem').first()).toContainText('Places');
  await expect(sidebar(page).getByRole('group').first()).toContainText('everywhere');
  await page.close();
});

for (const [name, from] of [
  ['its group', 'places/thirty'],
  ['another group', 'places'],
])
  test(`a page in 40 places is shown in the one that the reader came from, on a page of ${name}`, async ({ page }) => {
    await open(page, from!);
    const group = sidebar(page).locator('details', { has: page.getByText('Place 30', { exact: true }) });
    await expect(group).toBeAttached();
    if (from === 'places') await group.locator('summary').click();
    const link = group.getByRole('link', { name: 'everywhere' });
    await link.click();
    await page.waitForURL(/\/everywhere\//);
    await expect(link).toHaveAttribute('aria-current', 'page');
    await expect(sidebar(page).getByText('Place 39', { exact: true })).toBeAttached();
    await expect(link).toBeInViewport();
  });

test('the size of a page does not depend on the number of entries', () => {
  const size = (name: string) => statSync(path.join(large().folder, name, 'index.html')).size;
  for (const name of ['big/middle', 'deep/last', 'deep/first', 'everywhere', 'basics/step-70', 'topics/9/more']) {
    expect(size(name), name).toBeGreaterThan(2000);
    expect(size(name), name).toBeLessThan(20_000);
  }
});

test('without script, list pages and links to first pages reach every page', async ({ browser }) => {
  const page = await browser.newPage({ javaScriptEnabled: false });
  await open(page, 'basics/step-0');
  await sidebar(page).getByRole('link', { name: 'All pages of Basics' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('All pages of Basics');
  const found: string[] = [];
  for (;;) {
    found.push(...(await page.locator('.c-page-list a').allTextContents()));
    const next = page.locator('.c-previous-next .c-next');
    if ((await next.count()) === 0) break;
    await next.click();
  }
  expect(found).toEqual(Array.from({ length: 150 }, (_, index) => `basics step-${index}`));
  await page.locator('.c-page-list a').last().click();
  await expect(current(page)).toHaveText('basics step-149');
  await sidebar(page).getByRole('link', { name: 'Topics' }).click();
  await expect(current(page)).toHaveText('topics 0');
  await sidebar(page).getByRole('link', { name: 'Topic 5', exact: true }).click();
  await expect(current(page)).toHaveText('topics 5');
  await page.close();
});

test('list pages are in no index, no list of pages and no sitemap', () => {
  const { manifest } = large();
  expect(Object.keys(manifest.files).filter((file) => file.startsWith('_carrel/pages/')).length).toBeGreaterThan(200);
  expect(manifest.pages.filter(({ file }) => file.startsWith('_carrel/'))).toEqual([]);
});

for (const [name, answer] of [
  ['missing', undefined],
  ['of another export', '__carrel_navigation({"icons":{},"labels":{},"entries":[["Other","other"]]});'],
  ['empty', '__carrel_navigation(null);'],
] as const) {
  test(`a navigation script that is ${name} leaves the page's own branch`, async ({ browser, serve }) => {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    const requested = page.waitForRequest(/_carrel\/navigation\./);
    await page.route(/_carrel\/navigation\./, (route) =>
      answer === undefined ? route.abort() : route.fulfill({ contentType: 'text/javascript', body: answer }),
    );
    await page.goto(`${await serve(large().folder)}topics/3/`);
    await (await requested).response().catch(() => null);
    await page.locator('#carrel-sidebar').hover();
    await sidebar(page).getByRole('link', { name: 'Topic 9' }).click();
    await page.waitForURL(/topics\/9/);
    await expect(current(page)).toHaveText('topics 9');
    expect(errors).toEqual([]);
    await page.close();
  });
}

test('on a phone, the menu shows the current entry, and the Tab key moves into it', async ({ page, serve }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  await page.goto(`${await serve(large().folder, '/docs/')}big/middle/`);
  // After the sidebar's own task. A page that draws nothing may never be idle, so both have a timeout, this one the longer.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 3000 })));
  // Until it opens, the menu needs no entries.
  expect(requested.filter((url) => url.includes('/_carrel/navigation.'))).toEqual([]);
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await expect(current(page)).toBeInViewport();
  await expect.poll(() => sidebar(page).getByRole('listitem').count()).toBeGreaterThan(900);
  await expect(current(page)).toBeInViewport();
  await page.keyboard.press('Tab');
  await expect(page.locator('#carrel-sidebar :focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(page.locator('#carrel-sidebar')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Menu', exact: true })).toBeFocused();
});

test('axe finds nothing serious in a completed sidebar and on a list page', async ({ page }) => {
  await open(page, 'topics/3');
  await expect(sidebar(page).locator('summary', { hasText: 'Topic 29' })).toBeAttached();
  expect(await axeFindings(page, { include: '#carrel-sidebar' })).toEqual([]);
  const list = Object.keys(large().manifest.files).find((file) => /^_carrel\/pages\/basics-[^/]+\/index\.html$/.test(file))!;
  await page.goto(large().file(list));
  expect((await axeFindings(page)).filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);
});
