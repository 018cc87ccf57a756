// Many sites in the dashboard, a site whose newest export is not what readers see, and what a key that may only read can see.
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import type { Page } from '@playwright/test';
import { followJob, startJob, type ServerProcess } from '../support/server-process.ts';
import { addFolder, expectAccessible, expectAccessibleAtBothWidths, section, signIn } from './dashboard.ts';
import { expect, test, watch } from './exported.ts';
import { startSmallServer, type SmallServer } from './small-server.ts';
import { openSearch, search } from './search-dialog.ts';
import { listen } from '../support/listen.ts';

test.describe.configure({ mode: 'default' });

let opened: SmallServer;
let server: ServerProcess;
let data: string;

test.beforeAll(async () => {
  opened = await startSmallServer();
  ({ server, data } = opened);
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

test.afterAll(() => opened?.close());

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
  await expect(sites(page)).toHaveCount(50);
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
  await page.getByLabel('Find a site').fill('');
  await page.getByLabel('State').selectOption('none');
  await expect(page.getByText(/^120 sites of 12\d$/)).toBeVisible();
});

test('what is shown of a list, its filters and the position survive Back and a reload', async ({ page }) => {
  await signIn(page, server);
  await page.getByLabel('Find a site').fill('git.example.com');
  await page.getByRole('button', { name: 'Show more sites' }).click();
  await expect(sites(page)).toHaveCount(100);
  expect(new URL(page.url()).searchParams.get('search')).toBe('git.example.com');
  const site = sites(page)
    .nth(80)
    .getByRole('link', { name: /^site-/ });
  await site.scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => scrollY);
  expect(before).toBeGreaterThan(1000);
  const name = await site.textContent();
  await site.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name!);
  for (const back of [() => page.goBack(), () => page.reload()]) {
    await back();
    await expect(sites(page)).toHaveCount(100);
    await expect(page.getByLabel('Find a site')).toHaveValue('git.example.com');
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(before);
  }
  await page.getByLabel('Find a site').fill('site-1');
  await expect(sites(page)).toHaveCount(31);
});

test('many exports are shown in pages, and found by state, version and commit', async ({ page }) => {
  await signIn(page, server, '/dashboard/default/later?tab=exports');
  const rows = section(page, 'All exports')
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') });
  const all = (await (await server.request('GET', '/v1/static-export/jobs?domain=later')).json()).jobs.length;
  await expect(rows).toHaveCount(all);
  await page.getByLabel('Show', { exact: true }).selectOption('failed');
  await expect(rows).toHaveCount(1);
  await page.reload();
  await expect(rows).toHaveCount(1);
  await page.getByLabel('Find an export').fill('no such version');
  await expect(page.getByText('There are none.')).toBeVisible();
  // The newest export stays.
  await expect(page.getByRole('article')).toContainText('ConfigNotJson');
  // The audit log names the site of an export that was started.
  await page.goto(`${server.address}/dashboard/default?tab=audit&event=job.start`);
  await expect(page.getByRole('row').filter({ hasText: /Started an export later\/se_[0-9a-f]{16}/ })).toHaveCount(2);
});

test('unsaved settings stay as a draft on other tabs and after the session, until they are saved or discarded', async ({
  page,
}) => {
  // A path of another organization keeps its site and its tab.
  await signIn(page, server, '/dashboard/another-team/later?tab=settings');
  await expect(section(page, 'Publishing')).toBeVisible();
  await expect(page).toHaveURL(`${server.address}/dashboard/default/later?tab=settings`);
  const url = page.getByLabel('Public URL');
  const features = section(page, 'Features');
  await url.fill('https://docs.example.com');
  await page.getByLabel('API playground').selectOption('proxy');
  await features.getByRole('button', { name: 'Save' }).click();
  expect(
    await page.getByLabel('Hosts of the playground').evaluate((input: HTMLInputElement) => input.validity.valueMissing),
  ).toBe(true);
  await page.getByRole('link', { name: 'Warnings' }).click();
  await expect(page.getByRole('status')).toHaveText(/Your changes are not saved yet/);
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(url).toHaveValue('https://docs.example.com');
  await expect(page.getByLabel('Hosts of the playground')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Admin key').fill(server.adminKey);
  await page.keyboard.press('Enter');
  await expect(url).toHaveValue('https://docs.example.com');
  await features.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByLabel('API playground')).toHaveValue('');
  await expect(features.getByText('Not saved yet.')).toBeHidden();
  const publishing = section(page, 'Publishing');
  await publishing.getByRole('button', { name: 'Save' }).click();
  await expect(publishing.getByText('Not saved yet.')).toBeHidden();
  await page.reload();
  await expect(url).toHaveValue('https://docs.example.com');
});

