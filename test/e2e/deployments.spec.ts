// What works in each deployment type, and which requests to other hosts its pages send: one test for each cell of the manual's table.
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { deployments } from '../../integration/manifest.ts';
import { openSite } from '../../server/active-exports/open-site.ts';
import { answers, ask, openPanel } from './ask-panel.ts';
import { expect, exported, test as base } from './exported.ts';
import { answerOtherHosts } from './other-hosts.ts';
import { openSearch, search } from './search-dialog.ts';

const exports = {
  cloud: exported('playground-cloud'),
  'client-hosted': exported('playground'),
  'air-gapped': exported('playground-air-gapped'),
};
const operation = 'api-reference/parcels/list-parcels/';

/** Requests to other hosts, which a local answer meets; a test says with `allowed` which ones it wants. */
const test = base.extend<{ requests: string[]; allowed: (urls: unknown[]) => void }>({
  requests: [
    async ({ page }, use) =>
      use(
        await answerOtherHosts(page, {
          answerOf: ({ hostname }) => (hostname === 'eu.parcels.example' ? [{ id: 7 }] : {}),
        }),
      ),
    { auto: true },
  ],
  allowed: async ({ requests, watched }, use) => {
    await use((urls) => {
      // Which of two scripts is requested first is up to the browser.
      expect(requests.toSorted()).toEqual(urls);
      watched.foreign = [];
    });
  },
});

/** Without a network where the type has none: from file://, offline. */
async function open(page: Page, deployment: keyof typeof exports, serve: (source: string) => Promise<string>, path = '') {
  const { folder, file } = exports[deployment];
  if (deployment === 'air-gapped') await page.context().setOffline(true);
  const home = deployment === 'air-gapped' ? file('index.html').replace('index.html', '') : await serve(folder);
  await page.goto(`${home}${path}index.html`);
  return home;
}

const tryIt = (page: Page) => page.getByRole('button', { name: 'Try it' });

for (const deployment of deployments) {
  test.describe(deployment, () => {
    test('search and assistant', async ({ page, serve, allowed }) => {
      const home = await open(page, deployment, serve);
      await openSearch(page);
      expect(await search(page, 'label', home.replace(/\/$/, ''))).toContainEqual(expect.stringContaining('store-a-label'));
      await page.keyboard.press('Escape');
      await openPanel(page);
      await ask(page, 'How do I store a label?');
      await expect(answers(page).last()).toContainText('label');
      allowed([]);
    });

    test('web analytics', async ({ page, serve, requests, allowed }) => {
      await open(page, deployment, serve);
      const question = page.getByRole('region', { name: 'Web analytics' });
      if (deployment === 'cloud') {
        await question.getByRole('button', { name: 'Allow' }).click();
        await expect.poll(() => requests.length).toBe(6);
        allowed([
          'GET https://api.pirsch.io/pa.js',
          'GET https://cdn.usefathom.com/script.js',
          'GET https://plausible.io/js/script.js',
          'GET https://us-assets.i.posthog.com/static/array.js',
          'GET https://www.googletagmanager.com/gtag/js?id=G-PARCELS1',
          'GET https://www.googletagmanager.com/gtm.js?id=GTM-PARCELS',
        ]);
      } else {
        await page.waitForLoadState('networkidle');
        await expect(question).toHaveCount(0);
        allowed([]);
      }
    });

    test('playground', async ({ page, serve, requests, allowed }) => {
      const direct = (source: string) =>
        serve(source, '/', { features: { playground: { mode: 'direct', hosts: ['eu.parcels.example'] } } });
      await open(page, deployment, deployment === 'cloud' ? direct : serve, operation);
      await tryIt(page).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^(?:Send|Show an example)$/ })
        .click();
      if (deployment === 'cloud') {
        await expect(page.getByLabel('Response body')).toContainText('7');
        expect(requests).toHaveLength(1);
        allowed([expect.stringMatching(/^GET https:\/\/eu\.parcels\.example\/v1\/parcels\b/)]);
      } else {
        await expect(page.getByRole('status')).toContainText('200 · Example');
        allowed([]);
      }
    });

    test('bundle', async ({ page, serve, allowed }) => {
      const { zip, manifest } = exports[deployment];
      const bundle = await openSite(zip);
      expect(await bundle.verify!()).toEqual([]);
      expect([bundle.deployment, manifest.deployment]).toEqual([deployment, deployment]);
      // No page of it is missing, and none needs more than the bundle.
      const home = await serve(zip);
      for (const { file, title } of manifest.pages) {
        expect((await page.goto(home + file))!.status()).toBe(200);
        await expect(page.getByRole('heading', { level: 1 })).toContainText(title);
      }
      allowed([]);
    });
  });
}

