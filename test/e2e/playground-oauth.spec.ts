// The playground gets tokens from a real authorization server, in a real browser.
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { axeFindings } from './axe.ts';
import { expect, exported, test } from './exported.ts';
import { startOAuthServer, type OAuthServer } from './oauth-server.ts';

const site = exported('playground');
const listParcels = 'api-reference/parcels/list-parcels/index.html';

const send = (page: Page) => page.getByRole('button', { name: 'Send' }).click();
const status = (page: Page) => page.getByRole('status');
const oauth = (page: Page) => page.getByRole('dialog').locator('summary', { hasText: 'OAuth 2.0' });
const token = (page: Page) => page.getByLabel('oauth: token');

let server: OAuthServer;
test.beforeEach(async () => {
  server = await startOAuthServer();
});
test.afterEach(() => server.close());

/** The site, with the port of the authorization server in its specification and in that of its servers; opens the form. */
async function openForm(page: Page, serve: (source: string) => Promise<string>): Promise<string> {
  const folder = test.info().outputPath('site');
  await cp(site.folder, folder, { recursive: true });
  for (const name of await readdir(join(folder, '_carrel'))) {
    if (!/^operation\.|^playground\.json$/.test(name)) continue;
    const file = join(folder, '_carrel', name);
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll(/\b809[89]\b/g, String(server.port)));
  }
  await writeFile(
    join(folder, 'carrel.config.js'),
    'globalThis.__carrel_config = {"features":{"playground":{"mode":"direct"}}};\n',
  );
  const home = await serve(folder);
  await page.goto(home + listParcels);
  await page.getByRole('button', { name: 'Try it' }).click();
  await page.getByLabel('URL', { exact: true }).selectOption({ index: 1 });
  await expect(page.getByLabel('port')).toHaveValue(String(server.port));
  await page.getByLabel('Method').selectOption('oauth');
  await oauth(page).click();
  return home;
}

test('the reader consents in another window, and the request has the token', async ({ page, context, serve }) => {
  const urls: string[] = [];
  context.on('request', (request) => urls.push(request.url()));
  const home = await openForm(page, serve);
  await expect(
    page.getByText(`Register this redirect URL with the authorization server: ${home}_carrel/oauth.html`),
  ).toBeVisible();
  await expect(page.getByLabel('oauth: scopes')).toHaveValue('parcels:read');
  expect(await axeFindings(page)).toEqual([]);
  await page.getByLabel('oauth: client ID').fill('docs');
  await page.getByLabel('Remember values').check();
  const window = context.waitForEvent('page');
  await page.getByRole('button', { name: 'Get a token' }).click();
  const opened = await window;
  await expect(page.getByText('The token has arrived and is filled in.')).toBeVisible();
  await expect.poll(() => opened.isClosed()).toBe(true);
  await expect(token(page)).toHaveValue(/^token-/);
  await send(page);
  await expect(status(page)).toContainText('200 OK');
  expect(server.seen).toEqual(['GET /authorize', 'POST /token', 'GET /parcels']);
  const [asked] = server.asked;
  expect(asked!.get('code_challenge_method')).toBe('S256');
  expect(asked!.get('scope')).toBe('parcels:read');

  const secret = await token(page).inputValue();
  expect(urls.filter((url) => url.includes(secret))).toEqual([]);
  expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(secret);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).toContain('carrel-playground');
});

test('an answer for another state is ignored, and a refusal is shown', async ({ page, context, serve }) => {
  await openForm(page, serve);
  await page.getByLabel('oauth: client ID').fill('docs');
  server.next = 'other state';
  const window = context.waitForEvent('page');
  await page.getByRole('button', { name: 'Get a token' }).click();
  const opened = await window;
  // It closes itself after it has handed over the answer.
  await expect.poll(() => opened.isClosed()).toBe(true);
  expect(server.seen).toEqual(['GET /authorize']);
  await expect(page.getByText('Waiting for the authorization server…')).toBeVisible();

  server.next = 'denied';
  await page.getByRole('button', { name: 'Get a token' }).click();
  await expect(page.getByText('The authorization server refused: access_denied')).toBeVisible();
  expect(server.seen).toEqual(['GET /authorize', 'GET /authorize']);
  await expect(token(page)).toHaveValue('');
});

test('a client gets a token with its own credentials, which are not stored', async ({ page, serve, watched }) => {
  await openForm(page, serve);
  await page.getByLabel('grant_type').selectOption('client_credentials');
  await page.getByLabel('oauth: client ID').fill('robot');
  await page.getByLabel('oauth: client secret').fill('wrong');
  await page.getByRole('button', { name: 'Get a token' }).click();
  await expect(page.getByText('The authorization server refused: The client is not known.')).toBeVisible();
  await page.getByLabel('oauth: client secret').fill('s/cret');
  await page.getByLabel('Remember values').check();
  await page.getByRole('button', { name: 'Get a token' }).click();
  await expect(token(page)).toHaveValue(/^token-/);
  await send(page);
  await expect(status(page)).toContainText('200 OK');
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toMatch(/s\/cret|robot|token-/);
  // The browser itself reports the refusal.
  watched.faults.splice(0);
});

test('the redirect page leads nowhere, and keeps no code in its URL', async ({ page, serve, watched }) => {
  const home = await serve(site.folder);
  await page.goto(`${home}_carrel/oauth.html?code=abc&state=xyz&redirect_uri=https://evil.example/&next=//evil.example`);
  await expect(page.getByText('You can close this window.')).toBeVisible();
  await expect.poll(() => page.url()).toBe(`${home}_carrel/oauth.html`);
  expect(await page.locator('a[href], meta[http-equiv]').count()).toBe(0);
  // The browser warns that a script cannot close a window that none has opened.
  expect(watched.faults.splice(0)).toEqual([expect.stringContaining('Scripts may close only the windows')]);
});

test('a page on file:// says why it cannot sign in, and has the field for a token', async ({ page }) => {
  await page.goto(site.file(listParcels));
  await page.getByRole('button', { name: 'Try it' }).click();
  await page.getByLabel('Method').selectOption('oauth');
  await expect(page.getByText('Signing in needs a page that is served over https.')).toBeVisible();
  await expect(oauth(page)).toHaveCount(0);
  await token(page).fill('abc');
  await expect(page.getByLabel('Request as code')).toContainText('Bearer abc');
});