test('an error of a form is at its field, by its label', async ({ page, watched }) => {
  await signIn(page, server, '/dashboard/default/later?tab=settings');
  const questions = page.getByLabel('Suggested questions');
  await questions.fill(`Short?\n${'x'.repeat(201)}`);
  await section(page, 'Features').getByRole('button', { name: 'Save' }).click();
  await expect(questions).toBeFocused();
  await expect(questions).toHaveAttribute('aria-invalid', 'true');
  await expect(questions).toHaveAccessibleDescription(
    /One on each line.* Suggested questions, number 2, has 201 characters; it must have at most 200 characters\.$/,
  );
  await expectAccessible(page);
  await questions.fill('Short?');
  await expect(questions).not.toHaveAttribute('aria-invalid');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await section(page, 'Features').getByRole('button', { name: 'Discard' }).click();

  await page.getByRole('combobox', { name: 'Source', exact: true }).selectOption('git');
  const repository = page.getByLabel('Repository', { exact: true });
  await repository.fill('git@github.com:team/docs.git');
  await section(page, 'Source').getByRole('button', { name: 'Save' }).click();
  await expect(repository).toBeFocused();
  await expect(page.getByRole('alert')).toHaveText(
    'Repository must be an https:// or ssh:// URL: https://github.com/team/docs.git or ssh://git@github.com/team/docs.git.',
  );
  watched.faults = watched.faults.filter((fault) => !fault.includes('status of 400'));
});

