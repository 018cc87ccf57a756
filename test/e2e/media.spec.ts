import type { Page } from '@playwright/test';
import { expect, exported, test as base } from './exported.ts';

// Other hosts are played by the test: films.example has its pages, everything else fails.
const test = base.extend<{ asked: string[] }>({
  watched: async ({}, use) => use({ faults: [], foreign: [] }),
  asked: async ({ context }, use) => {
    const asked: string[] = [];
    await context.route(/^https:/, async (route) => {
      asked.push(route.request().url());
      if (!route.request().url().startsWith('https://films.example/embed/')) return route.abort();
      await route.fulfill({ contentType: 'text/html', body: '<h1>The film plays</h1>' });
    });
    await use(asked);
  },
});

const site = () => exported('elsewhere-hosted');
const placeholders = (page: Page) => page.locator('main .c-remote');

test('an image, video or sound that cannot be loaded leaves its description and URL', async ({ page, asked }) => {
  await page.goto(site().file('index.html'));
  await expect(placeholders(page)).toHaveText([/A boat.*boat\.png/, /A quay.*small\.png/, /A day.*day\.png/]);
  await expect(placeholders(page).first()).toHaveAttribute('href', 'https://pictures.example/boat.png');
  await expect(page.locator('main img, .c-header img')).toHaveCount(0);
  await expect(page.locator('.c-header')).toContainText('Harbour');
  await page.goto(site().file('films/index.html'));
  await expect(placeholders(page).filter({ hasText: /harbour\.mp4|night\.webm|horn\.mp3/ })).toHaveCount(3);
  await expect(page.locator('video, audio')).toHaveCount(0);
  await page.goto(site().file('cards/index.html'));
  // Icons and images of cards are decoration.
  await expect(placeholders(page)).toHaveText([/Ropes.*ropes\.png/]);
  await expect(page.locator('main img')).toHaveCount(0);
  expect(asked.length).toBeGreaterThan(0);
});

test('a frame loads when the reader clicks it, from file://', async ({ page, asked }) => {
  await page.goto(site().file('films/index.html'));
  await expect(page.locator('iframe')).toHaveCount(0);
  const film = page.getByRole('link', { name: 'A film' });
  await film.scrollIntoViewIfNeeded();
  const before = (await page.locator('carrel-frame').first().boundingBox())!;
  expect(asked.filter((url) => url.includes('/embed/'))).toEqual([]);
  await film.press('Enter');
  const frame = page.locator('iframe');
  await expect(frame.contentFrame().getByRole('heading')).toHaveText('The film plays');
  await expect(frame).toHaveAttribute('title', 'A film');
  await expect(frame).toBeFocused();
  expect(await frame.boundingBox()).toEqual(before);
});

