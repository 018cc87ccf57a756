// Pages of API operations and channels in a browser.
import type { Page } from '@playwright/test';
import { axeFindingsIn, sameOnAllPages } from './axe.ts';
import { expect, exported, test } from './exported.ts';
import { openSearch, results, search, searchField } from './search-dialog.ts';

const site = exported('playground');
const channels = exported('channels');
const arabic = exported('arabic');
const schema = exported('graphql');
const operation = (name: string) => site.file(`api-reference/parcels/${name}/index.html`);

test('a search result shows the method of its operation, without the languages of its samples', async ({ page }) => {
  await page.goto(site.file('index.html'));
  await openSearch(page);
  const found = await search(page, 'Send a parcel', site.file('').replace(/\/$/, ''));
  expect(found).toContain('/api-reference/parcels/send-a-parcel/index.html');
  await expect(page.getByRole('dialog').getByText('POST', { exact: true }).first()).toBeVisible();
  await expect(results(page).first()).toBeVisible();
  // The excerpt comes after the title, when the page's text is loaded.
  await expect(results(page).first()).toContainText('/parcels');
  await expect(results(page).first()).not.toContainText('JavaScript');
});

test('examples begin beside the title on wide screens, stay in view, and follow the description on phones', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(operation('list-parcels'));
  const top = async (selector: string) => (await page.locator(selector).first().boundingBox())!.y;
  const examples = page.locator('.c-examples-body');
  expect(Math.abs((await top('.c-examples-body')) - (await top('.c-page-heading')))).toBeLessThan(8);
  const main = (await page.getByRole('main').boundingBox())!;
  expect((await examples.boundingBox())!.x).toBeGreaterThan(main.x + main.width);
  await page.getByRole('heading', { name: 'Responses' }).scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 5000);
  await expect(examples).toBeInViewport();
  const footer = (await page.locator('.c-page-end').boundingBox())!;
  expect(footer.y).toBeGreaterThan(0);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await top('.c-examples-body')).toBeGreaterThan(await top('.c-endpoint'));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

const channel = (name: string) => channels.file(`events/${name}/index.html`);

test('a search result shows what the API does with a channel, and the sidebar too', async ({ page }) => {
  await page.goto(channel('courier-messages'));
  const entry = page
    .getByRole('navigation')
    .getByRole('link', { name: /scans\.v1/ })
    .first();
  await expect(entry).toContainText('SEND');
  await openSearch(page);
  const found = await search(page, 'Ring twice', channels.file('').replace(/\/$/, ''));
  expect(found[0]).toMatch(/^\/events\/courier-messages\/index\.html/);
  await expect(results(page).first()).toContainText('RECEIVE');
});

test('a link to a field within a message opens what it is in', async ({ page }) => {
  await page.goto(`${channel('live-tracking')}#param-moved-place-city`);
  await expect(page.locator('#param-moved-place-city')).toBeInViewport();
  await expect(page.locator('#param-moved-header-traceid')).toBeHidden();
});