test.describe('what a form says about its values', () => {
  const domain = 'faults.example.com';
  test.beforeAll(async () => {
    const body = {
      source: { type: 'git', url: 'https://git.example.com/team/docs.git' },
      ...{ siteUrl: 'https://docs.example.com', socialCards: true },
      previews: { branches: ['next'] },
      features: { analytics: { mode: 'providers', providers: { plausible: { domain: 'docs.example.com' } } } },
    };
    expect((await server.request('PUT', `/v1/sites/${domain}`, body)).status).toBe(200);
  });

  const settings = `/${domain}?tab=settings`;
  const cases: [path: string, form: string, label: string, value: string][] = [
    ['', 'Add a site', 'Name', '-docs-'],
    ['?tab=keys', 'Create a key', 'Name', '   '],
    ['?tab=webhooks', 'Add a webhook', 'URL', 'https://user:secret@example.com/'],
    ['?tab=organizations', 'Add an organization', 'ID', 'Not an ID!'],
    [`/${domain}?tab=exports`, 'Export with options…', 'Version', 'a/b c'],
    [`/${domain}?tab=exports`, 'Export with options…', 'Pages', '../secret'],
    [settings, 'Source', 'Branch or tag', '--upload-pack'],
    [settings, 'Source', 'Folder in the repository', '../outside'],
    [settings, 'Schedule', 'Cron', 'daily'],
    [settings, 'Schedule', 'Time zone', 'Nowhere/At all'],
    [settings, 'Previews', 'Branches', '-x'],
    [settings, 'Publishing', 'Public URL', 'https://docs.example.com/?a=b'],
    [settings, 'Features', 'Hosts of the playground', 'not a host'],
    [settings, 'Model', 'Base URL', 'https://models.example.com/v1?key=secret'],
  ];
  /** What shows the fields, by form. */
  const choices: Record<string, [label: string, value: string]> = {
    'Add a site': ['Content', 'docs'],
    Schedule: ['Look for changes', 'cron'],
    Features: ['API playground', 'direct'],
    Model: ['Answers come from', 'own'],
  };
  const others: Record<string, string> = {
    Repository: 'https://git.example.com/a.git',
    'Name of the model': 'a',
    Name: 'A team',
  };

  test('is at its field, in every form', async ({ page, watched }) => {
    await signIn(page, server);
    for (const [path, form, label, value] of cases) {
      await page.goto(`${server.address}/dashboard/default${path}`);
      if (path !== settings) await page.getByRole('button', { name: form }).click();
      const fields = path === settings ? section(page, form) : page.getByRole('dialog');
      const choice = choices[form];
      if (choice) await fields.getByLabel(choice[0]).selectOption(choice[1]);
      for (const [name, text] of Object.entries(others))
        if (await fields.getByLabel(name, { exact: true }).isVisible()) await fields.getByLabel(name, { exact: true }).fill(text);
      const input = fields.getByLabel(label, { exact: true });
      await input.fill(value);
      await fields.locator('button.primary').click();
      const alert = fields.getByRole('alert');
      await expect(alert, `${form}: ${label}`).toHaveCount(1);
      await expect.soft(alert, form).toHaveText(new RegExp(`^(?:${label}\\b|"https://…@)`));
      await expect.soft(input, `${form}: ${label}`).toHaveAttribute('aria-invalid', 'true');
      if (path === settings) await fields.getByRole('button', { name: 'Discard' }).click();
    }
    watched.faults = watched.faults.filter((one) => !one.includes('status of 400'));
  });

  test('names the field of another form by its label, and what has no field in words', async ({ page, watched }) => {
    await signIn(page, server, `/dashboard/default${settings}`);
    await page.getByRole('combobox', { name: 'Source', exact: true }).selectOption('folder');
    await page.getByLabel('Folder', { exact: true }).fill(data);
    await section(page, 'Source').getByRole('button', { name: 'Save' }).click();
    const alertOf = (form: string) => section(page, form).getByRole('alert');
    await expect(alertOf('Source')).toContainText('“Previews of branches” need a git source: a folder has no branches.');
    await section(page, 'Source').getByRole('button', { name: 'Discard' }).click();
    await page.getByLabel('Public URL').fill('');
    await page.getByLabel('Deployment').selectOption('air-gapped');
    await section(page, 'Publishing').getByRole('button', { name: 'Save' }).click();
    await expect(alertOf('Publishing')).toContainText('“Social cards” needs');
    await expect(alertOf('Publishing')).toContainText('“Analytics” cannot be "providers"');
    watched.faults = watched.faults.filter((one) => !one.includes('status of 400'));
  });
});

test('a webhook shows what its receiver answered, and takes a test and another try', async ({ page }) => {
  let status = 500;
  const receiver = createHttpServer((_request, response) => response.writeHead(status).end('<b>Not now</b>'));
  const url = `http://127.0.0.1:${await listen(receiver)}/hook`;
  await signIn(page, server, '/dashboard/default?tab=webhooks');
  await page.getByRole('button', { name: 'Add a webhook' }).click();
  await page.getByLabel('URL').fill(url);
  await page.getByLabel('Export completed').uncheck();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(section(page, 'Webhooks')).toContainText('Export failed, Model fails, Model answers again');
  await page.getByRole('button', { name: `Deliveries to ${url}` }).click();
  await expect(page.getByText('Nothing was sent yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Send a test' }).click();
  const rows = page
    .getByRole('region', { name: 'Table of the deliveries' })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') });
  await expect(rows).toHaveText(/webhook\.test\s*Status 500.*<b>Not now<\/b>/);
  status = 204;
  await rows.getByRole('button', { name: /^Try again/ }).click();
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText('Status 204');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: `Deliveries to ${url}` })).toBeFocused();
  receiver.close();
});

