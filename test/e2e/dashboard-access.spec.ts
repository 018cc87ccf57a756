// Who is signed in to the dashboard, and who has changed what.
import type { Page } from '@playwright/test';
import type { ServerProcess } from '../support/server-process.ts';
import { expectAccessibleAtBothWidths, section, signIn } from './dashboard.ts';
import { expect, test } from './exported.ts';
import { startSmallServer, type SmallServer } from './small-server.ts';

test.describe.configure({ mode: 'default' });

let opened: SmallServer;
let server: ServerProcess;

test.beforeAll(async () => {
  opened = await startSmallServer({ QUICK_EXPORT: '0' });
  ({ server } = opened);
});

test.afterAll(() => opened?.close());

const newKey = async (name: string, scopes: string[]): Promise<{ keyId: string; secret: string }> =>
  (await server.request('POST', '/v1/keys', { kind: 'admin', name, scopes })).json();
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
/** Signs another browser in, and returns the status of its next requests. */
const otherBrowser = async (secret: string) => {
  const headers = { authorization: `Bearer ${secret}`, 'user-agent': firefox };
  const response = await fetch(`${server.address}/v1/session`, { method: 'POST', headers });
  const cookie = response.headers.get('set-cookie')!.split(';')[0]!;
  return async () => (await fetch(`${server.address}/v1/account`, { headers: { cookie, 'x-carrel-session': '1' } })).status;
};
const endAll = async () => {
  const { sessions } = await (await server.request('GET', '/v1/sessions')).json();
  for (const { sessionId } of sessions) await server.request('DELETE', `/v1/sessions/${sessionId}`);
};
const sessions = (page: Page) =>
  section(page, 'Sessions')
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') });
const entries = (page: Page) =>
  section(page, 'Audit log')
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') });

test.describe('sessions', () => {
  test.beforeEach(endAll);

  test('are listed with browser, key and IP address; one of them is ended, and then all others', async ({ page }) => {
    const { secret } = await newKey('<b>Laptop</b>', ['read', 'write']);
    const [first, second, third] = [await otherBrowser(secret), await otherBrowser(secret), await otherBrowser(secret)];
    await signIn(page, server, '/dashboard/default?tab=sessions');
    await expect(sessions(page)).toHaveCount(4);
    await expect(sessions(page).first()).toContainText('This browser');
    await expect(sessions(page).first()).toContainText('First admin key');
    await expect(sessions(page).first().getByRole('button')).toHaveCount(0);
    await expect(sessions(page).nth(1)).toContainText(/Firefox on Linux.*<b>Laptop<\/b>.*127\.0\.0\.1/);
    const before = await Promise.all([first(), second(), third()]);
    expect(before).toEqual([200, 200, 200]);

    await sessions(page).nth(1).getByRole('button').click();
    const dialog = page.getByRole('dialog', { name: 'End this session?' });
    await expect(dialog).toContainText('Firefox on Linux at 127.0.0.1 is signed out immediately.');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(sessions(page).nth(1).getByRole('button')).toBeFocused();
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'End the session' }).click();
    await expect(sessions(page)).toHaveCount(3);
    await expect(page.getByRole('status')).toHaveText('Ended the session of Firefox on Linux.');
    const after = await Promise.all([first(), second(), third()]);
    expect(after.toSorted((a, b) => a - b)).toEqual([200, 200, 401]);

    await page.getByRole('button', { name: 'End all others' }).click();
    await expect(page.getByRole('dialog')).toContainText('2 other browsers are signed out immediately.');
    await page.getByRole('dialog').getByRole('button', { name: 'End all others' }).click();
    await expect(page.getByText('No other browser is signed in.')).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    expect(await Promise.all([first(), second(), third()])).toEqual([401, 401, 401]);
    await expect(page.getByRole('button', { name: 'End all others' })).toBeHidden();
    await expect(section(page, 'Sessions').getByRole('heading', { name: 'Sessions' })).toBeFocused();
    await page.reload();
    await expect(sessions(page)).toHaveCount(1);
  });

  test('of a stronger key stay, with the reason, and a key that may only read ends none', async ({ page, watched }) => {
    const stronger = await otherBrowser(server.adminKey);
    const weak = await newKey('Weak', ['read', 'write']);
    const same = await otherBrowser(weak.secret);
    await signIn(page, { ...server, adminKey: weak.secret }, '/dashboard/default?tab=sessions');
    await page.getByRole('button', { name: 'End all others' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End all others' }).click();
    await expect(page.getByRole('alert')).toContainText('Ended 1 session. 1 session stays: to end sessions of keys with more');
    await page.keyboard.press('Escape');
    await expect(sessions(page)).toHaveCount(2);
    expect([await stronger(), await same()]).toEqual([200, 401]);

    await page.getByRole('button', { name: 'Sign out' }).click();
    const { secret } = await newKey('Reader', ['read']);
    await signIn(page, { ...server, adminKey: secret }, '/dashboard/default?tab=sessions');
    await expect(sessions(page)).toHaveCount(2);
    await expect(section(page, 'Sessions').getByRole('button')).toHaveCount(0);
    watched.faults = watched.faults.filter((fault) => !fault.includes('status of 403'));
  });

  test('whose key is revoked lead to the sign-in, which says so', async ({ page, watched }) => {
    const { keyId, secret } = await newKey('Revoked', ['read', 'write']);
    await signIn(page, { ...server, adminKey: secret }, '/dashboard/default?tab=sessions');
    await expect(sessions(page)).toHaveCount(1);
    await server.request('DELETE', `/v1/keys/${keyId}`);
    await page.getByRole('link', { name: 'Keys' }).click();
    await expect(page.getByRole('alert')).toContainText('The key of this session was revoked. Sign in with another key.');
    watched.faults = watched.faults.filter((fault) => !fault.includes('status of 401'));
  });

  test('that are ended elsewhere lead to the sign-in', async ({ page, watched }) => {
    await signIn(page, server, '/dashboard/default?tab=sessions');
    await expect(sessions(page)).toHaveCount(1);
    await endAll();
    await page.getByRole('link', { name: 'Keys' }).click();
    await expect(page.getByRole('alert')).toContainText('The session has ended. Sign in again.');
    await expect(page.getByLabel('Admin key')).toBeFocused();
    watched.faults = watched.faults.filter((fault) => !fault.includes('status of 401'));
  });
});

