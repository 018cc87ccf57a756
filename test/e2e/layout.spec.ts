import type { Locator, Page } from '@playwright/test';
import { axeFindings, axeFindingsIn } from './axe.ts';
import { expect, exported, test } from './exported.ts';

const phone = { width: 390, height: 844 };
const desktop = { width: 1440, height: 900 };

async function open(page: Page, file: string, size = desktop, site = 'layout') {
  await page.setViewportSize(size);
  await page.goto(exported(site).file(file));
}

/** Returns how many pixels the page is wider than the window. */
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

async function box(locator: Locator) {
  return (await locator.boundingBox())!;
}

test.describe('menus of languages and versions, without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('they link to the same page, or to the nearest one, and say so', async ({ page }) => {
    for (const [site, from, menu, choice, to, isMissing = false] of [
      ['layout', 'charts/2026/buoys', 'Version: 2026', '2025', 'charts/2025/buoys'],
      ['layout', 'handbook/2025/rules', 'Version: 2025', '2026', 'handbook/2026/rules'],
      ['layout', 'charts/2025/beacons', 'Version: 2025', '2026', 'charts/2026', true],
      ['versions-languages', 'en/v1/lamp', 'Language: English', 'Deutsch', 'de/v1/lamp'],
      ['versions-languages', 'en/v2/fog', 'Language: English', 'Deutsch', 'de/v2', true],
      ['versions-languages', 'ar/v2/lamp', 'v2', 'v1', 'ar/v1/lamp'],
    ] as const) {
      await open(page, `${from}/index.html`, desktop, site);
      const header = page.getByRole('banner');
      await header.locator('summary').filter({ hasText: menu }).click();
      const link = header.locator('.c-switcher[open]').getByRole('link', { name: choice });
      await expect(link.getByText('Without this page'), from).toHaveCount(isMissing ? 1 : 0);
      await link.click();
      await page.waitForURL((url) => url.pathname.endsWith(`/${to}/index.html`));
    }
  });
});