test('an operator adds an organization, makes its first key, and removes it by its ID', async ({ page }) => {
  await signIn(page, server, '/dashboard/default?tab=organizations');
  await page.getByRole('button', { name: 'Add an organization' }).click();
  await page.getByLabel('Name').fill('Team Nine');
  await page.getByLabel('ID').fill('team-nine');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const menu = page.getByRole('button', { name: 'Actions for Team Nine' });
  await menu.click();
  await page.getByRole('button', { name: 'Create a key…' }).click();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const secret = await page.getByLabel('Secret').inputValue();
  await page.getByRole('button', { name: 'Done' }).click();
  const by = { authorization: `Bearer ${secret}` };
  expect((await server.request('GET', '/v1/account', undefined, by)).status).toBe(200);
  await menu.click();
  await page.getByRole('button', { name: 'Remove…' }).click();
  const go = page.getByRole('button', { name: 'Remove the organization' });
  await page.getByLabel('Type the ID').fill('team-nin');
  await go.click();
  await expect(go).toBeVisible();
  await page.getByLabel('Type the ID').fill('team-nine');
  await go.click();
  await expect(menu).toHaveCount(0);
  expect((await server.request('GET', '/v1/organizations/team-nine')).status).toBe(404);
});

test('a model that fails is shown in the list, the overview and the tab of the assistant, with its last error', async ({
  page,
}) => {
  await server.request('PATCH', '/v1/sites/later', { assistant: { model: { baseUrl: 'http://127.0.0.1:9/v1', model: 'gone' } } });
  const { secret } = await (
    await server.request('POST', '/v1/keys', { kind: 'assistant', name: 'M', domains: ['later'] })
  ).json();
  const question = { fp: 'reader', messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'What is at home?' }] }] };
  for (let asked = 0; asked < 2; asked++)
    await (
      await server.request('POST', '/discovery/v2/assistant/later/message', question, { authorization: `Bearer ${secret}` })
    ).text();
  await expect.poll(async () => (await (await server.request('GET', '/v1/model-failures')).json()).failures).toHaveLength(1);
  await signIn(page, server, '/dashboard/default?state=model');
  await expect(sites(page)).toHaveText(/^later.*Its model fails/);
  for (const name of ['overview', 'assistant']) {
    await page.goto(`${server.address}/dashboard/default/later?tab=${name}`);
    await expect(page.getByText('The model “gone” fails')).toContainText(/fails/);
    await expect(page.getByRole('main')).toContainText(/2 times since .*ECONNREFUSED.*ModelUnreachable/);
    await expectAccessible(page);
  }
  await server.request('PATCH', '/v1/sites/later', { assistant: null });
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
  const silent = createServer((socket) => void sockets.push(socket.on('error', () => {})));
  const url = `https://127.0.0.1:${await listen(silent)}/docs.git`;
  await server.request('PUT', '/v1/sites/followed', { source: { type: 'git', url } });
  await startJob(server, { domain: 'followed' });
  await signIn(page, server, '/dashboard/default/followed');
  await expect(page.getByText('The first export is on its way')).toBeVisible();
  await expect.poll(() => sockets.length).toBeGreaterThan(0);
  silent.close();
  for (const socket of sockets) socket.destroy();
  await expect(page.getByText('The first export failed')).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Export failed');
});

