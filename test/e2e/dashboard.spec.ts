// The dashboard of a real server in a real browser.
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { followJob, startJob, type ServerProcess } from '../support/server-process.ts';
import { axeFindings } from './axe.ts';
import {
  addFolder as addFolderTo,
  expectAccessible,
  expectAccessibleAtBothWidths,
  openLink,
  overflow,
  section,
  signIn,
  tab,
} from './dashboard.ts';
import { expect, test } from './exported.ts';
import { firstExport, startSmallServer, type SmallServer } from './small-server.ts';
import { listen } from '../support/listen.ts';

test.describe.configure({ mode: 'default' });

let opened: SmallServer;
let server: ServerProcess;
let data: string;

test.beforeAll(async () => {
  opened = await startSmallServer();
  ({ server, data } = opened);
  await firstExport(server);
});

test.afterAll(() => opened?.close());

const open = (page: Page, path?: string) => signIn(page, server, path);
const addFolder = (domain: string, files: Record<string, string>) => addFolderTo(server, { data, domain, files });
const exportCard = (page: Page) => page.getByRole('article');
const exportRows = (page: Page) =>
  section(page, 'All exports')
    .getByRole('row')
    .filter({ has: page.getByRole('button') });
const siteTabs = ['overview', 'exports', 'warnings', 'assistant', 'analytics', 'settings'];
/** Enters the only folder of a form. */
const fillFolder = async (page: Page, folder: string) => {
  await page.getByLabel('Source', { exact: true }).selectOption('folder');
  await page.getByLabel('Folder', { exact: true }).fill(folder);
};

test('every view fits, and axe finds nothing, at 1280 and at 390 px', async ({ page }) => {
  const look = () => expectAccessibleAtBothWidths(page);
  await page.goto(`${server.address}/dashboard`);
  await look();
  await open(page);
  await expect(section(page, 'Sites').getByRole('link', { name: 'docs', exact: true })).toBeVisible();
  await look();
  await page.getByRole('button', { name: 'Actions for docs' }).click();
  await expect(page.getByRole('button', { name: 'Remove…' })).toBeVisible();
  await look();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add a site' }).click();
  await look();
  await page.keyboard.press('Escape');
  await tab(page, 'Keys').click();
  await page.getByRole('button', { name: 'Create a key' }).click();
  await look();
  await page.keyboard.press('Escape');
  for (const name of ['Webhooks', 'Usage', 'Organizations']) {
    await tab(page, name).click();
    await expect(section(page, name)).toBeVisible();
    await look();
  }
  for (const name of siteTabs) {
    await page.goto(`${server.address}/dashboard/default/docs?tab=${name}`);
    await expect(page.locator('.skeleton')).toHaveCount(0);
    await expect(page.locator('.view > *').first()).toBeVisible();
    await look();
  }
  await tab(page, 'Exports').click();
  await exportCard(page).getByText('Log', { exact: true }).click();
  await expect(page.getByRole('region', { name: 'Log of the export' })).toContainText('Exported');
  await page.getByRole('button', { name: 'Get a download link' }).click();
  await expect(page.getByText('The link expires in')).toBeVisible();
  await look();
  await page.goto(`${server.address}/reference`);
  await look();
});

test('an export is started, watched to its end and downloaded, and its site is opened', async ({ page, context }) => {
  await open(page, '/dashboard/default/docs?tab=exports');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('docs');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(exportCard(page)).toContainText('completed');
  const before = await exportRows(page).count();
  await page.getByRole('button', { name: 'Export with options…' }).click();
  await page.getByLabel('Version').fill('from-the-dashboard');
  await page.getByLabel('Pages').fill('index\n\n03-parts');
  await page.getByLabel('Also as a book').check();
  await page.getByRole('button', { name: 'Start export' }).click();
  await expect(exportRows(page)).toHaveCount(before + 1);
  await expect(exportCard(page)).toContainText('completed');
  await expect(exportCard(page)).toContainText('version from-the-dashboard');
  await expect(exportCard(page).getByRole('list', { name: 'Stages' }).locator('li.done')).toHaveCount(6);
  await expect(page.getByRole('status')).toHaveText('The export is completed.');
  await expect(exportRows(page).first()).toContainText('2 pages');
  await expect(exportRows(page).first()).toContainText(/just now.*from-the-dashboard.*\d s/);

  await page.getByRole('button', { name: 'Get a download link' }).click();
  await expect(page.getByText(/The link expires in 59 min \d+ s\./)).toBeVisible();
  const link = page.getByRole('link', { name: 'Download version from-the-dashboard' });
  await page.getByRole('button', { name: 'Get a link to the EPUB' }).click();
  const book = await page.getByRole('link', { name: 'Download EPUB of version from-the-dashboard' }).getAttribute('href');
  expect((await fetch(book!)).headers.get('content-type')).toBe('application/epub+zip');
  const first = await link.getAttribute('href');
  const bundle = await (await fetch(first!)).arrayBuffer();
  expect(Buffer.from(bundle.slice(0, 2)).toString()).toBe('PK');
  // The link opens in a new tab, so that an expired link does not replace the dashboard.
  const [beside] = await Promise.all([context.waitForEvent('page'), link.click()]);
  if (!beside.isClosed()) await beside.close();

  await tab(page, 'Overview').click();
  await expect(tab(page, 'Overview')).toBeFocused();
  const [site] = await Promise.all([context.waitForEvent('page'), page.getByRole('link', { name: '/sites/docs/' }).click()]);
  await expect(site.locator('h1')).toHaveText('Kettle handbook');
  expect(new URL(site.url()).origin).not.toBe(new URL(server.address).origin);
  expect(await site.evaluate(() => window.opener)).toBeNull();
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
});

