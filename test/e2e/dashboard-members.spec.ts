// Members of an organization, from their invitation to their removal, with passkeys of Chromium's virtual authenticator.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Page } from '@playwright/test';
import { oidcProvider } from '../support/oidc-provider.ts';
import { followJob, startJob, type ServerProcess } from '../support/server-process.ts';
import { addFolder, expectAccessible, expectAccessibleAtBothWidths, openLink, section, signIn, tab } from './dashboard.ts';
import { expect, test } from './exported.ts';
import { startSmallServer, type SmallServer } from './small-server.ts';
import { close, listen } from '../support/listen.ts';

test.describe.configure({ mode: 'default' });

let opened: SmallServer;
let server: ServerProcess;
let data: string;
let idp: Server;
let issuer: string;
let provider: RequestListener | undefined;

test.beforeAll(async () => {
  idp = createServer((request, response) => (provider ? provider(request, response) : request.destroy()));
  issuer = `http://127.0.0.1:${await listen(idp)}`;
  // Nothing listens there: invitations are links to copy, and the provider is away at first.
  opened = await startSmallServer({
    CARREL_SMTP_URL: 'smtp://127.0.0.1:9',
    CARREL_MAIL_FROM: 'Carrel <carrel@example.com>',
    CARREL_OIDC_ISSUER: issuer,
    CARREL_OIDC_CLIENT_SECRET: 'secret',
    CARREL_OIDC_ROLES: 'docs-admins=owner',
    CARREL_OIDC_CLIENT_ID: 'carrel',
  });
  ({ data } = opened);
  // A passkey is for a name, not for an IP address.
  server = { ...opened.server, address: opened.server.address.replace('127.0.0.1', 'localhost') };
});

test.afterAll(async () => {
  await opened?.close();
  await close(idp);
});

/** A device with a finger that it knows, which keeps the passkeys of a page. */
async function addAuthenticator(page: Page): Promise<{ remove(): Promise<void> }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  return { remove: async () => void (await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })) };
}

const rowOf = (page: Page, email: string) => section(page, 'Members').getByRole('row').filter({ hasText: email });
const alert = (page: Page) => page.getByRole('alert');
async function act(page: Page, email: string, action: string): Promise<void> {
  await rowOf(page, email)
    .getByRole('button', { name: `Actions for ${email}` })
    .click();
  await page.getByRole('button', { name: action }).click();
}