test('the examples of messages stand beside the title, and the page fits on phones', async ({ page }) => {
  await page.setViewportSize({ width: 1600, height: 900 });
  await page.goto(channel('live-tracking'));
  const examples = (await page.locator('.c-examples-body').first().boundingBox())!;
  const main = (await page.getByRole('main').boundingBox())!;
  expect(examples.x).toBeGreaterThan(main.x + main.width);
  await expect(page.getByRole('tab', { name: 'Parcel moved' })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  for (const name of ['live-tracking', 'scans']) {
    await page.goto(channel(name));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  }
});

/** Expects no findings of axe, and nothing wider than the page, at 390 px and at 1600 px. */
async function expectAccessibleAtBothWidths(page: Page, exclude?: string): Promise<void> {
  for (const [width, scheme] of [
    [390, 'dark'],
    [1600, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    expect(await axeFindingsIn(page, scheme, { exclude })).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
}

test('axe finds nothing on pages of operations and channels at 1600 and at 390 px', async ({ page }) => {
  const pagesOfSites = [
    ['list-parcels', 'send-a-parcel', 'store-a-label', 'plan-a-route'].map(operation),
    [arabic.file('api-reference/قائمة-الطرود/index.html')],
    ['live-tracking', 'courier-messages', 'scans'].map(channel),
  ];
  for (const pages of pagesOfSites)
    for (const [index, address] of pages.entries()) {
      await page.goto(address);
      await page.locator('details.c-expandable').evaluateAll((all) => all.forEach((one) => one.setAttribute('open', '')));
      await expectAccessibleAtBothWidths(page, index === 0 ? undefined : sameOnAllPages);
    }
});

test('each method has its color in the sidebar, beside the title and in search results', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(operation('list-parcels'));
  const color = (name: string) =>
    page
      .locator(`.c-navigation .c-tag-${name}`)
      .first()
      .evaluate((tag) => getComputedStyle(tag).color);
  const [get, post] = [await color('get'), await color('post')];
  expect(get).not.toBe(post);
  await expect(page.locator('.c-page-title .c-tag')).toHaveCSS('color', get);
  await expect(page.locator('.c-endpoint .c-tag')).toHaveCSS('color', get);
  await openSearch(page);
  await searchField(page).fill('list parcels');
  await expect(page.getByRole('dialog').getByText('GET', { exact: true }).first()).toHaveCSS('color', get);
});

test('nothing moves by more than a line on a phone when the scripts arrive', async ({ browser }) => {
  const placesOf = async (runsScripts: boolean) => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    // The script in the head runs first, and the others arrive later.
    if (!runsScripts) await page.route(/\/reader\.[^/]+\.js$/, (route) => route.abort());
    await page.goto(operation('plan-a-route'));
    if (runsScripts) await page.getByRole('button', { name: 'Try it' }).waitFor();
    const headings = page.locator('.prose :is(h2, h3), .c-example');
    const tops = await headings.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
    await page.close();
    return tops;
  };
  const [before, after] = [await placesOf(false), await placesOf(true)];
  expect(before.length).toBeGreaterThan(6);
  expect(after.map((top, index) => Math.abs(top - before[index]!)).filter((distance) => distance > 24)).toEqual([]);
});

test('types of a GraphQL schema link to each other from disk, down to the field that uses them', async ({ page }) => {
  await page.goto(schema.file('graph/queries/tea/index.html'));
  await page.getByRole('main').getByRole('link', { name: 'Tea', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Tea' })).toBeVisible();
  await page.getByRole('link', { name: 'Shop.teas' }).click();
  await expect(page).toHaveURL(/graph\/objects\/shop\/index\.html#param-teas$/);
  await expect(page.locator('#param-teas')).toBeInViewport();
  await openSearch(page);
  const found = await search(page, 'Fully oxidized', schema.file('').replace(/\/$/, ''));
  expect(found[0]).toMatch(/^\/graph\/enums\/teakind\/index\.html/);
});

test('long names wrap in the sidebar, and a long definition opens on a click', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(schema.file('graph/objects/harvest/index.html'));
  const entry = page.locator('.c-navigation').getByRole('link', { name: /^acceptInvitation/ });
  const { right, tag } = await entry.evaluate((link) => ({
    right: link.getBoundingClientRect().right,
    tag: link.querySelector('.c-tag')!.getBoundingClientRect().right,
  }));
  expect(tag).toBeLessThanOrEqual(right);
  expect(await page.locator('.c-sidebar').evaluate((sidebar) => sidebar.scrollWidth - sidebar.clientWidth)).toBeLessThanOrEqual(
    0,
  );
  const fields = page.getByRole('heading', { name: 'Fields' });
  await expect(fields).toBeInViewport();
  await page.locator('.c-code-more').click();
  await expect(fields).not.toBeInViewport();
});

test('axe finds nothing on pages of a GraphQL schema at 1600 and at 390 px', async ({ page }) => {
  for (const [index, name] of ['queries/search', 'objects/tea', 'enums/teakind', 'inputs/teafilter'].entries()) {
    await page.goto(schema.file(`graph/${name}/index.html`));
    for (const summary of await page.locator('.c-expandable > summary').all()) await summary.click();
    await expectAccessibleAtBothWidths(page, index === 0 ? undefined : sameOnAllPages);
  }
});