test('a sign-in link opens the dashboard once, leaves no trace of its token, and also works where the dashboard is open', async ({
  page,
  watched,
}) => {
  const newLink = async (path = '') =>
    (await (await server.request('POST', '/v1/session-links')).json()).url.replace('/dashboard', `/dashboard${path}`) as string;
  const link = await newLink('/default/docs');
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url(), ...Object.values(request.headers())));
  await openLink(page, server, link);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('docs');
  await expect(page).toHaveURL(`${server.address}/dashboard/default/docs`);
  // Only the headers of two requests have it: whom it signs in, and the sign-in.
  const token = link.split('#link=')[1]!;
  expect(requested.filter((text) => text.includes(token))).toEqual([token, token]);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('docs');

  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('status')).toHaveText('Signed out.');
  await page.goto(link);
  await expect(page.getByRole('alert')).toContainText('This sign-in link has been used');
  await expect(page.getByLabel('Admin key')).toBeFocused();
  await openLink(page, server, await newLink('/default/docs'));
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
  expect(await axeFindings(page, { exclude: 'iframe' })).toEqual([]);
  // The browser logs every refusal in the console.
  watched.faults = watched.faults.filter((fault) => !fault.includes('status of 401'));
});

test('an expired link is reported, and a new one can be requested', async ({ page }) => {
  await page.clock.install({ time: Date.now() });
  await open(page, '/dashboard/default/docs');
  await page.getByRole('button', { name: 'Get a download link' }).click();
  await expect(page.getByRole('link', { name: 'Download' })).toBeVisible();
  await page.clock.fastForward('01:00:01');
  await expect(page.getByRole('link', { name: 'Download' })).toHaveCount(0);
  await expect(page.getByRole('status')).toHaveText('The download link has expired.');
  await expect(page.getByText('The link has expired. Get a new one')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Get a new link' })).toBeVisible();
});

test('a link that arrives when its page was left is not announced, nor is its end', async ({ page }) => {
  await page.clock.install({ time: Date.now() });
  await open(page, '/dashboard/default/docs');
  const left = Promise.withResolvers<void>();
  await page.route('**/bundle', async (route) => {
    const response = await route.fetch();
    await left.promise;
    await route.fulfill({ response });
  });
  const answered = page.waitForResponse('**/bundle');
  await page.getByRole('button', { name: 'Get a download link' }).click();
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('button', { name: 'Get a download link' })).toHaveCount(0);
  left.resolve();
  await (await answered).finished();
  await page.clock.fastForward('01:00:01');
  await expect(page.getByRole('status')).not.toContainText('download link');
});

test('an export for some readers names them, and is not offered as what the site serves', async ({ page }) => {
  await addFolder('readers', { 'index.md': '# Home', 'prices.md': '---\ngroups: [partner]\n---\n# Prices' });
  await followJob(server, await startJob(server, { domain: 'readers' }));
  await open(page, '/dashboard/default/readers?tab=exports');
  await page.getByRole('button', { name: 'Export with options…' }).click();
  await page.getByLabel('Groups').fill('partner, staff');
  await page.getByRole('button', { name: 'Start export' }).click();
  await expect(exportCard(page)).toContainText(/2 pages.*for partner, staff/);
  await expect(exportRows(page).first()).toContainText('For partner, staff');
  await expect(exportRows(page).last()).toContainText('Served');
});

test('a refusal is a sentence with its code and request id', async ({ page, watched }) => {
  await open(page, '/dashboard/default/docs?tab=exports');
  await page.getByRole('button', { name: 'Export with options…' }).click();
  await page.getByLabel('Version').fill('not a version!');
  await page.getByRole('button', { name: 'Start export' }).click();
  await expect(page.getByRole('alert')).toContainText('Version is "not a version!"; it must be 1 to 64 letters');
  await expect(page.getByRole('dialog')).toContainText(/Code RequestInvalid · request req_[0-9a-f]{16}/);
  // The browser logs every refusal in the console.
  watched.faults = watched.faults.filter((fault) => !fault.includes('status of 400'));
});

