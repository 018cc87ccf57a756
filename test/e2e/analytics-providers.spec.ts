// Analytics providers in the browser: asking first, what their scripts find, and what is left after a withdrawal.
import type { BrowserContext, Page } from '@playwright/test';
import { axeFindings } from './axe.ts';
import { expect, exported, test } from './exported.ts';
import { answerOtherHosts } from './other-hosts.ts';

const cloud = exported('playground-cloud');
const question = (page: Page) => page.getByRole('region', { name: 'Web analytics' });
const footer = (page: Page) => page.getByRole('contentinfo');

/** What a script of Google, PostHog or Matomo does: it stores something, and sends it home. */
const scriptOf = ({ hostname }: URL) =>
  hostname === 'www.googletagmanager.com'
    ? `document.cookie = '_ga=1;path=/'; document.cookie = '_ga_PARCELS1=1;path=/'; fetch('https://region1.google-analytics.com/g/collect?v=2', { method: 'POST' });`
    : hostname.endsWith('posthog.com')
      ? `document.cookie = 'ph_phc_parcels_posthog=1;path=/'; localStorage.setItem('ph_phc_parcels_posthog', '1');`
      : '';

const cookiesOf = async (context: BrowserContext) => (await context.cookies()).map(({ name }) => name).sort();

test('nothing is loaded before the reader agrees, nor after they decline', async ({ page, serve, watched }) => {
  const requests = await answerOtherHosts(page);
  const home = await serve(cloud.folder);
  await page.goto(home);
  await expect(question(page)).toContainText('with Google Analytics, Google Tag Manager, Plausible, Fathom, PostHog, and Pirsch');
  // The question does not take the focus, and is the second thing that the Tab key reaches.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(question(page).getByRole('button', { name: 'Decline' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question(page)).toHaveCount(0);
  for (const path of ['', 'api-reference/parcels/list-parcels/', '']) {
    await page.goto(home + path);
    await page.waitForLoadState('networkidle');
    await expect(question(page)).toHaveCount(0);
  }
  expect(requests).toEqual([]);
  // The reader can think again.
  await footer(page).getByRole('button', { name: 'Web analytics' }).click();
  await expect(question(page).getByRole('button', { name: 'Allow' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(footer(page).getByRole('button', { name: 'Turn off web analytics' })).toBeFocused();
  await expect.poll(() => requests.length).toBe(6);
  await page.reload();
  await expect.poll(() => requests.length).toBe(12);
  watched.foreign = [];
});

test('after a withdrawal nothing is loaded, and what the providers stored is removed', async ({
  page,
  serve,
  context,
  watched,
}) => {
  const requests = await answerOtherHosts(page, { scriptOf });
  await page.goto(await serve(cloud.folder));
  await context.addCookies([{ name: 'theirs', value: '1', url: page.url() }]);
  await question(page).getByRole('button', { name: 'Allow' }).click();
  await expect.poll(() => requests.filter((one) => one.startsWith('POST')).length).toBeGreaterThan(0);
  await expect.poll(() => cookiesOf(context)).toEqual(['_ga', '_ga_PARCELS1', 'ph_phc_parcels_posthog', 'theirs']);
  // Another tab of the reader, which runs the scripts, too.
  const other = await context.newPage();
  await answerOtherHosts(other, { scriptOf });
  await other.goto(page.url());
  await expect(footer(other).getByRole('button', { name: 'Turn off web analytics' })).toBeVisible();
  const otherReloaded = other.waitForEvent('load');
  const reloaded = page.waitForEvent('load');
  await footer(page).getByRole('button', { name: 'Turn off web analytics' }).click();
  await Promise.all([reloaded, otherReloaded]);
  await expect(footer(other).getByRole('button', { name: 'Web analytics', exact: true })).toBeVisible();
  await other.close();
  const before = requests.length;
  await expect(footer(page).getByRole('button', { name: 'Web analytics' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(requests.slice(before)).toEqual([]);
  expect(await cookiesOf(context)).toEqual(['theirs']);
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('ph_')))).toEqual([]);
  await expect(question(page)).toHaveCount(0);
  watched.foreign = [];
});

test('the scripts find their IDs, and the policy keeps them from all other hosts', async ({ page, serve, watched }) => {
  const report = (what: string) => `(globalThis.found ??= []).push(${what});`;
  const own =
    'document.currentScript.getAttributeNames().map((name) => [name, document.currentScript.getAttribute(name)].join("="))';
  const requests = await answerOtherHosts(page, {
    scriptOf: ({ hostname, pathname }) =>
      pathname === '/gtag/js' || pathname === '/gtm.js'
        ? report(
            `[${JSON.stringify(pathname)}, ...dataLayer.map((one) => JSON.stringify(Object.values(one).filter((value) => typeof value === 'string')))]`,
          )
        : hostname === 'us-assets.i.posthog.com'
          ? report('JSON.stringify([posthog._i, posthog.__SV])')
          : pathname === '/matomo/matomo.js'
            ? report('JSON.stringify(_paq)') +
              `fetch('https://elsewhere.example/').catch(() => found.push('refused'));
               document.body.append(Object.assign(document.createElement('script'), { textContent: 'found.push("inline")' }));`
            : report(own),
  });
  const { folder } = exported('playground');
  await page.goto(
    await serve(folder, '/', {
      features: {
        analytics: {
          mode: 'both',
          consent: 'none',
          providers: {
            ga4: { measurementId: 'G-PARCELS1' },
            gtm: { tagId: 'GTM-PARCELS' },
            plausible: { domain: 'parcels.example', server: 'plausible.example.com' },
            fathom: { siteId: 'PARCELSX' },
            posthog: { apiKey: 'phc_parcels' },
            pirsch: { id: 'Parcels0123456789' },
            matomo: { url: 'https://stats.example.com/matomo', siteId: 3 },
            umami: { url: 'https://umami.example.com', websiteId: '94db1cb1-74f4-4a40-ad6c-962362670409' },
          },
        },
      },
    }),
  );
  const found = () => page.evaluate(() => (globalThis as { found?: unknown[] }).found ?? []);
  const google = ['["js"]', '["config","G-PARCELS1"]', '["gtm.js"]'];
  const expected = [
    ['/gtag/js', ...google],
    ['/gtm.js', ...google],
    [
      'data-domain=parcels.example',
      'data-api=https://plausible.example.com/api/event',
      'src=https://plausible.example.com/js/script.js',
    ],
    ['data-site=PARCELSX', 'src=https://cdn.usefathom.com/script.js'],
    '[[["phc_parcels",{"api_host":"https://us.i.posthog.com","disable_session_recording":true},"posthog"]],1]',
    ['id=pianjs', 'data-code=Parcels0123456789', 'src=https://api.pirsch.io/pa.js'],
    '[["setTrackerUrl","https://stats.example.com/matomo/matomo.php"],["setSiteId","3"],["trackPageView"],["enableLinkTracking"]]',
    ['data-website-id=94db1cb1-74f4-4a40-ad6c-962362670409', 'src=https://umami.example.com/script.js'],
    'refused',
  ];
  await expect.poll(async () => (await found()).length).toBe(expected.length);
  expect(await found()).toEqual(expect.arrayContaining(expected));
  expect(requests).toHaveLength(8);
  expect(watched.faults.filter((fault) => fault.includes('elsewhere.example')).length).toBeGreaterThan(0);
  // Once by the policy of the host, once by that of the page.
  expect(watched.faults.filter((fault) => fault.includes('inline script')).length).toBe(2);
  watched.faults = [];
  watched.foreign = [];
});

test('nothing is asked or loaded from file://', async ({ page }) => {
  const requests = await answerOtherHosts(page);
  await page.goto(cloud.file('index.html'));
  await page.waitForLoadState('networkidle');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Parcels');
  await expect(question(page)).toHaveCount(0);
  expect(requests).toEqual([]);
});

test('the question is in the language and direction of the page', async ({ page, serve }) => {
  const { folder, manifest } = exported('arabic');
  const analytics = { mode: 'providers', providers: { fathom: { siteId: 'PARCELSX' } } } as const;
  await page.goto((await serve(folder, '/', { features: { analytics } })) + manifest.entry);
  const region = page.getByRole('region', { name: 'تحليلات الويب' });
  await expect(region).toContainText('باستخدام Fathom.');
  await expect(region).toHaveCSS('direction', 'rtl');
});

test('the question is accessible and fits on a phone', async ({ page, serve }) => {
  await answerOtherHosts(page);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(await serve(cloud.folder));
  await expect(question(page)).toBeVisible();
  expect(await axeFindings(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  for (const button of await question(page).getByRole('button').all())
    expect((await button.boundingBox())!.height).toBeGreaterThanOrEqual(44);
  // The end of the page can be read above it.
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  const end = await page.locator('main').evaluate((main) => main.lastElementChild!.getBoundingClientRect().bottom);
  expect(end).toBeLessThanOrEqual((await question(page).boundingBox())!.y);
  await page.emulateMedia({ media: 'print' });
  await expect(question(page)).toBeHidden();
});
