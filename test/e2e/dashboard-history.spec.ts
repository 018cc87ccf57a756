// The history of a site in the dashboard: exports are served again, pinned, compared and previewed.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { followJob, startJob, type ServerProcess } from '../support/server-process.ts';
import { addFolder, expectAccessible, expectAccessibleAtBothWidths, section, signIn } from './dashboard.ts';
import { expect, test } from './exported.ts';
import { startSmallServer, type SmallServer } from './small-server.ts';

test.describe.configure({ mode: 'default' });

let opened: SmallServer;
let server: ServerProcess;
let data: string;
/** Jobs by the versions of their exports. */
const jobs: Record<string, string> = {};

test.beforeAll(async () => {
  opened = await startSmallServer({ CARREL_LIMITS: 'keepExports=3' });
  ({ server, data } = opened);
  const pages = (names: string[]) => JSON.stringify({ name: 'History', navigation: { pages: names } });
  const exportAs = async (version: string, files: Record<string, string>, request: object = {}) => {
    await addFolder(server, { data, domain: 'history', files });
    const { jobId } = await followJob(server, await startJob(server, { domain: 'history', version, ...request }));
    jobs[version] = jobId;
  };
  await exportAs('v0', { 'docs.json': pages(['index']), 'index.md': '# Home' });
  await exportAs('v1', { 'docs.json': pages(['index', 'old']), 'index.md': '# Home\n\n[a](/gone)', 'old.md': '# Old page' });
  await rm(join(data, 'folders/history/old.md'));
  await exportAs('v2', {
    'docs.json': pages(['index', 'new']),
    'index.md': '# Home\n\nMore.\n\n[b](/missing)',
    'new.md': '---\ntitle: <img src=x onerror=alert(1)>\n---\n\nText.',
  });
  await exportAs('part', {}, { paths: ['new'] });
  // The files of the oldest one are deleted after the last one has completed.
  await expect.poll(async () => (await stored()).length).toBe(3);
});

test.afterAll(() => opened?.close());

const row = (page: Page, version: string) =>
  section(page, 'All exports')
    .getByRole('row')
    .filter({ has: page.getByText(version, { exact: true }) });
const actions = (page: Page, version: string) => page.getByRole('button', { name: `Actions for export ${jobs[version]}` });
const stored = async () => (await (await server.request('GET', '/v1/sites/history/exports')).json()).exports;
const served = async () => (await stored()).find(({ active }: { active: boolean }) => active);
const title = async () => /<title>(.*?)<\/title>/.exec(await (await fetch(`${server.sites}/sites/history/`)).text())?.[1];

