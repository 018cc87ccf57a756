// Events that pages of a hosted site send to a real server, and the question at the end of each page.
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { chromiumArguments, findChromium } from '../support/chromium.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { ask, openPanel } from './ask-panel.ts';
import { axeFindings } from './axe.ts';
import { expect, exported, test } from './exported.ts';
import { firstExport, startSmallServer, type SmallServer } from './small-server.ts';
import { openSearch, searchField } from './search-dialog.ts';

test.describe.configure({ mode: 'default' });

// What a page sends as it is left has the browser's own name, which would be that of a headless one.
const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
test.use({ launchOptions: { executablePath: findChromium(), args: [...chromiumArguments, `--user-agent=${browser}`] } });

let opened: SmallServer;
let server: ServerProcess;
let home: string;

const configure = async (analytics: object | null) => {
  expect((await server.request('PATCH', '/v1/sites/docs', { features: { analytics } })).status).toBe(200);
  const settings = analytics ? 'analytics' : 'assistant';
  // The hosting sees the change after a second at most.
  await expect.poll(async () => (await fetch(`${home}carrel.config.js`)).text()).toContain(settings);
};

test.beforeAll(async () => {
  opened = await startSmallServer({ CARREL_LIMITS: 'analyticsPerHour=10000' });
  ({ server } = opened);
  await firstExport(server);
  home = `${server.sites}/sites/docs/`;
  await configure({ mode: 'own' });
});

test.afterAll(() => opened?.close());

const question = (page: Page) => page.getByRole('group', { name: 'Was this page helpful?' });

/** The rows of a report, once one of them matches. */
async function report(name: string, row: object): Promise<Record<string, unknown>[]> {
  let rows: Record<string, unknown>[] = [];
  const read = async () => {
    const answer = await server.request('GET', `/v1/analytics/docs/${name}`);
    rows = ((await answer.json()) as Record<string, Record<string, unknown>[]>)[name.replace(/\?.*/, '')]!;
    return rows;
  };
  await expect.poll(read).toContainEqual(expect.objectContaining({ ...row }));
  return rows;
}

/** Types a query into the open dialog, and waits until it has been searched for. */
async function type(page: Page, query: string): Promise<void> {
  const searched = page.evaluate(
    (wanted) =>
      new Promise<void>((resolve) => {
        document.addEventListener('carrel-reader-action', (event) => {
          if ((event as CustomEvent<{ query?: string }>).detail.query === wanted) resolve();
        });
      }),
    query,
  );
  await searchField(page).fill(query);
  await searched;
}

test('what a reader reads, searches and asks arrives at the server', async ({ page }) => {
  const start = Date.now();
  await page.clock.setFixedTime(start);
  await page.goto(`${home}03-parts/index.html`);
  await report('views', { path: '03-parts', found: true, views: 1 });

  await openSearch(page);
  await type(page, 'fil');
  // Still the same query, as no time has passed.
  await type(page, 'filter');
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
  await expect(question(page)).toBeVisible();
  const first = { query: 'filter', hits: 1, ctr: 1, topClickedPage: '03-parts', withoutResults: 0 };
  expect(await report('searches', first)).toHaveLength(1);

  await openSearch(page);
  await type(page, 'lid');
  await page.clock.setFixedTime(start + 3000);
  await type(page, 'xyzzyqwv');
  await page.keyboard.press('Escape');
  await report('searches', { query: 'lid', hits: 1, ctr: 0, withoutResults: 0 });
  await openPanel(page);
  await ask(page, 'What does the filter cost?');
  await ask(page, 'xyzzyqwv');
  await report('questions', { query: 'What does the filter cost?', quotes: 1, none: 0, topPage: '03-parts' });
  await report('questions?withoutAnswer=true', { query: 'xyzzyqwv', none: 1 });
  const nothing = await report('searches?withoutResults=true', { query: 'xyzzyqwv', hits: 1, ctr: 0 });
  expect(nothing).toHaveLength(1);
  expect(await page.context().cookies()).toEqual([]);
});

test('a missing path is counted as such, and not as a view of the page that the 404 page redirects to', async ({
  page,
  watched,
}) => {
  const views = async () =>
    ((await (await server.request('GET', '/v1/analytics/docs/views')).json()) as { views: { path: string; views: number }[] })
      .views;
  await page.goto(`${home}guides/that-moved/index.html`);
  await page.waitForURL(home);
  await report('views', { path: 'guides/that-moved', found: false, views: 1 });
  expect((await views()).filter(({ path }) => path === '')).toEqual([]);
  await page.reload();
  await report('views', { path: '', found: true, views: 1 });
  // The 404 page looks for the folder of the site.
  watched.faults = watched.faults.filter((fault) => !/status of 404|Refused to apply style/.test(fault));
});