const off = {
  features: {
    search: { enabled: false },
    assistant: { mode: 'off' },
    analytics: { mode: 'off' },
    playground: { mode: 'off' },
  },
} as const;

for (const deployment of deployments) {
  test(`settings turn everything off: ${deployment}, on screens and phones`, async ({ page, serve, allowed }) => {
    const home = await serve(exports[deployment].folder, '/', off);
    await page.goto(`${home}${operation}`);
    await page.waitForLoadState('networkidle');
    await expect(page.getByRole('heading', { level: 1 })).toContainText('List parcels');
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      for (const control of ['[data-carrel-search]', '[data-carrel-ask]', '[data-carrel-operation]'])
        for (const button of await page.locator(control).all()) await expect(button).toBeHidden();
    }
    for (const key of ['Control+k', '/', 'Control+i']) await page.keyboard.press(key);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Web analytics' })).toHaveCount(0);
    allowed([]);
  });
}

test('settings turn everything on, and open the policy for exactly the hosts that they name', async ({
  page,
  serve,
  requests,
  allowed,
}) => {
  const home = await serve(exports['client-hosted'].folder, '/', {
    features: {
      assistant: { url: 'https://docs-api.example.com/discovery', domain: 'docs' },
      analytics: {
        mode: 'providers',
        consent: 'none',
        providers: { matomo: { url: 'https://stats.example.com/matomo', siteId: 3 } },
        hosts: ['*.example.net'],
      },
      playground: { mode: 'direct', hosts: ['eu.parcels.example'] },
    },
  });
  const response = await page.goto(`${home}${operation}`);
  expect(response!.headers()['content-security-policy']).toBe(
    [
      "default-src 'self'",
      "style-src-attr 'unsafe-inline'",
      "img-src 'self' data: https:",
      "script-src 'self' https://stats.example.com https://*.example.net",
      "connect-src 'self' https://docs-api.example.com https://eu.parcels.example http://eu.parcels.example https://stats.example.com https://*.example.net",
    ].join('; '),
  );
  await expect.poll(() => requests.length).toBe(1);
  allowed(['GET https://stats.example.com/matomo/matomo.js']);
});

test.describe('an air-gapped export', () => {
  test('loads no provider, even where its settings were changed by hand', async ({ page, serve, watched, allowed }) => {
    const folder = await mkdtemp(join(tmpdir(), 'carrel-air-gapped-'));
    await cp(exports['air-gapped'].folder, folder, { recursive: true });
    const analytics = { mode: 'providers', consent: 'none', providers: { fathom: { siteId: 'PARCELSX' } } };
    await writeFile(
      join(folder, 'carrel.config.js'),
      `globalThis.__carrel_config = ${JSON.stringify({ features: { analytics } })};\n`,
    );
    const response = await page.goto(await serve(folder));
    await expect.poll(() => watched.faults.join('\n')).toContain('could not be loaded');
    expect(response!.headers()['content-security-policy']).not.toContain('fathom');
    watched.faults = watched.faults.filter((fault) => !/providers\.\w+\.js/.test(fault));
    allowed([]);
    // An open page asks for its version again.
    await page.close();
    await rm(folder, { recursive: true });
  });
});