test.describe('on a dark page', () => {
  // An emulated scheme would reach frames too, instead of that of the page.
  test.use({ colorScheme: null });

  test('a frame with both schemes is dark, and one without a dark scheme stays readable on white', async ({ page, context }) => {
    await page.addInitScript(() => localStorage.setItem('carrel-theme', 'dark'));
    for (const [style, text, ground] of [
      ['<meta name="color-scheme" content="light dark">', 'rgb(255, 255, 255)', 'dark'],
      ['', 'rgb(0, 0, 0)', 'light'],
    ] as const) {
      const body = `${style}<style>p{color:CanvasText;background:Canvas}</style><p>The film plays</p>`;
      await context.route(/\/embed\//, (route) => route.fulfill({ contentType: 'text/html', body }));
      await page.goto(site().file('films/index.html'));
      await page.getByRole('link', { name: 'A film' }).click();
      const film = page.locator('iframe').contentFrame().getByText('The film plays');
      await expect(film).toHaveCSS('color', text);
      expect(await film.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(true);
      const clip = (await page.locator('iframe').boundingBox())!;
      const corner = { x: clip.x + clip.width / 2, y: clip.y + clip.height - 20, width: 1, height: 1 };
      // A frame of another origin is drawn by a process of its own.
      await expect.poll(async () => brightness(page, await page.screenshot({ clip: corner }))).toBe(ground);
    }
  });
});

/** Whether the first pixel of an image is light or dark. */
function brightness(page: Page, png: Buffer): Promise<'light' | 'dark'> {
  return page.evaluate(
    async (url) => {
      const image = await createImageBitmap(await (await fetch(url)).blob());
      const canvas = new OffscreenCanvas(1, 1).getContext('2d')!;
      canvas.drawImage(image, 0, 0);
      return canvas.getImageData(0, 0, 1, 1).data[0]! > 127 ? 'light' : 'dark';
    },
    `data:image/png;base64,${png.toString('base64')}`,
  );
}

test("a frame loads under the server's policy", async ({ page, serve, asked }) => {
  await page.goto(`${await serve(site().zip)}films/`);
  await page.getByRole('link', { name: 'films.example/embed/18' }).click();
  await expect(page.locator('iframe').contentFrame().getByRole('heading')).toHaveText('The film plays');
  expect(asked).toContain('https://films.example/embed/18');
});

test('a video of YouTube, which does not play in a page without an address, opens there from file://', async ({
  page,
  asked,
}) => {
  await page.goto(site().file('films/index.html'));
  const navigation = page.waitForRequest('https://www.youtube.com/watch?v=a1b2c3');
  await page.getByRole('link', { name: 'youtube.com' }).click();
  await navigation;
  await expect.poll(() => asked).toContain('https://i.ytimg.com/vi/a1b2c3/hqdefault.jpg');
});

test('a video of YouTube gets the address of the site, without which it does not play', async ({ page, serve, asked }) => {
  const home = await serve(site().zip);
  await page.goto(`${home}films/`);
  const request = page.waitForRequest(/youtube\.com\/embed/);
  await page.getByRole('link', { name: 'youtube.com' }).click();
  expect((await request).url()).toBe('https://www.youtube.com/embed/a1b2c3?autoplay=1');
  await expect(page.locator('iframe')).toHaveAttribute('referrerpolicy', 'strict-origin-when-cross-origin');
  expect(asked.length).toBeGreaterThan(0);
});

base('files that are missing in the site are not requested, and an icon stays in its sentence', async ({ page }) => {
  const { file, report } = exported('layout');
  await page.goto(file('more/lost/index.html'));
  const sentence = page.locator('main p', { hasText: 'Press' });
  await expect(sentence).toHaveText('Press Anchor /images/lost.png to drop it.');
  const lineHeight = await sentence.evaluate((p) => parseFloat(getComputedStyle(p).lineHeight));
  expect((await sentence.boundingBox())!.height).toBeLessThan(1.5 * lineHeight);
  await expect(page.locator('main picture img')).toBeVisible();
  const named = report.warnings.filter(({ kind }) => kind === 'asset-without-file').map(({ message }) => message);
  for (const missing of ['/lost.svg', '/images/lost.png', '/images/lost.webp'])
    expect(named.join('\n')).toContain(`"${missing}"`);
});

base.describe('without JavaScript', () => {
  base.use({ javaScriptEnabled: false });

  base('a frame is a link to the page that it shows', async ({ page }) => {
    await page.goto(exported('elsewhere').file('films/index.html'));
    await expect(page.getByRole('link', { name: 'A film' })).toHaveAttribute('href', 'https://films.example/embed/17');
    await expect(page.getByRole('link', { name: 'youtube.com' })).toHaveAttribute(
      'href',
      'https://www.youtube.com/watch?v=a1b2c3',
    );
  });
});

base.describe('an image that is shown smaller than it is', () => {
  base.use({ viewport: { width: 390, height: 800 } });

  base('opens in the size of the window, by mouse and keyboard', async ({ page }) => {
    await page.goto(exported('docs-json-site').file('index.html'));
    const image = page.getByRole('button', { name: 'A job travels from a queue to a worker' });
    await image.click();
    const dialog = page.getByRole('dialog', { name: 'A job travels from a queue to a worker' });
    await expect(dialog.getByRole('img')).toBeVisible();
    await dialog.click();
    await expect(dialog).toBeHidden();
    await image.press('Enter');
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(image).toBeFocused();
  });
});