test.describe('the header', () => {
  test('more tabs than fit do not widen the page, a wide logo is whole, and a banner is inline Markdown', async ({ page }) => {
    await open(page, 'index.html');
    await expect(page.locator('.c-header-tabs .c-tab-row > li')).toHaveCount(13);
    for (const width of [320, 390, 1024, 1280, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      const [frame, image] = [await box(page.locator('.c-logo')), await box(page.locator('.c-logo img'))];
      expect(image.width, `at ${width} px`).toBeGreaterThan(60);
      expect(image.x + image.width, `at ${width} px`).toBeLessThanOrEqual(frame.x + frame.width + 0.5);
      expect(image.width / image.height, `at ${width} px`).toBeCloseTo(420 / 56, 0);
      expect(await overflow(page), `at ${width} px`).toBeLessThanOrEqual(0);
    }
    await expect(page.locator('.c-banner-text')).toHaveText('New: tide tables\u00a0& moorings', { useInnerText: true });
    await expect(page.locator('.c-banner-text strong a')).toHaveAttribute('href', 'tables/index.html');
    await expect(page.locator('.c-banner-text em')).toHaveText('moorings');
  });

  test('a logo without a size of its own is as high as the header allows, and one with a size keeps it', async ({ page }) => {
    await open(page, 'index.html');
    const logo = page.locator('.c-logo img');
    const show = (attributes: string, size?: number) =>
      logo.evaluate(
        async (image: HTMLImageElement, [drawing, side]) => {
          for (const name of ['width', 'height']) {
            if (side === undefined) image.removeAttribute(name);
            else image.setAttribute(name, String(side));
          }
          image.src = `data:image/svg+xml,${encodeURIComponent(drawing)}`;
          await image.decode();
        },
        [`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}/>`, size] as const,
      );
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await show('viewBox="0 0 120 28"');
      expect(await box(logo), `at ${width} px`).toMatchObject({ width: 120, height: 28 });
      await show('viewBox="0 0 900 20"');
      expect((await box(logo)).width, `at ${width} px`).toBeLessThanOrEqual(176);
      expect((await box(logo)).width, `at ${width} px`).toBeGreaterThan(100);
      await show('viewBox="0 0 24 24" width="16" height="16"', 16);
      expect(await box(logo), `at ${width} px`).toMatchObject({ width: 16, height: 16 });
    }
  });

  test('no link is cut: before that the search field gets narrower, then their row scrolls, which the keyboard does, too', async ({
    page,
  }) => {
    await open(page, 'index.html');
    const links = page.locator('.c-header-links').getByRole('link');
    await expect(links).toHaveCount(5);
    const cut = () => links.evaluateAll((all) => all.filter((link) => link.scrollWidth > link.clientWidth).length);
    for (const width of [1440, 1280, 1024]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await cut(), `at ${width} px`).toBe(0);
      expect(await overflow(page), `at ${width} px`).toBeLessThanOrEqual(0);
      const search = await box(page.getByRole('button', { name: 'Search' }));
      const row = await page.locator('.c-header-links').evaluate((row) => row.scrollWidth - row.clientWidth);
      expect(row > 0 && search.width > 161, `at ${width} px: ${row} px beside the row, search of ${search.width} px`).toBe(false);
      await page.getByRole('link', { name: 'Lost and found' }).focus();
      await page.keyboard.press('Tab');
      await expect(links.last()).toBeFocused();
      const [last, end] = [await box(links.last()), await box(page.locator('.c-header-end'))];
      // Browsers scroll to what has the focus when less than this is visible.
      expect(last.x + 32, `at ${width} px`).toBeLessThanOrEqual(end.x);
    }
  });

  test('the keyboard reaches the last tab of the row, whose menu opens below it', async ({ page }) => {
    await open(page, 'index.html');
    const tab = page.getByRole('banner').locator('summary').filter({ hasText: 'Everything else' });
    await tab.focus();
    await page.keyboard.press('Enter');
    await expect(tab).toHaveCSS('outline-offset', '-2px');
    const link = page.getByRole('banner').getByRole('link', { name: 'Anchors found' });
    await expect(link).toBeInViewport({ ratio: 1 });
    // A script places it when it has opened.
    await expect(page.locator('.c-tab-menu[open] .c-menu')).toHaveAttribute('style', /inset-inline-start/);
    const [summary, entry, header] = [await box(tab), await box(link), await box(page.getByRole('banner'))];
    expect(summary.x + summary.width).toBeLessThanOrEqual(desktop.width);
    expect(entry.y).toBeGreaterThanOrEqual(header.y + header.height - 1);
    expect(entry.x).toBeLessThan(summary.x + summary.width);
    expect(entry.x + entry.width).toBeGreaterThan(summary.x);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await link.click();
    await page.waitForURL(/more\/anchors\/index\.html/);
    // The row starts scrolled to the current tab.
    await expect(tab).toBeInViewport({ ratio: 1 });
  });

  test('the menu of a tab stays below it when the row is scrolled', async ({ page }) => {
    await open(page, 'index.html', { width: 1024, height: 800 });
    const tab = page.getByRole('banner').locator('summary').filter({ hasText: 'Tools and instruments' });
    await tab.click();
    const menu = page.locator('.c-header-tabs .c-tab-menu[open] .c-menu');
    const distance = async () => (await box(menu)).x - (await box(tab)).x;
    await expect.poll(async () => Math.abs(await distance())).toBeLessThanOrEqual(1);
    await page.locator('.c-header-tabs .c-tab-row').evaluate((row) => (row.scrollLeft = 120));
    await expect.poll(async () => Math.abs(await distance())).toBeLessThanOrEqual(1);
  });
});