test('issues found are counted beside the export and in the list, and a table lists them by page', async ({ page }) => {
  await addFolder('issues', {
    'docs.json': JSON.stringify({ name: 'X', color: {}, navigaton: {}, navigation: { pages: ['index', 'guide'] } }),
    'index.mdx': '# Home\n\n[a](/gone)\n\n[b](/<img src=x onerror=alert(1)>)',
    'guide.mdx': `# Guide\n\n${Array.from({ length: 250 }, (_, at) => `[a](/gone-${at})`).join('\n\n')}`,
  });
  const job = await followJob(server, await startJob(server, { domain: 'issues' }));
  await open(page, '/dashboard/default/issues?tab=exports');
  const warnings = `${job.problems!.warnings} warnings`;
  expect(job.problems!.warnings).toBeGreaterThan(250);
  await expect(exportRows(page).first()).toContainText(warnings);
  await exportCard(page).getByText('Issues found').click();
  const table = page.getByRole('region', { name: 'Table of the issues' });
  await expect(exportCard(page)).toContainText(warnings);
  await expect(table.getByRole('rowheader')).toHaveText(['docs.json', 'index.mdx', 'guide.mdx']);
  await expect(table.getByRole('row')).toHaveCount(1 + 3 + 200);
  await expect(table.getByRole('row').filter({ hasText: '"navigaton"' })).toContainText('config-unknown-key');
  await exportCard(page).getByRole('button', { name: 'Show more issues' }).click();
  await expect(table.getByRole('row')).toHaveCount(1 + 3 + job.problems!.warnings);
  await expect(table.getByRole('rowheader')).toHaveCount(3);
  await expect(table.getByRole('row').filter({ hasText: '"/gone"' })).toHaveText(/^3\s*warning/);
  expect(await axeFindings(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await overflow(page)).toBeLessThanOrEqual(0);

  await tab(page, 'Warnings').click();
  await expect(section(page, 'Warnings')).toContainText(warnings);
  await expect(table.getByRole('rowheader')).toHaveText(['docs.json', 'index.mdx', 'guide.mdx']);
  expect(await axeFindings(page)).toEqual([]);
  expect(await overflow(page)).toBeLessThanOrEqual(0);
});

test('a site is added, its first export is followed, its settings are saved, and it is removed', async ({ page }) => {
  const folder = join(data, 'folders', 'Added Docs');
  await mkdir(join(folder, 'manual'), { recursive: true });
  await writeFile(join(folder, 'program.js'), '');
  await open(page);
  await page.getByRole('button', { name: 'Add a site' }).click();
  await fillFolder(page, folder);
  await page.getByRole('button', { name: 'Add and export' }).click();
  await expect(page.getByRole('alert')).toContainText('There are no docs at the top');
  await writeFile(join(folder, 'manual', 'index.md'), '# Added\n\nText.\n');
  await fillFolder(page, folder);
  await expect(page.getByLabel('Name')).toHaveValue('added-docs');
  await page.getByLabel('Name').fill('docs');
  await page.getByRole('button', { name: 'Add and export' }).click();
  await expect(page.getByRole('alert')).toContainText('There is a site "docs" already.');
  await page.getByLabel('Name').fill('added-docs');
  await page.getByRole('button', { name: 'Add and export' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('added-docs');
  await expect(exportCard(page)).toContainText('completed');
  await expect(exportRows(page)).toHaveCount(1);

  await tab(page, 'Overview').click();
  await expect(page.frameLocator('iframe').locator('h1')).toHaveText('Added');
  await tab(page, 'Warnings').click();
  await expect(page.getByText('No issues found')).toBeVisible();

  await tab(page, 'Settings').click();
  const settings = async () => (await server.request('GET', '/v1/sites/added-docs')).json();
  await page.getByLabel('Look for changes').selectOption('minutes');
  await page.getByLabel('Minutes').fill('20');
  await section(page, 'Schedule').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('status')).toHaveText('Saved.');
  expect(await settings()).toMatchObject({ schedule: { everyMinutes: 20 } });
  await page.getByLabel('Look for changes').selectOption('cron');
  await page.getByLabel('Cron').fill('0 6 * * 1-5');
  await page.getByLabel('Time zone').fill('Europe/Paris');
  await page.getByLabel('Analytics').selectOption('own');
  await page.getByLabel('Assistant').selectOption('quotes');
  await page.getByLabel('Ask for consent').selectOption('required');
  await page.getByLabel('API playground').selectOption('proxy');
  await page.getByLabel('Hosts of the playground').fill('api.example.com, api.example.com:8443,');
  await page.getByLabel('Suggested questions').fill('How do I begin?\n\nWhat does it cost?\n');
  await page.getByLabel('Answers of the model in a day').fill('500');
  await page.getByLabel('Public URL').fill('https://docs.example.com');
  for (const name of ['Schedule', 'Features', 'Model', 'Publishing']) {
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await section(page, name).getByRole('button', { name: 'Save' }).click();
    expect((await saved).status()).toBe(200);
  }
  expect(await settings()).toMatchObject({
    schedule: { cron: '0 6 * * 1-5', timezone: 'Europe/Paris' },
    siteUrl: 'https://docs.example.com',
    features: {
      search: { enabled: true },
      analytics: { mode: 'own', consent: 'required' },
      assistant: { mode: 'quotes', suggestions: ['How do I begin?', 'What does it cost?'] },
      playground: { mode: 'proxy', hosts: ['api.example.com', 'api.example.com:8443'] },
    },
    assistant: { answersPerDay: 500 },
  });
  await page.getByLabel('Answers of the model in a day').fill('');
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await section(page, 'Model').getByRole('button', { name: 'Save' }).click();
  expect((await (await saved).json()).assistant).not.toHaveProperty('answersPerDay');
  await page.reload();
  await expect(page.getByLabel('Suggested questions')).toHaveValue('How do I begin?\nWhat does it cost?');
  await expect(page.getByLabel('Hosts of the playground')).toHaveValue('api.example.com, api.example.com:8443');
  await expect(page.getByLabel('Time zone')).toHaveValue('Europe/Paris');

  await tab(page, 'Overview').click();
  await expect(page.getByText('0 6 * * 1-5 (Europe/Paris)')).toBeVisible();
  await page.getByRole('link', { name: 'Default' }).click();
  await page.getByRole('button', { name: 'Actions for added-docs' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Actions for added-docs' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove…' }).click();
  await page.getByRole('button', { name: 'Remove the site' }).click();
  await expect(section(page, 'Sites').getByRole('link', { name: 'docs', exact: true })).toBeVisible();
  await expect(section(page, 'Sites').getByRole('link', { name: 'added-docs', exact: true })).toHaveCount(0);
  expect((await server.request('GET', '/v1/sites/added-docs')).status).toBe(404);
});

test('the overview of a site has links to the previews of its branches, which can be removed', async ({ page }) => {
  const source = { type: 'git', url: 'https://git.example.com/docs.git', ref: 'main' };
  await server.request('PUT', '/v1/sites/branches', { source });
  await open(page, '/dashboard/default/branches?tab=settings');
  const { previews: before } = await (await server.request('GET', '/v1/sites/branches')).json();
  expect(before).toBeUndefined();
  await page.getByLabel('Previews of branches').selectOption('some');
  await page.getByLabel('Branches', { exact: true }).fill('next, docs/*');
  await page.getByLabel('Comment on pull requests with what their branch changes').check();
  await section(page, 'Previews').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('status')).toHaveText('Saved.');
  const saved = await (await server.request('GET', '/v1/sites/branches')).json();
  expect(saved.previews).toEqual({ branches: ['next', 'docs/*'], days: 14, most: 10, comment: true });
  await page.reload();
  await expect(page.getByLabel('Comment on pull requests with what their branch changes')).toBeChecked();
  await expect(page.getByLabel('Branches', { exact: true })).toHaveValue('next, docs/*');
  await tab(page, 'Overview').click();
  await expect(page.getByText('Not exported yet').first()).toBeVisible();
  await expect(section(page, 'Previews')).toHaveCount(0);
  const hook = await (await server.request('PUT', '/v1/sites/branches/hooks/generic')).json();
  await fetch(hook.url, {
    method: 'POST',
    headers: { authorization: `Bearer ${hook.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ref: 'refs/heads/next', repository: { default_branch: 'main' } }),
  });
  await page.reload();
  const previews = section(page, 'Previews');
  await expect(previews).toContainText('next');
  await expect(previews).toContainText('in 14 days');
  expect(await axeFindings(page)).toEqual([]);
  await previews.getByRole('button', { name: 'Remove the preview of next' }).click();
  await page.getByRole('button', { name: 'Remove the preview', exact: true }).click();
  await expect(page.getByRole('status')).toHaveText('Removed the preview of next.');
  await expect(previews).toHaveCount(0);
});

test('a site gets its own model, whose key is only written, checks it, and is switched to quotes and back', async ({ page }) => {
  await addFolder('modeled', { 'index.md': '# Home' });
  const asked: (string | undefined)[] = [];
  const model = createHttpServer(({ headers }, answer) => {
    asked.push(headers.authorization);
    answer.end(JSON.stringify({ data: [{ id: 'qwen3:8b' }] }));
  });
  const baseUrl = `http://127.0.0.1:${await listen(model)}/v1`;
  const part = () => section(page, 'Model');
  const assistant = async () => (await (await server.request('GET', '/v1/sites/modeled')).json()).assistant;
  const save = async () => {
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await part().getByRole('button', { name: 'Save' }).click();
    expect((await saved).status()).toBe(200);
    await expect(part().getByRole('button', { name: 'Save' })).toBeFocused();
  };
  const check = () => part().getByRole('button', { name: 'Check the connection' }).click();

  await open(page, '/dashboard/default/modeled?tab=settings');
  await expect(part().getByLabel('Answers come from')).toHaveValue('server');
  await check();
  await expect(part()).toContainText('No model answers for this site');
  await part().getByLabel('Answers come from').selectOption('own');
  await part().getByLabel('Base URL').fill(baseUrl);
  await part().getByLabel('Name of the model').fill('qwen3:8b');
  await part().getByLabel('API key').fill('secret-of-the-model');
  await part().getByLabel('Answers of the model in a day').fill('500');
  await save();
  expect(await assistant()).toMatchObject({
    model: { baseUrl, model: 'qwen3:8b', apiKeyIsSet: true },
    answersPerDay: 500,
  });
  await expect(part().getByLabel('API key')).toHaveValue('');
  await expect(part().getByLabel('API key')).toHaveAttribute('placeholder', 'Stored. Leave empty to keep it');
  await check();
  await expect(part()).toContainText('The server of the model “qwen3:8b” responds.');
  await expect(page.getByRole('status')).toHaveText('The server of the model “qwen3:8b” responds.');
  expect(asked).toEqual(['Bearer secret-of-the-model']);
  await page.reload();
  await expect(part().getByLabel('Base URL')).toHaveValue(baseUrl);
  expect(await page.content()).not.toContain('secret-of-the-model');

  // Another model of the same server keeps the key. What is not saved is not checked, and no earlier result stays.
  await part().getByLabel('Name of the model').fill('large');
  await expect(part().getByText('responds.')).toHaveCount(0);
  await part().getByRole('button', { name: 'Check the connection' }).click();
  await expect(part()).toContainText('Save the changes first: the check uses what is saved.');
  await save();
  expect(await assistant()).toMatchObject({ model: { model: 'large', apiKeyIsSet: true } });
  await check();
  await expect(part()).toContainText('does not list the model “large”. It lists: qwen3:8b.');

  await part().getByLabel('Answers come from').selectOption('none');
  await expect(part()).toContainText('stay stored, so that you can switch back');
  await save();
  expect(await assistant()).toMatchObject({ answersPerDay: 0, model: { model: 'large', apiKeyIsSet: true } });
  await part().getByLabel('Answers come from').selectOption('own');
  await part().getByLabel('Remove the stored key').check();
  await save();
  const changed = await assistant();
  expect(changed).toMatchObject({ model: { baseUrl, model: 'large', apiKeyIsSet: false } });
  expect(changed).not.toHaveProperty('answersPerDay');
  await expectAccessible(page);
  await part().getByLabel('Answers come from').selectOption('server');
  await save();
  expect(await assistant()).not.toHaveProperty('model');
  model.close();
});

test('a push hook shows its URL and its secret once, and is removed', async ({ page }) => {
  await addFolder('hooked', { 'index.md': '# Home' });
  await open(page, '/dashboard/default/hooked?tab=settings');
  await page.getByRole('button', { name: 'Add a push hook' }).click();
  await page.getByLabel('Service').selectOption('gitlab');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const secret = await page.getByRole('textbox', { name: 'Secret' }).inputValue();
  expect(secret.length).toBeGreaterThan(20);
  await expect(page.getByRole('dialog')).toContainText(`${server.address}/v1/sites/hooked/hooks/gitlab`);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect.poll(() => page.content()).not.toContain(secret);
  const delivery = await fetch(`${server.address}/v1/sites/hooked/hooks/gitlab`, {
    method: 'POST',
    headers: { 'x-gitlab-token': secret, 'x-gitlab-event': 'Push Hook', 'content-type': 'application/json' },
    body: JSON.stringify({ ref: 'refs/heads/main' }),
  });
  expect(delivery.status).toBeLessThan(300);
  await page.getByRole('button', { name: 'Remove the hook for GitLab' }).click();
  await page.getByRole('button', { name: 'Remove the hook', exact: true }).click();
  await expect(section(page, 'Push hooks').getByRole('listitem')).toHaveCount(0);
});

test('questions of readers, those without an answer, and views of pages are shown', async ({ page }) => {
  await open(page, '/dashboard/default/docs?tab=assistant');
  await expect(page.getByText('No questions yet')).toBeVisible();
  const headers = { authorization: `Bearer ${server.assistantKey}` };
  const asked = await server.request(
    'POST',
    '/discovery/v2/assistant/docs/message',
    { fp: 'reader', messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'How do I clean the kettle?' }] }] },
    headers,
  );
  expect(asked.status, await asked.text()).toBe(200);
  await page.reload();
  await expect(section(page, 'Conversations')).toContainText('How do I clean the kettle?');
  await page.getByRole('button', { name: 'Read the conversation How do I clean the kettle?' }).click();
  await expect(page.getByRole('dialog')).toContainText('Sources:');
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await tab(page, 'Analytics').click();
  await expect(page.getByText('No data yet')).toBeVisible();

  await server.request('PATCH', '/v1/sites/docs', { features: { analytics: { mode: 'own' } } });
  const events = [
    { type: 'view', path: '03-parts' },
    { type: 'view', path: 'gone' },
    { type: 'search', query: 'teleport', hits: 0 },
    { type: 'question', query: 'Can it fly?', answer: 'none', path: '03-parts' },
  ];
  const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };
  const recorded = await server.request('POST', '/discovery/v1/events/docs', { events }, browser);
  expect(recorded.status, await recorded.text()).toBe(202);
  const views = async () => (await (await server.request('GET', '/v1/analytics/docs/views')).json()).views.length;
  await expect.poll(views).toBe(2);
  await page.reload();
  await expect(section(page, 'Visitors of the past 30 days')).toContainText('2 views');
  await expect(section(page, 'Pages').getByRole('row').nth(1)).toHaveText(/03-parts\s*1/);
  await expect(section(page, 'Searches').getByRole('row').nth(1)).toHaveText(/teleport\s*1\s*1\s*0 %/);
  await expect(section(page, 'Broken paths').getByRole('row').nth(1)).toHaveText(/gone\s*1/);
  expect(await axeFindings(page)).toEqual([]);
  await tab(page, 'Assistant').click();
  await expect(section(page, 'Without an answer').getByRole('row').nth(1)).toContainText('Can it fly?');
  expect(await axeFindings(page)).toEqual([]);
});