test('issues are filtered by kind, and by file and message', async ({ page }) => {
  await signIn(page, server, '/dashboard/default/later?tab=warnings');
  const table = page.getByRole('region', { name: 'Table of the issues' });
  const issues = table.getByRole('row').filter({ has: page.getByRole('cell') });
  await expect(page.getByLabel('Kind').getByRole('option', { name: 'link-without-target (30)' })).toHaveCount(1);
  await expect(issues.nth(30)).toBeVisible();
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

test('a site gets a password in its settings, which readers then need, and which a new one replaces', async ({
  page,
  watched,
  browser,
}) => {
  const files = {
    'index.md': '# Welcome\n\nTo the [guide](guide.md).\n\n![A square](square.svg)',
    'guide.md': '# Kettles\n\nHow to clean them.',
    'prices.md': '---\ngroups: [partner]\n---\n\n# Prices',
    'square.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
  };
  await addFolder(server, { data, domain: 'private', files });
  expect(await followJob(server, await startJob(server, { domain: 'private' }))).toMatchObject({ status: 'completed' });
  const setPassword = async (text: string) => {
    const form = section(page, 'Visibility');
    await form.getByLabel('Who may read the site').selectOption('Readers who know the password');
    await form.getByLabel('Password', { exact: true }).fill(text);
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Saved.').first()).toBeVisible();
    await expect(form.getByLabel('Password', { exact: true })).toHaveValue('');
  };
  await signIn(page, server, '/dashboard/default/private?tab=settings');
  await setPassword('open sesame');
  await expectAccessible(page);

  const reader = await browser.newPage({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  const home = `${server.sites}/sites/private/`;
  await expect.poll(async () => (await reader.goto(`${home}guide/?from=mail`))?.status()).toBe(401);
  await expectAccessible(reader);
  const password = reader.getByLabel('Password');
  await expect(password).toBeFocused();
  await password.fill('sesame');
  await reader.keyboard.press('Enter');
  await expect(reader.getByRole('alert')).toHaveText('Wrong password. Try again.');
  await expectAccessible(reader);
  await password.fill('open sesame');
  const seen = watch(reader);
  await reader.keyboard.press('Enter');
  await expect(reader.getByRole('heading', { name: 'Kettles' })).toBeVisible();
  await expect(reader).toHaveURL(`${home}guide/?from=mail`);
  // Its scripts run when the page is read to its end.
  await reader.waitForLoadState();
  await openSearch(reader);
  expect(await search(reader, 'clean', home)).toEqual(['guide/index.html']);
  await reader.goto(home);
  await expect(reader.getByRole('img', { name: 'A square' })).toHaveJSProperty('naturalWidth', 9);
  expect(seen.faults).toEqual([]);
  await expect(reader.getByRole('link', { name: 'Prices' })).toHaveCount(0);

  const form = section(page, 'Visibility');
  await form.getByRole('button', { name: 'Add an audience' }).click();
  await form.getByLabel('Groups', { exact: true }).fill('partner');
  await form.getByLabel('Password of these readers').fill('open sesame');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText('is that of other readers of this site')).toBeVisible();
  expect(watched.faults.splice(0)).toEqual([expect.stringContaining('400 (Bad Request)')]);
  await form.getByLabel('Password of these readers').fill('for partners');
  await expectAccessibleAtBothWidths(page);
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByLabel('Password of these readers')).toHaveValue('');
  const partner = await browser.newPage();
  await partner.goto(home);
  await partner.getByLabel('Password').fill('for partners');
  await partner.keyboard.press('Enter');
  await expect(partner.getByRole('heading', { name: 'Welcome' })).toBeVisible();
  await expect.poll(async () => (await partner.goto(`${home}prices/`))?.status(), { timeout: 60_000 }).toBe(200);
  await expect(partner.getByRole('heading', { name: 'Prices' })).toBeVisible();
  expect((await reader.goto(`${home}prices/`))?.status()).toBe(404);
  await partner.close();

  await setPassword('close sesame');
  await expect.poll(async () => (await reader.goto(home))?.status()).toBe(401);
  await section(page, 'Visibility').getByLabel('Who may read the site').selectOption('Everyone');
  await section(page, 'Visibility').getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => (await reader.goto(home))?.status()).toBe(200);
  await reader.close();
  expect(watched.faults).toEqual([]);
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

test('many sites, filters and notices fit, and axe finds nothing, at 1280 and at 390 px', async ({ page }) => {
  await signIn(page, server);
  await expect(sites(page).first()).toBeVisible();
  await expectAccessibleAtBothWidths(page);
  // Nor is the menu of a site cut off.
  const table = page.getByRole('region', { name: 'Table of the sites' });
  expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await page.goto(`${server.address}/dashboard/default/later`);
  await expect(page.getByText('The latest export failed')).toBeVisible();
  await expectAccessibleAtBothWidths(page);
  await page.goto(`${server.address}/dashboard/default/later?tab=warnings`);
  await expect(page.getByLabel('Kind')).toBeVisible();
  await expectAccessibleAtBothWidths(page);
});