test.describe("an author's own markup", () => {
  test('the children of a grid start on one line, with any class names', async ({ page }) => {
    await open(page, 'cards/index.html');
    for (const [first, second] of [
      ['First of the group', 'Second of the group'],
      ['Words of one.', 'Words of two.'],
      ['One', 'Two'],
    ] as const) {
      const child = (text: string) => box(page.locator('.prose').getByText(text, { exact: true }));
      const [a, b] = [await child(first), await child(second)];
      expect(b.x).toBeGreaterThan(a.x + a.width);
      expect(b.y).toBeCloseTo(a.y, 0);
    }
    // The rows are as far apart as the columns: cards add nothing to the gap.
    const card = (title: string) => box(page.locator('.c-card', { hasText: title }));
    const [one, two, three] = [await card('First.'), await card('Second.'), await card('Third.')];
    expect(three.y - one.y - one.height).toBeCloseTo(two.x - one.x - one.width, 0);
  });

  test('icons of horizontal cards keep their size, and buttons have the colors of their author', async ({ page }) => {
    await open(page, 'cards/index.html');
    for (const size of [phone, desktop]) {
      await page.setViewportSize(size);
      const icons = page.locator('.c-card-horizontal > .c-card-icon > *');
      await expect(icons).toHaveCount(3);
      for (const icon of await icons.all()) expect((await box(icon)).width).toBeCloseTo(22, 0);
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const colors = async (name: string) =>
        page.getByText(name, { exact: true }).evaluate((element) => {
          // Converts any notation of a color to red, green and blue.
          const rgb = (color: string) => {
            const context = document.createElement('canvas').getContext('2d')!;
            context.fillStyle = color;
            context.fillRect(0, 0, 1, 1);
            return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
          };
          const style = getComputedStyle(element);
          return { fill: rgb(style.backgroundColor), ink: rgb(style.color) };
        });
      const white = [255, 255, 255];
      for (const [name, fill, ink] of [
        ['Red button', [185, 28, 28], white],
        ['Violet button', [124, 58, 237], white],
        ['Black button', [0, 0, 0], white],
        ['Button of the style sheet', [29, 78, 216], white],
        ['Own button', colorScheme === 'dark' ? white : [15, 118, 110], colorScheme === 'dark' ? [0, 0, 0] : white],
      ] as const) {
        await expect.poll(() => colors(name), `${name}, ${colorScheme}`).toEqual({ fill, ink });
      }
      const [blue, green] = [await colors('Blue button'), await colors('Green button')];
      expect(blue.ink).toEqual(white);
      expect(Math.max(...blue.fill)).toBe(blue.fill[2]);
      expect(green.ink).toEqual(white);
      expect(Math.max(...green.fill)).toBe(green.fill[1]);
    }
  });

  test('utility classes lay out and color a page in both modes, chosen by the reader or by the system', async ({ page }) => {
    await open(page, 'classes/index.html');
    for (const isChosen of [false, true])
      for (const colorScheme of ['light', 'dark'] as const) {
        const system = isChosen ? (colorScheme === 'dark' ? 'light' : 'dark') : colorScheme;
        await page.emulateMedia({ colorScheme: system });
        if (isChosen)
          await page
            .getByRole('button', { name: colorScheme === 'dark' ? 'Dark' : 'Light' })
            .first()
            .click();
        const text = (words: string) => page.locator('.prose').getByText(words, { exact: true });
        await expect(text('Only by day')).toBeVisible({ visible: colorScheme === 'light' });
        await expect(text('Only by night')).toBeVisible({ visible: colorScheme === 'dark' });
        await expect(text('Welcome aboard')).toHaveCSS('font-size', '24px');
        const [narrow, wide] = [await box(text('Narrow column')), await box(text('Wide column'))];
        expect(wide.width / narrow.width).toBeCloseTo(2, 1);
        const [tint, warning, flag] = [
          await box(text('Tints blend')),
          await box(text('Shallow water')),
          await box(text('Quarantine flag')),
        ];
        expect([warning.y, flag.y]).toEqual([tint.y, tint.y]);
        expect(await overflow(page)).toBeLessThanOrEqual(0);
        expect(await axeFindingsIn(page, system, { include: '.prose' })).toEqual([]);
      }
  });

  test('only pages with utility classes load their stylesheet', async ({ page }) => {
    const sheets = () => page.locator('link[rel=stylesheet]').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    await open(page, 'classes/index.html');
    expect(await sheets()).toContain('../_carrel/utilities.css');
    await open(page, 'code/index.html');
    expect((await sheets()).join()).not.toContain('utilities');
  });
});