test('a failed export marks the stage that failed, in red, and says why', async ({ page }) => {
  await addFolder('broken', { 'docs.json': '{ "name": ', 'index.mdx': '# Home' });
  const { status } = await followJob(server, await startJob(server, { domain: 'broken' }));
  expect(status).toBe('failed');
  await open(page, '/dashboard/default/broken?tab=exports');
  await expect(exportCard(page).getByRole('alert')).toContainText('ConfigNotJson');
  const stages = exportCard(page).getByRole('list', { name: 'Stages' }).getByRole('listitem');
  await expect(stages).toHaveText(['fetch', 'read failed', 'render', 'index', 'write', 'archive']);
  await expect(page.getByRole('region', { name: 'Log of the export' })).toContainText('> 1 | { "name":');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const colors = await stages.evaluateAll((items) => items.map((item) => getComputedStyle(item).color));
    expect(colors[1]).not.toBe(colors[2]);
  }
  expect(await axeFindings(page)).toEqual([]);
});

/** Starts an export of a git URL whose server never answers, which holds the job in its first stage. */
async function silentExport(domain: string) {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket.on('error', () => {})));
  const url = `https://127.0.0.1:${await listen(silent)}/docs.git`;
  expect((await server.request('PUT', `/v1/sites/${domain}`, { source: { type: 'git', url } })).status).toBe(200);
  const end = () => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  };
  return { jobId: await startJob(server, { domain }), end };
}

