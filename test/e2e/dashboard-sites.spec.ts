// Many sites in the dashboard, a site whose newest export is not what readers see, and what a key that may only read can see.
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { emptyDatabase } from '../server/support/empty-database.ts';
import { followJob, startJob, startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { addFolder, expectAccessible, looks, section, signIn } from './dashboard.ts';
import { expect, test } from './exported.ts';

test.describe.configure({ mode: 'default' });

let server: ServerProcess;
let data: string;

test.beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'carrel-dashboard-sites-'));
  await cp(join(await emptyDatabase(), 'database'), join(data, 'database'), { recursive: true });
  const program = [join(import.meta.dirname, '../server/faults/small-server.ts')];
  server = await startServerProcess(data, { CARREL_PRIVATE_HOSTS: '127.0.0.1' }, program);
  for (let at = 0; at < 120; at++) {
    const url = `https://git.example.com/team-${at % 4}/a-repository-with-a-long-name-${at}.git`;
    const domain = `site-${at}.docs.a-company-with-a-long-name.example.com`;
    expect((await server.request('PUT', `/v1/sites/${domain}`, { source: { type: 'git', url } })).status).toBe(200);
  }
  const domain = 'exported.docs.a-company-with-a-rather-long-name.example.com';
  await addFolder(server, { data, domain, files: { 'index.md': '# Home' } });
  expect(await followJob(server, await startJob(server, { domain }))).toMatchObject({ status: 'completed' });
  const links = Array.from({ length: 30 }, (_, at) => `[a](/gone-${at})`).join('\n\n');
  await addFolder(server, {
    data,
    domain: 'later',
    files: { 'docs.json': '{ "name": "Later", "navigaton": {} }', 'index.md': `# Home\n\n${links}` },
  });
  expect(await followJob(server, await startJob(server, { domain: 'later' }))).toMatchObject({ status: 'completed' });
  await addFolder(server, { data, domain: 'later', files: { 'docs.json': '{ "name": ' } });
  expect(await followJob(server, await startJob(server, { domain: 'later' }))).toMatchObject({ status: 'failed' });
});

test.afterAll(async () => {
  await server?.stop();
  await rm(data, { recursive: true, force: true });
});

const sites = (page: Page) =>
  section(page, 'Sites')
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') });

test('many sites are read with few requests, and found by name and by source', async ({ page }) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await signIn(page, server);
  const all = (await (await server.request('GET', '/v1/sites')).json()).sites.length;
  expect(all).toBeGreaterThan(120);
  await expect(sites(page)).toHaveCount(all);
  expect(requests.filter((path) => path.startsWith('/v1/static-export/jobs')).length).toBeLessThanOrEqual(3);

  await page.getByLabel('Find a site').fill('SITE-17.');
  await expect(sites(page)).toHaveCount(1);
  await page.getByLabel('Find a site').fill('git.example.com/team-3/');
  await expect(sites(page)).toHaveCount(30);
  await page.getByLabel('Find a site').fill('nothing is called so');
  await expect(page.getByText('No site matches')).toBeVisible();
  await expect(sites(page)).toHaveCount(0);
  await page.getByLabel('Find a site').fill('later');
  await expect(sites(page)).toContainText(/Export failed\s*Still serves the one before/);
});

test('the overview says that the latest export failed, why, and which one readers see', async ({ page }) => {
  await signIn(page, server, '/dashboard/default/later');
  const notice = page.getByText('The latest export failed');
  await expect(notice).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Readers see the one before. docs.json is not valid JSON');
  await page.getByRole('link', { name: 'Show the export' }).click();
  await expect(page.getByRole('article')).toContainText('ConfigNotJson');
  await expect(page.getByRole('link', { name: 'Open site' })).toHaveAttribute('href', `${server.sites}/sites/later/`);

  const { exports } = await (await server.request('GET', '/v1/sites/later/exports')).json();
  await server.request('PUT', `/v1/sites/later/exports/${exports[0].jobId}/pin`);
  await page.getByRole('link', { name: 'Overview' }).click();
  await expect(page.getByText('This site serves a pinned export')).toBeVisible();
  await server.request('DELETE', `/v1/sites/later/exports/${exports[0].jobId}/pin`);
});