/** Returns the buttons of each code block that cover a visible letter of its code. */
function buttonsOverCode(page: Page): Promise<{ blocks: number; buttons: number; over: string[] }> {
  return page.evaluate(() => {
    const over: string[] = [];
    let buttons = 0;
    const figures = [...document.querySelectorAll('main figure:has(pre)')].filter((figure) => figure.getClientRects().length);
    for (const figure of figures) {
      const pre = figure.querySelector('pre')!;
      const view = pre.getBoundingClientRect();
      const range = document.createRange();
      range.selectNodeContents(pre.querySelector('code')!);
      const lines = [...range.getClientRects()];
      for (const button of figure.querySelectorAll('.c-copy button, .c-ask')) {
        buttons++;
        const { left, right, top, bottom } = button.getBoundingClientRect();
        const covers = lines.some(
          (line) =>
            Math.min(right, line.right, view.right) - Math.max(left, line.left, view.left) > 0.5 &&
            Math.min(bottom, line.bottom, view.bottom) - Math.max(top, line.top, view.top) > 3,
        );
        if (covers) over.push(`${button.className || 'copy'} over ${pre.textContent.slice(0, 30)}`);
      }
    }
    return { blocks: figures.length, buttons, over };
  });
}

/** A phone, where nothing hovers. */
async function withoutHover(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  await expect.poll(() => page.evaluate(() => matchMedia('(hover: none)').matches)).toBe(true);
}