test('a colleague is invited, adds a passkey, signs in with it, gets another role, and is removed', async ({ page, browser }) => {
  await signIn(page, server, '/dashboard/default?tab=members');
  await expect(section(page, 'Members')).toContainText('No members yet');
  await page.getByRole('button', { name: 'Invite a member' }).click();
  await page.getByLabel('Email address').fill('not an address');
  await page.getByLabel('Email address').fill('ada@example.com');
  await page.getByLabel('Name').fill('Ada');
  await expectAccessibleAtBothWidths(page);
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const link = await page.getByRole('textbox', { name: 'Link' }).inputValue();
  expect(link).toContain('/dashboard#link=');
  await expectAccessibleAtBothWidths(page);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(rowOf(page, 'ada@example.com')).toContainText('invited');
  await expect(page.locator('body')).not.toContainText(link);
  await expectAccessibleAtBothWidths(page);

  const other = await browser.newContext();
  const ada = await other.newPage();
  // Opening it asks, and signs no one in.
  await ada.goto(link.replace(/^http:\/\/[^/]+/, server.address));
  await expect(ada.getByRole('heading', { level: 1 })).toHaveText('Sign in to Default');
  await expect(ada.getByRole('main')).toContainText('as Ada (a…@example.com)');
  await expect(ada).toHaveURL(`${server.address}/dashboard`);
  await expectAccessibleAtBothWidths(ada);
  await ada.getByRole('button', { name: 'Sign in as Ada' }).click();
  await expect(section(ada, 'Your passkeys')).toContainText('Your link has worked');
  await expect(ada.locator('.header')).toContainText('Ada');
  await expectAccessibleAtBothWidths(ada);
  // Chromium forgets a device that is added before axe has looked at the page.
  const device = await addAuthenticator(ada);
  await ada.getByRole('button', { name: 'Add a passkey' }).click();
  await ada.getByLabel('Name').fill('Laptop');
  await ada.getByRole('button', { name: 'Continue' }).click();
  await expect(section(ada, 'Your passkeys').getByRole('row', { name: /Laptop/ })).toBeVisible();
  await expect(section(ada, 'Sessions').getByRole('row', { name: /This browser/ })).toContainText('Ada');
  await expectAccessibleAtBothWidths(ada);

  await ada.getByRole('button', { name: 'Sign out' }).click();
  await expect(ada.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible();
  await expect(ada.locator(':popover-open')).toHaveCount(0);
  await expectAccessibleAtBothWidths(ada);
  await ada.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(ada.getByRole('button', { name: 'Sign out' })).toBeVisible();
  await tab(ada, 'Members').click();
  await expect(rowOf(ada, 'ada@example.com')).toContainText('You');
  // An editor manages no members.
  await expect(ada.getByRole('button', { name: /Invite|Actions/ })).toHaveCount(0);

  await page.reload();
  await expect(rowOf(page, 'ada@example.com')).toContainText('active');
  await act(page, 'ada@example.com', 'Change…');
  await page.getByLabel('Role').selectOption('owner');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(rowOf(page, 'ada@example.com')).toContainText('owner');
  await ada.reload();
  await act(ada, 'ada@example.com', 'Remove…');
  await ada.getByRole('button', { name: 'Remove the member' }).click();
  await expect(alert(ada)).toContainText('No other owner of the organization has signed in yet');
  await ada.getByRole('button', { name: 'Cancel' }).click();

  await act(page, 'ada@example.com', 'Remove…');
  await page.getByRole('button', { name: 'Remove the member' }).click();
  await expect(section(page, 'Members')).toContainText('No members yet');
  await tab(ada, 'Sites').click();
  await expect(alert(ada)).toContainText('The session has ended');
  await ada.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(alert(ada)).toContainText('This passkey is not known here');
  await device.remove();
  await other.close();
});

test('an editor of one site finds its buttons, and none of another', async ({ page, browser, watched }) => {
  for (const domain of ['one.example.com', 'two.example.com'])
    await addFolder(server, { data, domain, files: { 'index.md': '# Home' } });
  await signIn(page, server, '/dashboard/default?tab=members');
  await page.getByRole('button', { name: 'Invite a member' }).click();
  await page.getByLabel('Email address').fill('vi@example.com');
  await page.getByLabel('Role').selectOption('viewer');
  await page.getByLabel('Editor of sites').fill('none.example.com');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(alert(page)).toContainText('no site "none.example.com"');
  expect(watched.faults).toEqual([expect.stringContaining('404')]);
  watched.faults = [];
  await page.getByLabel('Editor of sites').fill('one.example.com');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const link = await page.getByRole('textbox', { name: 'Link' }).inputValue();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(rowOf(page, 'vi@example.com')).toContainText('one.example.com');

  const vi = await (await browser.newContext()).newPage();
  await openLink(vi, server, link);
  await expect(section(vi, 'Your passkeys')).toBeVisible();
  const exporting = vi.getByRole('button', { name: 'Export now' });
  const saving = section(vi, 'Source').getByRole('button', { name: 'Save' });
  for (const [domain, isOpen] of [
    ['one.example.com', true],
    ['two.example.com', false],
  ] as const) {
    await vi.goto(`${server.address}/dashboard/default/${domain}?tab=settings`);
    await expect(section(vi, 'Source')).toBeVisible();
    await expect(exporting).toHaveCount(isOpen ? 1 : 0);
    await expect(saving).toBeVisible({ visible: isOpen });
    await expect(section(vi, 'Remove the site')).toHaveCount(0);
  }
  await vi.context().close();
});

test('a new link replaces the one before, and says what is wrong with that one', async ({ page, browser }) => {
  const { link } = await (await server.request('POST', '/v1/members', { email: 'bo@example.com', role: 'viewer' })).json();
  await signIn(page, server, '/dashboard/default?tab=members');
  await act(page, 'bo@example.com', 'Create a sign-in link…');
  await page.getByRole('button', { name: 'Create the link' }).click();
  const next = await page.getByRole('textbox', { name: 'Link' }).inputValue();
  const other = await browser.newContext();
  const bo = await other.newPage();
  await bo.goto(link.url.replace(/^http:\/\/[^/]+/, server.address));
  await expect(alert(bo)).toContainText('sign-in link');
  await openLink(bo, server, next);
  await expect(section(bo, 'Your passkeys')).toBeVisible();
  await other.close();
});

test('where there is no passkey, signing in with one says what to do', async ({ page }) => {
  await page.goto(`${server.address}/dashboard`);
  await addAuthenticator(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(alert(page)).toContainText('No passkey was used');
  await page.getByLabel('Email address').fill('nobody@example.com');
  await page.getByRole('button', { name: 'Mail me a sign-in link' }).click();
  await expect(page.getByText('If nobody@example.com is a member, a mail with a link is on its way.')).toBeVisible();
  await expectAccessibleAtBothWidths(page);
  const byAddress = server.address.replace('localhost', '127.0.0.1');
  await page.goto(`${byAddress}/dashboard`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(alert(page)).toContainText('a name instead of an IP address');
  await page.goto(`${byAddress}/dashboard?tab=keys`);
  await page.getByRole('link', { name: "Sign in with your company's account" }).click();
  await expect(alert(page)).toContainText("Your company's sign-in cannot be reached now");
  await expect(page).toHaveURL(`${byAddress}/dashboard?tab=keys`);
});

test('members read a site that is for them, each the pages for their groups, from the page that they opened', async ({
  page,
  watched,
  browser,
}) => {
  const files = {
    'index.md': '# Welcome',
    'guide.md': '# Kettles\n\nHow to clean them.',
    'prices.md': '---\ngroups: [partner]\n---\n\n# Prices',
  };
  await addFolder(server, { data, domain: 'handbook', files });
  expect(await followJob(server, await startJob(server, { domain: 'handbook' }))).toMatchObject({ status: 'completed' });
  await server.request('PATCH', '/v1/sites/handbook', { features: { analytics: { mode: 'own' } } });
  await signIn(page, server, '/dashboard/default/handbook?tab=settings');
  const form = section(page, 'Visibility');
  await form.getByLabel('Who may read the site').selectOption('Members of the organization');
  await expect(form.getByLabel('Password', { exact: true })).toBeHidden();
  await form.getByRole('button', { name: 'Add an audience' }).click();
  await form.getByLabel('Groups', { exact: true }).fill('partner');
  await expect(form.getByLabel('Password of these readers')).toBeHidden();
  await expectAccessibleAtBothWidths(page);
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved.').first()).toBeVisible();

  const invite = async (email: string, groups: string[]) =>
    (await (await server.request('POST', '/v1/members', { email, groups })).json()).link.url as string;
  const home = `${server.sites}/sites/handbook/`;
  const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;
  const reader = await (await browser.newContext(phone)).newPage();
  await expect.poll(async () => (await reader.goto(`${home}guide/?from=mail`))?.status()).toBe(401);
  await expect(reader.getByRole('heading', { name: 'Sign in to read these docs' })).toBeVisible();
  await expectAccessible(reader);
  await expect(reader.getByRole('button', { name: 'Sign in' })).toHaveCSS('background-color', 'rgb(71, 114, 209)');
  await reader.getByRole('button', { name: 'Sign in' }).click();
  await expect(reader.getByRole('heading', { name: 'Sign in to read handbook' })).toBeVisible();
  await expectAccessible(reader);
  // Who has no session yet signs in here: with a passkey, or by a link that they open in this browser.
  const other = await reader.context().newPage();
  await openLink(other, opened.server, await invite('cy@example.com', []));
  await expect(section(other, 'Your passkeys')).toBeVisible();
  await reader.reload();
  await expect(reader.getByRole('heading', { name: 'Kettles' })).toBeVisible();
  await expect(reader).toHaveURL(`${home}guide/?from=mail`);
  expect((await reader.goto(`${home}prices/`))?.status()).toBe(404);

  // A headless Chromium says so, and counts as a crawler.
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const partner = await (await browser.newContext({ userAgent })).newPage();
  await openLink(partner, opened.server, await invite('di@example.com', ['partner']));
  await expect(section(partner, 'Your passkeys')).toBeVisible();
  await partner.goto(home);
  await partner.getByRole('button', { name: 'Sign in' }).click();
  await expect(partner.getByRole('heading', { name: 'Welcome' })).toBeVisible();
  await expect.poll(async () => (await partner.goto(`${home}prices/`))?.status(), { timeout: 60_000 }).toBe(200);
  await expect(partner.getByRole('heading', { name: 'Prices' })).toBeVisible();
  const views = async () => (await (await server.request('GET', '/v1/analytics/handbook/views?found=true')).json()).views;
  await expect.poll(views).toContainEqual(expect.objectContaining({ path: 'prices', views: 1 }));

  // An owner sees what the partners see.
  await tab(page, 'Overview').click();
  const row = section(page, 'Audiences').getByRole('row', { name: /partner/ });
  await expect(row).toContainText('3 pages');
  await expect(row).toContainText('completed');
  await expectAccessibleAtBothWidths(page);
  // In a page of its own: Playwright sometimes waits without end for the navigations of a popup between two origins.
  const view = await page.context().newPage();
  await view.goto((await row.getByRole('link', { name: 'View as partner' }).getAttribute('href'))!);
  // At its public URL, the dashboard has another name than in this test, and so another session.
  await view.getByLabel('Admin key').fill(server.adminKey);
  await view.getByRole('button', { name: 'Sign in with the key' }).click();
  await expect(view.getByRole('heading', { name: 'Welcome' })).toBeVisible();
  expect((await view.goto(`${home}prices/`))?.status()).toBe(200);
  await view.close();

  // An owner looks for a reader in the list, and takes the group away.
  await tab(page, 'Settings').click();
  await form.getByLabel('Who may read the site').selectOption('Members of some groups');
  await form.getByLabel('Groups that may read it').fill('partner, staff');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => (await reader.goto(home))?.status()).toBe(401);
  await reader.getByRole('button', { name: 'Sign in' }).click();
  await expect(reader.getByRole('alert')).toContainText('it is for members of some groups');
  await expectAccessible(reader);
  await page.goto(`${server.address}/dashboard/default?tab=members`);
  await act(page, 'di@example.com', 'Change…');
  await page.getByLabel('Groups').fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(rowOf(page, 'di@example.com')).toContainText('none');
  await expect.poll(async () => (await partner.goto(home))?.status()).toBe(401);
  await Promise.all([reader.context().close(), partner.context().close()]);
  expect(watched.faults).toEqual([]);
});

test("an owner checks the connection to the company's accounts, and tries them", async ({ page }) => {
  const oidc = section(page, "Your company's accounts");
  provider = undefined;
  await signIn(page, publicServer(), '/dashboard/default?tab=members');
  await oidc.getByRole('button', { name: 'Check connection' }).click();
  await expect(page.getByRole('dialog')).toContainText(`The provider at ${issuer} cannot be reached.`);
  await expectAccessibleAtBothWidths(page);
  await page.getByRole('button', { name: 'Close' }).click();
  startProvider();
  await oidc.getByRole('button', { name: 'Check connection' }).click();
  await page.getByRole('button', { name: 'Test sign-in' }).click();
  await expect(page.getByRole('dialog')).toContainText('The test sign-in works');
  await expect(page.getByRole('dialog')).toContainText(/docs-admins.*Role\s*owner/s);
  await expect(page).toHaveURL(`${publicServer().address}/dashboard/default?tab=members`);
  await expectAccessibleAtBothWidths(page);
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(rowOf(page, 'eve@example.com')).toHaveCount(0);
});

test("who began to sign in with the company's account in this browser is not asked", async ({ page }) => {
  startProvider();
  await page.goto(`${publicServer().address}/dashboard?tab=members`);
  await page.getByRole('link', { name: "Sign in with your company's account" }).click();
  await expect(page.locator('.header')).toContainText('Eve');
});

/** The provider comes back to the public URL. */
function publicServer(): ServerProcess {
  return { ...server, address: server.address.replace('localhost', '127.0.0.1') };
}

function startProvider(): void {
  const people = { eve: { email: 'eve@example.com', email_verified: true, name: 'Eve', groups: ['docs-admins'] } };
  const client = { client_id: 'carrel', client_secret: 'secret' };
  provider = oidcProvider({ issuer, publicUrl: publicServer().address, client, current: () => ({ id: 'eve', claims: people }) });
}