test('the overview follows an export that is running', async ({ page }) => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket.on('error', () => {}))).listen(0, '127.0.0.1');
  await new Promise((listening) => silent.once('listening', listening));
  const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}/docs.git`;
  await server.request('PUT', '/v1/sites/followed', { source: { type: 'git', url } });
  await startJob(server, { domain: 'followed' });
  await signIn(page, server, '/dashboard/default/followed');
  await expect(page.getByText('The first export is on its way')).toBeVisible();
  await expect.poll(() => sockets.length).toBeGreaterThan(0);
  silent.close();
  for (const socket of sockets) socket.destroy();
  await expect(page.getByText('The first export failed')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('main')).toContainText('Export failed');
});

test('issues are filtered by kind, and by file and message', async ({ page }) => {
  await signIn(page, server, '/dashboard/default/later?tab=warnings');
  const table = page.getByRole('region', { name: 'Table of the issues' });
  const issues = table.getByRole('row').filter({ has: page.getByRole('cell') });
  await expect(page.getByLabel('Kind').getByRole('option', { name: 'link-without-target (30)' })).toHaveCount(1);
  expect(await issues.count()).toBeGreaterThan(30);
  await page.getByLabel('Kind').selectOption('config-unknown-key');
  await expect(issues).toHaveCount(1);
  await expect(issues).toContainText('"navigaton"');
  await page.getByLabel('File or message').fill('gone-7');
  await expect(page.getByText('No issue matches')).toBeVisible();
  await page.getByLabel('Kind').selectOption('');
  await expect(issues).toHaveCount(1);
  await expect(issues).toContainText('"/gone-7"');
  await expect(page.getByRole('status')).toHaveText('1 issue');
});

test('a site that does not exist is not shown as one', async ({ page, watched }) => {
  for (const name of ['overview', 'exports', 'settings']) {
    await signIn(page, server, `/dashboard/default/unknown?tab=${name}`);
    await expect(page.getByText('This site does not exist')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Export now' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Show all sites' }).click();
    await expect(section(page, 'Sites')).toBeVisible();
    await page.getByRole('button', { name: 'Sign out' }).click();
  }
  watched.faults = watched.faults.filter((fault) => !fault.includes('status of 404'));
});

test('a path is no repository, which the form says before it asks the server', async ({ page }) => {
  await signIn(page, server);
  await page.getByRole('button', { name: 'Add a site' }).click();
  const repository = page.getByLabel('Repository', { exact: true });
  for (const path of ['/srv/docs/.git', 'file:///srv/docs', '~/docs', 'C:\\docs']) {
    await repository.fill(path);
    await expect(page.getByRole('dialog').getByLabel('Name')).toHaveValue('docs');
    await page.getByRole('button', { name: 'Add and export' }).click();
    await expect(page.getByRole('alert')).toContainText(`"${path}" is a path`);
    await expect(page.getByRole('alert')).toContainText('choose "Folder on the server" as the source');
  }
});

test('a key that may only read sees the settings, and can change none', async ({ page }) => {
  const schedule = { cron: '0 7 * * *', timezone: 'Europe/Paris' };
  expect((await server.request('PATCH', '/v1/sites/later', { schedule })).status).toBe(200);
  const { secret } = await (await server.request('POST', '/v1/keys', { kind: 'admin', name: 'Reader', scopes: ['read'] })).json();
  await signIn(page, { ...server, adminKey: secret }, '/dashboard/default/later?tab=settings');
  await expect(page.getByText('To change the settings, sign in with a key')).toBeVisible();
  await expect(page.getByLabel('Cron')).toHaveValue('0 7 * * *');
  await expect(section(page, 'Model')).toBeVisible();
  await expect(page.getByRole('main').locator(':is(input, select, textarea):visible:enabled')).toHaveCount(0);
  await expect(page.getByRole('button', { name: /Save|Remove|Add/ })).toHaveCount(0);
});

test('a slow server shows that the page is loading, and neither an empty page nor the form to sign in', async ({ page }) => {
  await signIn(page, server);
  let answer: () => void = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/v1/session', async (route) => {
    await held;
    await route.continue();
  });
  await page.reload();
  await expect(page.locator('.skeleton')).toBeVisible();
  await expect(page.getByLabel('Admin key')).toHaveCount(0);
  answer();
  await expect(section(page, 'Sites')).toBeVisible();
});

test('where nothing is counted, the assistant and the analytics say whether it is turned on', async ({ page }) => {
  const { secret } = await (
    await server.request('POST', '/v1/keys', { kind: 'assistant', name: 'Reader', domains: ['later'] })
  ).json();
  const question = { fp: 'reader', messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Home?' }] }] };
  const by = { authorization: `Bearer ${secret}` };
  const asked = await server.request('POST', '/discovery/v2/assistant/later/message', question, by);
  expect(asked.status, await asked.text()).toBe(200);
  await signIn(page, server, '/dashboard/default/later?tab=assistant');
  await expect(section(page, 'Conversations')).toContainText('Home?');
  for (const name of ['Without an answer', 'Questions of the past 30 days'])
    await expect(section(page, name)).toContainText('Questions are counted when Analytics is set to “Carrel” in the settings.');
  await page.getByRole('link', { name: 'Analytics' }).click();
  await expect(page.getByText('Turn it on')).toBeVisible();

  await server.request('PATCH', '/v1/sites/later', { features: { analytics: { mode: 'own' } } });
  await page.reload();
  await expect(page.getByText('No visits yet')).toBeVisible();
  await expect(page.getByText('Turn it on')).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Open site' })).toBeVisible();
  await page.getByRole('link', { name: 'Assistant' }).click();
  await expect(section(page, 'Questions of the past 30 days')).toContainText('None in the past 30 days.');
});

test('the audit log names the site of an export that was started', async ({ page }) => {
  await signIn(page, server, '/dashboard/default?tab=audit&event=job.start');
  await expect(page.getByRole('row').filter({ hasText: /Started an export later\/se_[0-9a-f]{16}/ })).toHaveCount(2);
});

for (const [width, colorScheme] of looks) {
  test(`many sites, filters and notices fit, and axe finds nothing, at ${width} px in ${colorScheme}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme });
    await signIn(page, server);
    await expect(sites(page).first()).toBeVisible();
    await expectAccessible(page);
    // Nor is the menu of a site cut off.
    const table = page.getByRole('region', { name: 'Table of the sites' });
    expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    await page.goto(`${server.address}/dashboard/default/later`);
    await expect(page.getByText('The latest export failed')).toBeVisible();
    await expectAccessible(page);
    await page.goto(`${server.address}/dashboard/default/later?tab=warnings`);
    await expect(page.getByLabel('Kind')).toBeVisible();
    await expectAccessible(page);
  });
}