test.describe('pages with choices', () => {
  test('the table of contents follows the chosen view, which the next page load remembers', async ({ page }) => {
    await open(page, 'choices/views/index.html');
    const contents = page.locator('.c-on-this-page').getByRole('link');
    const headings = page.locator('main h2:visible');
    await expect(contents).toHaveText(['Reefing', 'Landing']);
    await expect(headings).toHaveText([/Reefing/, /Landing/]);
    await page.getByRole('button', { name: 'Rowers' }).click();
    await expect(contents).toHaveText(['Feathering', 'Landing']);
    await expect(headings).toHaveText([/Feathering/, /Landing/]);
    await page.reload();
    await expect(contents).toHaveText(['Feathering', 'Landing']);
    await expect(page.locator('.c-view-list button svg')).toHaveCount(2);
    // A prompt breaks its lines.
    const code = page.locator('.c-prompt pre');
    await expect(code).toContainText('**harbor master**');
    expect(await code.evaluate((pre) => pre.scrollWidth - pre.clientWidth)).toBeLessThanOrEqual(0);
  });

  test('a panel is beside the text, and on a phone part of it', async ({ page }) => {
    await open(page, 'choices/panels/index.html');
    const [panel, text] = [page.locator('.c-panel'), page.locator('main p').first()];
    expect((await box(panel)).x).toBeGreaterThan((await box(text)).x + (await box(text)).width);
    await expect(page.locator('.c-on-this-page')).toBeHidden();
    await page.setViewportSize(phone);
    expect((await box(panel)).y).toBeGreaterThan((await box(text)).y);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  });

  test('the page of a group lists its pages, and opening the group leads there', async ({ page }) => {
    await open(page, 'index.html');
    await page.locator('.c-navigation summary').filter({ hasText: 'Choices' }).click();
    await page.waitForURL(/choices\/index\.html/);
    const cards = page.locator('.c-directory').getByRole('link');
    await expect(cards).toHaveText(['Views', 'Panels']);
    await expect(page.locator('.c-directory')).toContainText('One page for sailors and for rowers.');
    await expect(page.getByRole('navigation', { name: 'Related pages' }).getByRole('link')).toHaveText(['Cards', 'Tide tables']);
    expect(await axeFindings(page)).toEqual([]);
    await page
      .locator('.c-directory .c-card')
      .nth(1)
      .click({ position: { x: 10, y: 10 } });
    await page.waitForURL(/choices\/panels\//);
  });
});

test.describe('code', () => {
  test('no button covers the code, and on a phone they show without hover, inside the block', async ({ page }) => {
    for (const hovers of [true, false]) {
      if (!hovers) await withoutHover(page);
      for (const [site, file, blocks] of [
        ['arabic', 'guides/commands/index.html', 1],
        ['manual', 'quickstart/index.html', 2],
        ['layout', 'code/index.html', 7],
      ] as const) {
        await open(page, file, desktop, site);
        await expect(page.locator('main .c-ask').first()).toBeAttached();
        for (const size of hovers ? [desktop, phone] : [phone]) {
          await page.setViewportSize(size);
          const seen = await buttonsOverCode(page);
          expect(seen.blocks, site).toBeGreaterThanOrEqual(blocks);
          expect(seen.buttons, site).toBeGreaterThan(seen.blocks);
          expect(seen.over, `${site} at ${size.width}, hover ${hovers}`).toEqual([]);
          expect(await overflow(page), site).toBeLessThanOrEqual(0);
        }
      }
    }
    const block = page.locator('figure.c-code').first();
    const [figure, copy, ask] = [
      await box(block),
      await box(block.getByRole('button', { name: 'Copy' })),
      await box(block.locator('.c-ask')),
    ];
    for (const button of [copy, ask]) {
      expect(Math.min(button.width, button.height)).toBeGreaterThanOrEqual(28);
      expect(button.y).toBeGreaterThanOrEqual(figure.y);
      expect(button.y + button.height).toBeLessThanOrEqual(figure.y + figure.height);
    }
    expect(ask.y).toBeGreaterThanOrEqual(copy.y + copy.height);
    await expect(block.locator('.c-ask')).toHaveCSS('opacity', '1');
    // Code that does not fit scrolls inside the block.
    const line = block.locator('pre');
    expect(await line.evaluate((pre) => pre.scrollWidth > pre.clientWidth)).toBe(true);
  });

  test('the buttons appear on hover, and copy', async ({ page }) => {
    await open(page, 'code/index.html');
    const block = page.locator('figure.c-code').nth(1);
    const copy = block.getByRole('button', { name: 'Copy' });
    await expect(copy).toHaveCSS('opacity', '0');
    await block.hover();
    await expect(copy).toHaveCSS('opacity', '1');
    await copy.click();
    await expect(block.getByRole('button', { name: 'Copied' })).toBeVisible();
  });
});

test.describe('tables', () => {
  const columnWidth = (page: Page, text: string) =>
    page.getByRole('cell', { name: text }).evaluate((cell) => {
      const { paddingLeft, paddingRight } = getComputedStyle(cell);
      return cell.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    });

  test('on a phone, sentences have room and a table that does not fit scrolls on its own', async ({ page }) => {
    await open(page, 'tables/index.html', phone);
    expect(await columnWidth(page, 'Folder of everything')).toBeGreaterThanOrEqual(200);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    const table = page.locator('.c-table').first();
    const row = await box(page.getByRole('row', { name: /HARBOUR_DATA/ }));
    expect(row.height).toBeLessThan(160);
    // The keyboard scrolls the table too.
    await table.focus();
    await expect(table).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => table.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
    // What names a row stays.
    expect((await box(page.getByRole('cell', { name: 'HARBOUR_TIDES' }))).x).toBeCloseTo((await box(table)).x, 0);

    const scrolls = (index: number) =>
      page
        .locator('.c-table')
        .nth(index)
        .evaluate((element) => element.scrollWidth > element.clientWidth);
    expect([await scrolls(0), await scrolls(1), await scrolls(2)]).toEqual([true, false, true]);
    await page.setViewportSize(desktop);
    expect([await scrolls(0), await scrolls(1), await scrolls(2)]).toEqual([false, false, true]);
  });

  test('an edge with hidden content has a shadow or the column that stays, in both directions', async ({ page }) => {
    for (const [direction, first] of [
      ['ltr', 'right'],
      ['rtl', 'left'],
    ] as const) {
      await open(page, 'tables/index.html', phone);
      await page.evaluate((dir) => (document.documentElement.dir = dir), direction);
      const table = page.locator('.c-table').first();
      await table.scrollIntoViewIfNeeded();
      // The pixels at both edges, in the padding above the first line of words.
      const shade = async () => {
        const { x, y, width } = await box(table);
        const pixel = async (left: number) => {
          const image = await page.screenshot({ clip: { x: left, y: y + 4, width: 2, height: 2 } });
          return page.evaluate(
            async (source) => {
              const bitmap = await createImageBitmap(new Blob([Uint8Array.from(source)], { type: 'image/png' }));
              const context = new OffscreenCanvas(2, 2).getContext('2d')!;
              context.drawImage(bitmap, 0, 0);
              return context.getImageData(0, 0, 1, 1).data[0]!;
            },
            [...image],
          );
        };
        return { left: (await pixel(x + 1)) < 245, right: (await pixel(x + width - 3)) < 245 };
      };
      const last = first === 'right' ? 'left' : 'right';
      await expect.poll(shade).toEqual({ [first]: true, [last]: false });
      const scrollToEnd = () => table.evaluate((element, side) => (element.scrollLeft = side === 'right' ? 9999 : -9999), first);
      await scrollToEnd();
      await expect.poll(shade).toEqual({ [first]: false, [last]: false });
      await expect(table.getByRole('columnheader', { name: 'Variable' })).toBeInViewport({ ratio: 1 });
      // On wider screens no column stays.
      await page.setViewportSize({ width: 700, height: 900 });
      await table.evaluate((element) => (element.style.width = '20rem'));
      await scrollToEnd();
      await expect.poll(shade).toEqual({ [first]: false, [last]: true });
    }
  });

  test('on a phone, the references of the manual have room for their sentences', async ({ page }) => {
    await open(page, 'configuration/index.html', phone, 'manual');
    const cells = page.locator('.c-table tr:has(> :nth-child(3)) > .c-long');
    expect(await cells.count()).toBeGreaterThan(0);
    for (const cell of await cells.all()) expect((await box(cell)).width).toBeGreaterThanOrEqual(230);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  });
});

test('a page loads at most 45 KB of fonts: that of code if it has code, the light weights once text uses them', async ({
  page,
}) => {
  const fonts = new Map<string, number>();
  page.on('response', async (response) => {
    if (response.url().endsWith('.woff2')) fonts.set(response.url(), (await response.body()).length);
  });
  const loaded = async () => {
    await page.evaluate(() => document.fonts.ready);
    return new Set([...fonts.keys()].map((url) => /\d+-\d+(?=\.\w+\.woff2)|mono-\w+/.exec(url)?.[0]));
  };
  const size = () => [...fonts.values()].reduce((sum, size) => sum + size);
  await open(page, 'index.html');
  await expect.poll(loaded).toEqual(new Set(['400-900']));
  await page.locator('h1').evaluate((heading) => (heading.style.fontWeight = '300'));
  await expect.poll(loaded).toEqual(new Set(['100-399', '400-900']));
  fonts.clear();
  await open(page, 'export/index.html', desktop, 'manual');
  await expect.poll(loaded).toEqual(new Set(['400-900', 'mono-latin']));
  await page
    .locator('main pre code')
    .first()
    .evaluate((code) => code.append('├── docs'));
  await expect.poll(loaded).toEqual(new Set(['400-900', 'mono-latin', 'mono-symbols2']));
  expect(size()).toBeLessThanOrEqual(45 * 1024);
  expect(
    await page
      .locator('main pre code')
      .first()
      .evaluate((code) => getComputedStyle(code).fontFamily),
  ).toMatch(/^"?Geist Mono/);
});

// fixtures/layout/style.css has such selectors.
test('selectors of stylesheets for Mintlify select nothing outside the content', async ({ page }) => {
  for (const path of ['index', 'tables/index', 'cards/index', 'code/index', 'choices/index', 'choices/views/index']) {
    await open(page, `${path}.html`);
    const selected = await page.evaluate(() =>
      [...document.querySelectorAll('body *')]
        .filter((element) => !element.closest('.prose') && getComputedStyle(element).outlineOffset === '77px')
        .map((element) => element.outerHTML.slice(0, 80)),
    );
    expect(selected).toEqual([]);
  }
  await expect(page.locator('.prose').first()).toHaveCSS('outline-offset', '77px');
});