test('a page asks once in a session whether it helped, by keyboard too', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`${home}02-troubleshooting/noise/index.html`);
  const no = question(page).getByRole('button', { name: 'No' });
  await no.focus();
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(question(page).getByRole('status')).toHaveText('Thank you for your feedback.');
  await expect(no).toHaveAttribute('aria-pressed', 'true');
  await question(page).getByRole('button', { name: 'Yes' }).click({ force: true });
  await expect(no).toHaveAttribute('aria-pressed', 'true');
  await no.focus();
  await page.keyboard.press('Tab');
  const comment = question(page).getByRole('textbox', { name: 'Comment (optional)' });
  await expect(comment).toBeFocused();
  await page.keyboard.type('<b>Which</b> noise?');
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(comment).toBeHidden();
  await expect(question(page).getByRole('status')).toBeFocused();
  await report('feedback?by=comment', { path: '02-troubleshooting/noise', helpful: false, comment: '<b>Which</b> noise?' });
  await report('feedback', { path: '02-troubleshooting/noise', helpful: 0, notHelpful: 1, comments: 1 });
  await page.reload();
  await report('views', { path: '02-troubleshooting/noise', views: 2 });
  await expect(question(page)).toHaveCount(0);
});

test('on a phone the question fits, and its buttons are large enough', async ({ browser: chromium }) => {
  const context = await chromium.newContext({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await page.goto(`${home}03-parts/index.html`);
  await question(page).getByRole('button', { name: 'Yes' }).tap();
  await expect(question(page).getByRole('textbox')).toBeVisible();
  for (const button of await question(page).getByRole('button').all())
    expect((await button.boundingBox())!.height).toBeGreaterThanOrEqual(44);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await context.close();
});

/** Opens a page, and returns whether it has loaded the script of analytics once everything has been loaded. */
async function records(page: Page, url: string): Promise<boolean> {
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  await page.goto(url, { waitUntil: 'networkidle' });
  expect(loaded.filter((one) => /\/_carrel\/reader\./.test(one)).length).toBeGreaterThan(0);
  await expect(question(page)).toHaveCount(0);
  return loaded.some((one) => /\/_carrel\/record\.|\/v1\/events\//.test(one));
}

test.describe('nothing is loaded or sent', () => {
  test('where the browser asks not to be tracked', async ({ page }) => {
    await page.addInitScript(() => Object.defineProperty(navigator, 'doNotTrack', { value: '1' }));
    expect(await records(page, `${home}03-parts/index.html`)).toBe(false);
  });

  test('with Global Privacy Control', async ({ page }) => {
    await page.addInitScript(() => Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }));
    expect(await records(page, `${home}03-parts/index.html`)).toBe(false);
  });

  test('from disk', async ({ page }) => {
    const site = join(opened.data, 'copy');
    await cp(exported('plain-folder').folder, site, { recursive: true });
    const analytics = { mode: 'own', url: `${server.address}/discovery`, domain: 'docs' };
    await writeFile(
      join(site, 'carrel.config.js'),
      `globalThis.__carrel_config = ${JSON.stringify({ features: { analytics } })};\n`,
    );
    expect(await records(page, `file://${site}/03-parts/index.html`)).toBe(false);
  });

  test('while the reader has not agreed where that is required, or analytics are off', async ({ page }) => {
    for (const analytics of [{ mode: 'own', consent: 'required' }, { mode: 'off' }]) {
      await configure(analytics);
      await expect.poll(async () => (await fetch(`${home}carrel.config.js`)).text()).toContain(Object.values(analytics).at(-1));
      expect(await records(page, `${home}03-parts/index.html`)).toBe(false);
    }
    await configure({ mode: 'own' });
  });
});

test('where consent is required, recording begins when the reader agrees', async ({ page }) => {
  await configure({ mode: 'own', consent: 'required' });
  await expect.poll(async () => (await fetch(`${home}carrel.config.js`)).text()).toContain('required');
  await page.goto(`${home}03-parts/index.html`);
  const bar = page.getByRole('region', { name: 'Web analytics' });
  await expect(bar).toContainText('Nothing is stored on your device.');
  await bar.getByRole('button', { name: 'Allow' }).click();
  await expect(question(page)).toBeVisible();
  await page.getByRole('button', { name: 'Turn off web analytics' }).click();
  await page.waitForLoadState();
  await expect(page.getByRole('button', { name: 'Web analytics', exact: true })).toBeVisible();
  await expect(question(page)).toHaveCount(0);
  await configure({ mode: 'own' });
});

test('a page without the question, where docs.json does not want it, is still counted', async ({ page }) => {
  // Before the deferred scripts run.
  await page.addInitScript(() =>
    document.addEventListener('readystatechange', () =>
      document.querySelector('.c-page-end')?.setAttribute('data-carrel-feedback', 'off'),
    ),
  );
  await page.goto(`${home}advanced_topics/altitude/index.html`);
  await report('views', { path: 'advanced_topics/altitude' });
  await expect(question(page)).toHaveCount(0);
});