test('the audit log shows who did what, is filtered by both, and is read in pages', async ({ page }) => {
  const robot = await newKey('<i>Robot</i>', ['read', 'write']);
  const by = { authorization: `Bearer ${robot.secret}` };
  for (let at = 0; at < 55; at++)
    expect((await server.request('PATCH', '/v1/sites/docs', { deployment: 'client-hosted' }, by)).status).toBe(200);
  const hook = await (await server.request('POST', '/v1/webhooks', { url: 'http://127.0.0.1:9/' }, by)).json();
  await signIn(page, server, '/dashboard/default?tab=audit');
  await expect(entries(page)).toHaveCount(50);
  await expect(entries(page).first()).toHaveText(/just now.*First admin key dashboard.*Signed in ses_.*127\.0\.0\.1/);
  await expect(entries(page).nth(1)).toContainText(`Added a webhook ${hook.webhookId}`);
  await expect(entries(page).nth(1)).toContainText('<i>Robot</i> API');
  await page.getByRole('button', { name: 'Show older entries' }).click();
  await expect(entries(page).filter({ hasText: 'Changed settings of a site docs' })).toHaveCount(55);
  await expect(entries(page).filter({ hasText: 'Created a key <i>Robot</i>' })).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Show older entries' })).toBeHidden();

  await page.getByLabel('What').selectOption({ label: 'Added a webhook' });
  await expect(entries(page)).toHaveCount(1);
  await page.getByLabel('Who').selectOption(robot.keyId);
  await page.reload();
  await expect(page.getByLabel('What')).toHaveValue('webhook.create');
  await expect(page.getByLabel('Who')).toHaveValue(robot.keyId);
  await expect(entries(page)).toHaveCount(1);
  await page.getByLabel('What').selectOption({ label: 'Removed a site' });
  await expect(page.getByText('No entries match')).toBeVisible();
  await expect(entries(page)).toHaveCount(0);
  await page.getByLabel('What').selectOption({ label: 'Everything' });
  await expect(entries(page)).toHaveCount(50);
  await page.getByRole('button', { name: 'Show older entries' }).click();
  await expect(entries(page)).toHaveCount(56);
});

test('sessions and audit log fit, and axe finds nothing, at 1280 and at 390 px', async ({ page }) => {
  await otherBrowser(server.adminKey);
  await signIn(page, server, '/dashboard/default?tab=sessions');
  await expect(sessions(page).nth(1)).toBeVisible();
  await expectAccessibleAtBothWidths(page);
  await page.getByRole('button', { name: 'End all others' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessibleAtBothWidths(page);
  await page.goto(`${server.address}/dashboard/default?tab=audit`);
  await expect(entries(page).first()).toBeVisible();
  await expectAccessibleAtBothWidths(page);
  await page.goto(`${server.address}/dashboard/default?tab=audit&event=backup.read`);
  await expect(page.getByText('No entries match')).toBeVisible();
  await expectAccessibleAtBothWidths(page);
});