test('the list of exports counts the pages of a running one as its card does', async ({ page }) => {
  const { jobId, end } = await silentExport('counted');
  const job = await (await server.request('GET', `/v1/static-export/jobs/${jobId}`)).json();
  const event = `data: ${JSON.stringify({ ...job, status: 'running', stage: 'render', pageCount: 1234 })}\n\n`;
  await page.route('**/events', (route) => route.fulfill({ contentType: 'text/event-stream', body: event }));
  await open(page, '/dashboard/default/counted?tab=exports');
  for (const shown of [exportCard(page), exportRows(page).first()]) await expect(shown).toContainText(/running.*1,234 pages/);
  end();
});

test('a running export is canceled from the keyboard', async ({ page }) => {
  const { end } = await silentExport('silent');
  await open(page, '/dashboard/default/silent?tab=exports');
  await expect(exportCard(page).getByRole('listitem').filter({ hasText: 'fetch' })).toHaveAttribute('aria-current', 'step');
  await page.getByRole('button', { name: 'Cancel the export' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toContainText('Its progress is lost.');
  await expect(page.getByRole('button', { name: 'Keep exporting' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(exportCard(page)).toContainText('canceled');
  await expect(page.getByRole('heading', { name: 'Export', exact: true })).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(exportRows(page).first()).toContainText('canceled');
  end();
});

test('a key is created, shown once, used, and revoked after confirmation, and an assistant key is for a site', async ({
  page,
}) => {
  await open(page, '/dashboard/default?tab=keys');
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByLabel('Name').fill('<img src=x onerror=alert(1)>');
  await page.getByLabel('write').uncheck();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const secret = await page.getByRole('textbox', { name: 'Secret' }).inputValue();
  expect(secret).toMatch(/^svc_[0-9A-Za-z]{43}$/);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    const hidden = await page
      .getByRole('textbox', { name: 'Secret' })
      .evaluate((field) => [field.scrollWidth - field.clientWidth, field.scrollHeight - field.clientHeight]);
    expect(hidden, `at ${width} px`).toEqual([0, 0]);
  }
  const read = { authorization: `Bearer ${secret}` };
  expect((await server.request('GET', '/v1/sites', undefined, read)).status).toBe(200);
  expect((await server.request('POST', '/v1/static-export/jobs', { domain: 'docs' }, read)).status).toBe(403);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const row = section(page, 'Keys').getByRole('row').filter({ hasText: '<img src=x onerror=alert(1)>' });
  await expect(row).toContainText('in 3 months');
  await expect.poll(() => page.content()).not.toContain(secret);
  await row.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('button', { name: 'Revoke the key' }).click();
  await expect(row).toContainText('revoked');
  await expect(section(page, 'Keys').getByRole('heading', { name: 'Keys' })).toBeFocused();
  expect((await server.request('GET', '/v1/sites', undefined, read)).status).toBe(401);
  await expect(page.getByRole('status')).toHaveText(/^Revoked the key/);
  await tab(page, 'Usage').click();
  await expect(section(page, 'Usage')).toContainText('3 of 10');

  await tab(page, 'Keys').click();
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByLabel('Name').fill('Widget');
  await page.getByLabel('Kind').selectOption('assistant');
  await page.getByRole('dialog').getByLabel('docs').check();
  await page.getByLabel('Expires after').selectOption('Never');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  expect(await page.getByRole('textbox', { name: 'Secret' }).inputValue()).toMatch(/^svc_dsc_/);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(section(page, 'Keys').getByRole('row').filter({ hasText: 'Widget' })).toContainText('answer for docs');
});

test('a webhook is added with its secret, and removed', async ({ page, watched }) => {
  await open(page, '/dashboard/default?tab=webhooks');
  await page.getByRole('button', { name: 'Add a webhook' }).click();
  await page.getByLabel('URL').fill('http://10.0.0.1/hook');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('Code AddressPrivate');
  await page.getByLabel('URL').fill('http://127.0.0.1:9/hook');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Secret' })).toHaveValue(/^whsec_/);
  await page.getByRole('button', { name: 'Done' }).click();
  await section(page, 'Webhooks').getByRole('button', { name: 'Remove http://127.0.0.1:9/hook' }).click();
  await page.getByRole('button', { name: 'Remove the webhook' }).click();
  await expect(section(page, 'Webhooks')).toContainText('No webhooks yet');
  watched.faults = watched.faults.filter((fault) => !fault.includes('status of 400'));
});

test('a reload stays signed in, the key is stored nowhere, and Sign out ends the session on the server', async ({
  page,
  context,
  watched,
}) => {
  await open(page, '/dashboard/default/docs?tab=exports');
  await page.getByRole('link', { name: 'Default' }).click();
  await expect(section(page, 'Sites')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('docs');
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('docs');
  await expect(exportCard(page)).toContainText('completed');
  const seen = await page.evaluate(() => [
    document.documentElement.outerHTML,
    ...[...document.querySelectorAll('input')].map(({ value }) => value),
    location.href,
    JSON.stringify(history.state),
    JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
  ]);
  expect(seen.join()).not.toContain(server.adminKey);
  expect(await page.evaluate(() => document.cookie)).toBe('');
  const { cookies, origins } = await context.storageState();
  expect(origins.map(({ localStorage }) => localStorage.map(({ name }) => name))).toEqual([['carrel-browser']]);
  expect(cookies).toEqual([
    expect.objectContaining({ name: 'carrel-session', domain: '127.0.0.1', path: '/', httpOnly: true, sameSite: 'Strict' }),
  ]);
  expect(cookies[0]!.value).not.toContain(server.adminKey);

  await page.getByRole('button', { name: 'Export now' }).click();
  // The card may still be that of the previous export.
  await expect(page.getByRole('status')).toHaveText('The export is completed.');
  await expect(exportCard(page)).toContainText('completed');

  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByLabel('Admin key')).toHaveValue('');
  await expect(page.getByRole('status')).toHaveText('Signed out.');
  expect((await context.storageState()).cookies).toEqual([]);
  await page.reload();
  await expect(page.getByLabel('Admin key')).toBeFocused();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeHidden();

  // The browser sends the cookie again, but the server no longer accepts it.
  await context.addCookies(cookies);
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('The session has ended. Sign in again.');
  await expect(page.getByLabel('Admin key')).toBeFocused();
  watched.faults = watched.faults.filter((fault) => !/status of 401/.test(fault));
});

test.describe('without a policy on the pages of sites', () => {
  test.use({ bypassCSP: true });

  test('a page on the port of the sites cannot sign the browser in with a session of its own', async ({ page, watched }) => {
    const headers = { authorization: `Bearer ${server.adminKey}` };
    const answer = await fetch(`${server.address}/v1/session`, { method: 'POST', headers });
    const [cookie] = answer.headers.get('set-cookie')!.split(';');
    await page.goto(`${server.sites}/sites/docs/`);
    await page.evaluate((planted) => void (document.cookie = `${planted}; path=/`), cookie!);
    await page.goto(`${server.address}/dashboard`);
    await expect(page.getByRole('alert')).toContainText('The session has ended. Sign in again.');
    await open(page);
    watched.faults = watched.faults.filter((fault) => !/status of 401/.test(fault));
  });

  test('a page on the port of the sites cannot use the session', async ({ page, context, watched }) => {
    await open(page);
    const site = await context.newPage();
    await site.goto(`${server.sites}/sites/docs/`);
    const outcomes = await site.evaluate(async (api) => {
      const requests: RequestInit[] = [
        {},
        { headers: { 'x-carrel-session': '1' } },
        { method: 'DELETE', headers: { 'x-carrel-session': '1' } },
        { method: 'DELETE' },
        { method: 'POST', mode: 'no-cors' },
      ];
      return Promise.all(
        requests.map((init) =>
          fetch(`${api}/v1/session`, { credentials: 'include', ...init }).then(
            async (answer) => answer.type + (await answer.text()),
            () => 'refused',
          ),
        ),
      );
    }, server.address);
    expect(outcomes).toEqual(['refused', 'refused', 'refused', 'refused', 'opaque']);
    await site.close();
    await page.reload();
    await expect(section(page, 'Sites')).toBeVisible();
    watched.faults = watched.faults.filter((fault) => !fault.includes('/v1/session'));
  });
});

/** Starts an export; the server's answer arrives, and is read, when the result is called. */
async function heldExport(page: Page, response: { status: number; json: object }): Promise<() => Promise<void>> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/v1/static-export/jobs', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await released;
    return route.fulfill(response);
  });
  await open(page, '/dashboard/default/docs');
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/jobs'));
  await page.getByRole('button', { name: 'Export now' }).click();
  const request = await sent;
  return async () => {
    release();
    expect(await (await request.response())?.finished()).toBeNull();
    // The page has read the response by its second frame.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  };
}

test('a 401 response to an ended session leaves a newer session signed in', async ({ page, watched }) => {
  const answer = await heldExport(page, { status: 401, json: { error: 'The session has ended.', code: 'SessionEnded' } });
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Admin key').fill(server.adminKey);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('docs');
  await answer();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('docs');
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
  watched.faults = watched.faults.filter((fault) => !/status of 401/.test(fault));
});

test('a response that arrives after signing out changes nothing', async ({ page }) => {
  const { jobs } = await (await server.request('GET', '/v1/static-export/jobs?domain=docs')).json();
  const answer = await heldExport(page, { status: 202, json: { ...jobs[0], status: 'queued' } });
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('status')).toHaveText('Signed out.');
  await answer();
  await expect(page.getByRole('status')).toHaveText('Signed out.');
});

test('signing out stops what the page still reads, and a sign-out that fails leaves the page as it was', async ({
  page,
  watched,
}) => {
  const ended = Promise.withResolvers<void>();
  let held = 0;
  await page.route('**/audiences', async (route) => {
    held += 1;
    if (held === 1) await ended.promise;
    await route.continue();
  });
  const clicked = Promise.withResolvers<void>();
  await page.route('**/v1/session', async (route) => {
    if (route.request().method() !== 'DELETE') return route.continue();
    if (held === 1) return route.fulfill({ status: 503, json: { error: 'The server stops.', code: 'ServerStopping' } });
    await clicked.promise;
    return route.continue();
  });
  const read = page.waitForRequest('**/audiences');
  await open(page, '/dashboard/default/docs');
  const stopped = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/audiences'));
  const readAgain = page.waitForResponse('**/audiences');
  await read;
  await page.getByRole('button', { name: 'Sign out' }).click();
  expect((await stopped).failure()?.errorText).toBe('net::ERR_ABORTED');
  await expect(page.getByRole('alert')).toContainText('The server stops.');
  await expect(section(page, 'Download')).toBeVisible();
  ended.resolve();
  await readAgain;
  const reads: string[] = [];
  page.on('request', (request) => request.method() === 'GET' && request.url().includes('/v1/') && reads.push(request.url()));
  await page.getByRole('button', { name: 'Sign out' }).dblclick();
  clicked.resolve();
  await expect(page.getByRole('status')).toHaveText('Signed out.');
  expect(reads).toEqual([]);
  watched.faults = watched.faults.filter((fault) => !/status of 503/.test(fault));
});

test('a wrong key, an assistant key and a revoked key show the sign-in', async ({ page, watched }) => {
  await page.goto(`${server.address}/dashboard`);
  for (const [key, code] of [
    ['nonsense', 'KeyUnknown'],
    ['not a key', 'KeyMalformed'],
    [server.assistantKey, 'KeyNotAdmin'],
  ] as const) {
    await page.getByLabel('Admin key').fill(key);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toContainText(code);
    await expect(page.getByLabel('Admin key')).toBeFocused();
  }
  const made = await (await server.request('POST', '/v1/keys', { kind: 'admin', name: 'Short', scopes: ['read'] })).json();
  await page.getByLabel('Admin key').fill(made.secret);
  await page.keyboard.press('Enter');
  await expect(section(page, 'Sites')).toBeVisible();
  // The key may only read, so the dashboard offers no action that would be refused.
  await expect(page.getByRole('button', { name: /Add a site|Export|Remove/ })).toHaveCount(0);
  await page.reload();
  await expect(section(page, 'Sites')).toBeVisible();
  await server.request('DELETE', `/v1/keys/${made.keyId}`);
  await page.getByRole('link', { name: 'docs', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('KeyUnknown');
  await expect(page.getByLabel('Admin key')).toBeFocused();
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('KeyUnknown');
  watched.faults = watched.faults.filter((fault) => !/status of 40[13]/.test(fault));
});

test('the policy blocks injected scripts and external origins', async ({ page, watched }) => {
  await open(page);
  const violations = page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const seen: string[] = [];
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
          seen.push(effectiveDirective);
          if (new Set(seen).size === 4) resolve([...new Set(seen)].sort());
        });
        const script = document.createElement('script');
        script.textContent = 'window.taken = true';
        const holder = document.createElement('div');
        holder.innerHTML = '<img src="https://elsewhere.test/a.png" onerror="window.taken = true">';
        document.body.append(script, holder);
        void fetch('https://elsewhere.test/').catch(() => undefined);
      }),
  );
  expect(await violations).toEqual(['connect-src', 'img-src', 'script-src-attr', 'script-src-elem']);
  expect(await page.evaluate(() => 'taken' in window)).toBe(false);
  watched.faults = watched.faults.filter((fault) => !/Content Security Policy|elsewhere\.test/.test(fault));
  watched.foreign = watched.foreign.filter((address) => !address.startsWith('https://elsewhere.test/'));
});

