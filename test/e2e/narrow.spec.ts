// On a phone nothing is wider than the screen: what opens on pages of readers (every-page.spec.ts has the pages), and every view of the dashboard,
// with names that have no place to break.
import type { Page } from '@playwright/test';
import { followJob, startJob, type ServerProcess } from '../support/server-process.ts';
import { addFolder, section, signIn } from './dashboard.ts';
import { expect, exported, test } from './exported.ts';
import { startSmallServer, type SmallServer } from './small-server.ts';
import { outside } from './narrow.ts';

test.use({ viewport: { width: 360, height: 740 } });

test('what opens on a page is not wider than a phone', async ({ page }) => {
  const site = exported('wide');
  const operation = site.manifest.pages.find(({ file }) => file.startsWith('api-reference/'))!;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const [file, name, opened] of [
    ['index.html', 'Menu', '#carrel-sidebar'],
    ['index.html', 'Search', 'carrel-search dialog'],
    ['index.html', 'Ask', 'carrel-ask dialog'],
    ['index.html', 'On this page', '#carrel-on-this-page'],
    [operation.file, 'Menu', '#carrel-sidebar'],
    [operation.file, 'Try it', 'carrel-playground dialog'],
  ] as const) {
    await page.goto(site.file(file));
    await page
      .getByRole('button', { name })
      .or(page.locator('summary', { hasText: name }))
      .first()
      .click();
    await expect(page.locator(opened)).toBeVisible();
    expect(await outside(page), `${file}: ${name}`).toEqual([]);
  }
});

test.describe('the dashboard', () => {
  // The tests run one after another, so that only one worker starts the server.
  test.describe.configure({ mode: 'default' });
  const long = 'Longshorefishermensharbourmasterassociation';
  const label = long.toLowerCase();
  const domain = `${label}.${label}.example.com`;
  let opened: SmallServer;
  let server: ServerProcess;

  test.beforeAll(async () => {
    opened = await startSmallServer();
    const { data } = opened;
    ({ server } = opened);
    const files = {
      'index.md': `# ${long}\n\n[a](/${long}/${long}/${long})`,
      'docs.json': `{ "name": "${long}", "navigation": {} }`,
    };
    await addFolder(server, { data, domain, files });
    expect(await followJob(server, await startJob(server, { domain }))).toMatchObject({ status: 'completed' });
    await addFolder(server, { data, domain, files: { 'docs.json': `{ "${long}${long}": ` } });
    expect(await followJob(server, await startJob(server, { domain }))).toMatchObject({ status: 'failed' });
    const made: [string, string, object?][] = [
      [
        'PUT',
        `/v1/sites/git.${domain}`,
        { source: { type: 'git', url: `https://git.example.com/${label}/${label}.git`, ref: label } },
      ],
      ['PUT', `/v1/sites/${domain}/hooks/bitbucket-data-center`],
      ['POST', '/v1/keys', { kind: 'admin', name: `${long}${long}`, scopes: ['read', 'write', 'operator'] }],
      ['POST', '/v1/keys', { kind: 'assistant', name: long, domains: [domain, `git.${domain}`] }],
      ['POST', '/v1/webhooks', { url: `http://127.0.0.1:9/${long}/${long}/${long}`, events: ['job.completed', 'job.failed'] }],
      ['POST', '/v1/organizations', { organizationId: label, name: `${long}${long}`, plan: 'standard' }],
    ];
    for (const [method, path, body] of made)
      expect((await server.request(method, path, body)).ok, `${method} ${path}`).toBe(true);
  });
  test.afterAll(() => opened?.close());

  /** A view, once it has all that it shows. */
  const look = async (page: Page, name: string) => {
    await expect(page.locator('.skeleton')).toHaveCount(0);
    expect(await outside(page), name).toEqual([]);
    // The rows of tables are cards here, which need not scroll.
    const tables = page.locator('.table');
    expect(
      await tables.evaluateAll((all) => all.map((table) => table.scrollWidth - table.clientWidth).filter(Boolean)),
      name,
    ).toEqual([]);
  };

  test('no view is wider than a phone', async ({ page }) => {
    await page.goto(`${server.address}/dashboard`);
    await look(page, 'sign in');
    await signIn(page, server);
    for (const path of ['', `/${domain}`, `/git.${domain}`]) {
      await page.goto(`${server.address}/dashboard/default${path}`);
      const tabs = page.getByRole('main').getByRole('navigation').getByRole('link');
      await expect(tabs.first()).toBeVisible();
      for (const address of await tabs.evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href))) {
        await page.goto(address);
        await look(page, address);
      }
    }
  });

  test('no form is wider than a phone', async ({ page }) => {
    await signIn(page, server);
    const forms: [string, string][] = [
      ['', 'Add a site'],
      ['?tab=keys', 'Create a key'],
      ['?tab=webhooks', 'Add a webhook'],
      ['?tab=organizations', 'Add an organization'],
      [`/${domain}?tab=exports`, 'Export with options…'],
      [`/${domain}?tab=settings`, 'Add a push hook'],
    ];
    for (const [path, name] of forms) {
      await page.goto(`${server.address}/dashboard/default${path}`);
      await page.getByRole('button', { name }).first().click();
      await look(page, name);
    }
    await page.goto(`${server.address}/dashboard/default/${domain}?tab=exports`);
    await section(page, 'All exports').getByRole('button').first().click();
    await look(page, 'an export');
  });
});
