import { readFileSync } from 'node:fs';
import { axeFindings } from './axe.ts';
import { expect, exported, test } from './exported.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

const layout = () => exported('layout');

test('the first entry of the page menu copies the page as Markdown', async ({ page, serve }) => {
  await page.goto(`${await serve(layout().folder, '/docs/')}tables/`);
  await page.getByRole('button', { name: 'Copy page' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^# Tables\n/);
  expect(copied).toContain('| --- |');
});

test('a page is copied where the browser refuses the clipboard interface to files', async ({ page }) => {
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError'));
  });
  await page.goto(layout().file('tables/index.html'));
  await page.getByRole('button', { name: 'Copy page' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^# Tables\n/);
});

test('on file://, where a page cannot read a file, its Markdown is copied', async ({ page }) => {
  for (const [path, part] of [
    ['tables', /^\| --- \|/m],
    ['code', /^```\w/m],
    ['choices/views', /^## Feathering$/m],
  ] as const) {
    await page.goto(layout().file(`${path}/index.html`));
    await page.getByRole('button', { name: 'Copy page' }).click();
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(readFileSync(`${layout().folder}/${path}.md`, 'utf8'));
    expect(copied).toMatch(part);
  }
});

test('the other entries open Markdown, Ask, the print dialog and the author’s own page; a chat cannot read a local page', async ({
  page,
  serve,
}) => {
  await page.goto(`${await serve(layout().folder)}tables/`);
  const more = page.getByLabel('More actions for this page');
  await more.click();
  const menu = page.locator('.c-page-menu-more');
  await expect(menu.getByRole('link', { name: 'View as Markdown' })).toHaveAttribute('href', /(?:^|\/)tables\.md$/);
  await expect(menu.getByText('ChatGPT')).toBeHidden();
  await expect(menu.getByRole('link', { name: 'Report a fault' })).toHaveAttribute(
    'href',
    'https://harbour.example.com/new?page=%2Ftables',
  );
  const printed = page.evaluate(() => new Promise((resolve) => addEventListener('beforeprint', () => resolve(true))));
  await menu.getByRole('button', { name: 'Print or save as PDF' }).click();
  expect(await printed).toBe(true);
  await menu.getByRole('button', { name: 'Ask' }).click();
  await expect(page.getByRole('complementary', { name: 'Ask' }).or(page.getByRole('dialog', { name: 'Ask' }))).toBeVisible();
});

test('on disk, the menu copies the command that offers this copy to AI tools, and adds it to an editor', async ({ page }) => {
  await page.goto(layout().file('tables/index.html'));
  await page.getByLabel('More actions for this page').click();
  await expect(page.getByRole('link', { name: 'Add to Cursor' })).toHaveAttribute('href', /^cursor:\/\//);
  await page.getByRole('button', { name: 'Copy MCP server' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^npx .*carrel mcp .*\blayout'?$/);
});

test('the menu adds the server of the settings to AI tools, and offers none without', async ({ page, serve }) => {
  await page.goto(`${await serve(layout().folder)}tables/`);
  await page.getByLabel('More actions for this page').click();
  await expect(page.getByRole('link', { name: 'View as Markdown' })).toBeVisible();
  await expect(page.getByText('Copy MCP server')).toBeHidden();
  await expect(page.getByText('Add to Cursor')).toBeHidden();

  const assistant = { url: '/discovery', domain: 'docs.example.com', key: 'svc_dsc_1' };
  await page.goto(`${await serve(layout().folder, '/', { features: { assistant } })}tables/`);
  await page.getByLabel('More actions for this page').click();
  await page.getByRole('button', { name: 'Copy MCP server' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(JSON.parse(await page.evaluate(() => navigator.clipboard.readText()))).toEqual({
    mcpServers: {
      'docs.example.com': {
        url: expect.stringMatching(/\/mcp\/docs\.example\.com$/),
        headers: { Authorization: 'Bearer svc_dsc_1' },
      },
    },
  });
});

test('a menu whose entries all need a public URL is not shown on a local page', async ({ page }) => {
  await page.goto(layout().file('tables/index.html'));
  await page.evaluate(() => {
    const menu = document.querySelector('carrel-page-menu')!;
    for (const item of menu.querySelectorAll('li')) if (!item.querySelector('[data-carrel-template*="{prompt}"]')) item.remove();
    menu.replaceWith(menu.cloneNode(true));
  });
  await expect(page.getByRole('button', { name: 'Copy page' })).toBeVisible();
  await expect(page.getByLabel('More actions for this page')).toHaveCount(0);
});

// The address stands for one that a chat can read.
const elsewhere = test.extend({ watched: async ({}, use) => use({ faults: [], foreign: [] }) });

elsewhere('a chat opens with the published address of the page', async ({ page }) => {
  await page.route('https://docs.example.com/**', (route) => {
    const { pathname } = new URL(route.request().url());
    return route.fulfill({ path: `${layout().folder}${pathname.replace(/\/$/, '/index.html')}` });
  });
  await page.goto('https://docs.example.com/tables/');
  await page.getByLabel('More actions for this page').click();
  const chat = page.getByRole('link', { name: 'Open in ChatGPT' });
  const { searchParams } = new URL((await chat.getAttribute('href'))!);
  expect(searchParams.get('q')).toContain('https://docs.example.com/tables/');
  await expect(chat).toHaveAttribute('rel', 'noopener');
});

test('a section of the sidebar is printed as one', async ({ page, serve }) => {
  await page.goto(`${await serve(layout().folder, '/docs/')}choices/views/`);
  await page.evaluate(() => (window.print = () => (document.title = `${document.title} printed`)));
  const drawing = '<svg><marker id="arrow"></marker><path marker-end="url(#arrow)"></path></svg>';
  await page.route(/choices\/(?:views|panels)\/(?:index\.html)?$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace('</main>', `${drawing}</main>`) });
  });
  await page.getByLabel('More actions for this page').click();
  await page.getByRole('button', { name: 'Print this section' }).dblclick();
  await expect(page).toHaveTitle('Views - Harbour office printed');
  const arrows = page.locator('.c-print-pages path[marker-end*=arrow]');
  const ends = await arrows.evaluateAll((all) => all.map((one) => one.getAttribute('marker-end')!.slice(5, -1)));
  expect(new Set(ends).size).toBe(2);
  for (const end of ends) await expect(page.locator(`.c-print-pages [id="${end}"]`)).toHaveCount(1);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Views');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(['Choices', 'Views', 'Panels']);
  await expect(page.locator('.c-print-pages .c-card-target', { hasText: 'Panels' })).toHaveAttribute(
    'href',
    /^\/docs\/choices\/panels\//,
  );
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Views');
});

test('a page has its own menu, beside its headings', async ({ page }) => {
  await page.goto(layout().file('cards/index.html'));
  const contents = page.getByRole('complementary', { name: 'On this page' });
  await expect(contents.getByRole('link', { name: 'View as Markdown' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy page' })).toHaveCount(0);
});

test('without JavaScript, the menu has only what works without it', async ({ browser }) => {
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto(layout().file('tables/index.html'));
  await page.getByLabel('More actions for this page').click();
  await expect(page.locator('.c-page-menu').getByRole('link')).toHaveText([/View as Markdown/, /Report a fault/]);
  await expect(page.locator('.c-page-menu').getByRole('button')).toHaveCount(0);
  await page.close();
});

test('axe finds nothing in an open page menu', async ({ page }) => {
  await page.goto(layout().file('tables/index.html'));
  await page.getByLabel('More actions for this page').click();
  expect(await axeFindings(page, { include: '.c-page-heading' })).toEqual([]);
});

test('from disk, readers find the site as one file, with its size', async ({ page }) => {
  await page.goto(layout().file('tables/index.html'));
  const downloads = page.locator('carrel-downloads');
  await expect(downloads).toHaveText(/^\s*Download:\s+EPUB \d[\d.]* [kM]B · ZIP \d[\d.]* [kM]B$/);
  const links = await downloads.getByRole('link').evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
  for (const link of links) expect(readFileSync(new URL(link)).subarray(0, 2).toString()).toBe('PK');
  expect(await axeFindings(page, { include: '.c-footer, footer' })).toEqual([]);
});