test('an interrupted event stream is resumed', async ({ page, context, watched }) => {
  await open(page, '/dashboard/default/docs');
  let broken = 0;
  await context.route('**/events', (route) => {
    broken += 1;
    return broken === 1 ? route.abort('connectionreset') : route.continue();
  });
  await page.getByRole('button', { name: 'Export now' }).click();
  await expect.poll(() => broken).toBe(2);
  await expect(exportCard(page)).toContainText('completed');
  watched.faults = watched.faults.filter((fault) => !fault.includes('/events'));
});

test('the reference finds an operation, and tries it with a key, within its policy and without cookies', async ({ page }) => {
  const faults: string[] = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  await open(page);
  await page.goto(`${server.address}/reference/`);
  await page.getByRole('navigation').getByRole('link', { name: 'List keys' }).click();
  await page.getByRole('button', { name: 'Try it' }).click();
  const form = page.getByRole('dialog', { name: 'List keys' });
  const sent = page.waitForRequest(`${server.address}/v1/keys`);
  await form.getByLabel('adminKey: token').fill(server.adminKey);
  await form.getByRole('button', { name: 'Send' }).click();
  await expect(form.getByText('200 OK')).toBeVisible();
  await expect(form.getByText('"First admin key"')).toBeVisible();
  expect(await (await sent).allHeaders()).not.toHaveProperty('cookie');
  expect(faults).toEqual([]);
});