test('an earlier export is served after confirmation, pinned and unpinned, with the keyboard alone', async ({ page }) => {
  expect(await title()).toBeDefined();
  await signIn(page, server, '/dashboard/default/history?tab=exports');
  await expect(row(page, 'v2')).toContainText('Served');
  await expect(row(page, 'part')).toContainText('A part of the site');
  await expect(row(page, 'v0')).toContainText('Files deleted');
  await expect(actions(page, 'v0')).toHaveCount(0);
  await actions(page, 'part').click();
  await expect(page.getByRole('link', { name: 'Compare with the served one' })).toBeVisible();
  await expect(page.getByRole('button', { name: /Serve this one|Pin/ })).toHaveCount(0);
  await page.keyboard.press('Escape');

  await actions(page, 'v1').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Preview…' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('button', { name: 'Serve this one…' })).toBeFocused();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Serve this export?' });
  await expect(dialog).toContainText(/Readers of history see v1 of .* instead of v2 of /);
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(actions(page, 'v1')).toBeFocused();
  expect(await served()).toMatchObject({ version: 'v2' });

  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Preview…' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toHaveText(/^history serves v1 of /);
  await expect(row(page, 'v1')).toContainText('Served');
  await expect(row(page, 'v2')).not.toContainText('Served');
  await expect(actions(page, 'v1')).toBeFocused();
  expect(await served()).toMatchObject({ version: 'v1', pinned: false });
  await expect.poll(() => fetch(`${server.sites}/sites/history/old/`).then(({ status }) => status)).toBe(200);
  await expect(page.getByText('This site serves an earlier export: v1')).toBeVisible();

  await page.getByRole('button', { name: 'Pin it' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Pin this export?' })).toContainText('until you unpin it');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toHaveText(/^Pinned v1 of /);
  await expect(row(page, 'v1')).toContainText('Pinned');
  await expect(page.getByText('This site serves a pinned export: v1')).toBeVisible();
  expect(await served()).toMatchObject({ version: 'v1', pinned: true });
  // Another one can be served only as the pinned one.
  await actions(page, 'v2').click();
  await expect(page.getByRole('button', { name: 'Pin this one instead…' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Serve this one…' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Unpin' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toHaveText(/^Unpinned v1 of /);
  await expect(page.getByRole('button', { name: 'Pin it' })).toBeFocused();
  expect(await served()).toMatchObject({ version: 'v1', pinned: false });
});

test('two exports are compared: pages added, changed and removed, and issues new and fixed', async ({ page }) => {
  expect((await server.request('POST', `/v1/sites/history/exports/${jobs.v2}/activate`)).status).toBe(200);
  await signIn(page, server, '/dashboard/default/history?tab=exports');
  await actions(page, 'v1').click();
  await page.getByRole('link', { name: 'Compare with the served one' }).click();
  await expect(page.getByLabel('Before')).toHaveValue(jobs.v1!);
  await expect(page.getByLabel('After')).toHaveValue(jobs.v2!);
  const changes = section(page, 'Pages')
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') });
  await expect(changes).toHaveText([
    /<img src=x onerror=alert\(1\)>\s*new\s*Added/i,
    /Home\s*\/\s*Changed/i,
    /Old page\s*old\s*Removed/i,
  ]);
  await expect(section(page, 'Pages')).toContainText('1 added · 1 changed · 1 removed');
  await expect(section(page, 'New issues')).toContainText('"/missing"');
  await expect(section(page, 'Fixed issues')).toContainText('"/gone"');
  // The URL can be shared.
  await page.reload();
  await expect(changes).toHaveCount(3);
  await page.getByLabel('Before').focus();
  await page.getByLabel('Before').selectOption(jobs.v2!);
  await expect(page.getByText('Nothing differs')).toBeVisible();
  await expect(page.getByLabel('Before')).toBeFocused();
  await page.getByLabel('After').selectOption(jobs.v1!);
  await expect(changes).toHaveText([/Old page\s*old\s*Added/i, /Home\s*\/\s*Changed/i, /onerror.*\s*new\s*Removed/i]);
  await page.getByRole('link', { name: 'All exports' }).click();
  await expect(row(page, 'v1')).toBeVisible();
});

test('an export whose files were deleted cannot be compared, and the page says so', async ({ page, watched }) => {
  await signIn(page, server, `/dashboard/default/history?tab=exports&before=${jobs.v0}&after=${jobs.v2}`);
  await expect(page.getByRole('alert')).toContainText('ExportExpired');
  await page.getByLabel('Before').selectOption(jobs.v1!);
  await expect(section(page, 'Pages')).toContainText('1 added');
  await expect(page.getByRole('alert')).toHaveCount(0);
  watched.faults = watched.faults.filter((fault) => !fault.includes('status of 410'));
});

test('an export that is not served is previewed with a link, which needs no key', async ({ page, context }) => {
  expect((await server.request('POST', `/v1/sites/history/exports/${jobs.v2}/activate`)).status).toBe(200);
  await signIn(page, server, '/dashboard/default/history?tab=exports');
  await actions(page, 'v1').click();
  await page.getByRole('button', { name: 'Preview…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Preview' });
  await expect(dialog).toContainText(/Anyone with this link can open v1 of .* until .* Readers of history do not see it\./);
  const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue();
  expect(link.startsWith(`${server.sites}/exports/${jobs.v1}/`)).toBe(true);
  const [shown] = await Promise.all([
    context.waitForEvent('page'),
    dialog.getByRole('link', { name: 'Open the preview' }).click(),
  ]);
  await expect(shown.locator('h1')).toHaveText('Home');
  await expect(shown.getByRole('link', { name: 'a', exact: true })).toBeVisible();
  await shown.getByRole('link', { name: 'Old page' }).first().click();
  await expect(shown.locator('h1')).toHaveText('Old page');
  expect(shown.url().startsWith(link)).toBe(true);
  await shown.close();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(actions(page, 'v1')).toBeFocused();
});

test('the list shows only completed or only failed exports on request', async ({ page }) => {
  await signIn(page, server, '/dashboard/default/history?tab=exports');
  await expect(row(page, 'v2')).toBeVisible();
  await page.getByLabel('Show', { exact: true }).selectOption('failed');
  await expect(section(page, 'All exports').getByText('There are none.')).toBeVisible();
  // Of several choices in a row, the last one counts.
  const { promise: held, resolve: answer } = Promise.withResolvers<void>();
  await page.route('**/static-export/jobs?*', (route) => held.then(() => route.continue()));
  for (const kind of ['queued', 'failed', 'completed']) await page.getByLabel('Show', { exact: true }).selectOption(kind);
  answer();
  await expect(row(page, 'v2')).toBeVisible();
});

test('the history fits, and axe finds nothing, at 1280 and at 390 px', async ({ page }) => {
  expect((await server.request('PUT', `/v1/sites/history/exports/${jobs.v1}/pin`)).status).toBe(200);
  await signIn(page, server, '/dashboard/default/history?tab=exports');
  await expect(page.getByText('This site serves a pinned export')).toBeVisible();
  await expectAccessibleAtBothWidths(page);
  await actions(page, 'v2').click();
  await expect(page.getByRole('button', { name: 'Pin this one instead…' })).toBeVisible();
  await expectAccessibleAtBothWidths(page);
  await page.getByRole('button', { name: 'Pin this one instead…' }).click();
  await expect(page.getByRole('dialog', { name: 'Pin this export?' })).toBeVisible();
  await expectAccessibleAtBothWidths(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.goto(`${server.address}/dashboard/default/history?tab=exports&before=${jobs.v1}&after=${jobs.v2}`);
  await expect(section(page, 'Fixed issues')).toBeVisible();
  await expectAccessibleAtBothWidths(page);
});
