// The playground of a hosted site that sends its requests through a real server.
import { cp, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Page } from '@playwright/test';
import { followJob, startJob, type ServerProcess } from '../support/server-process.ts';
import { expect, test } from './exported.ts';
import { startSmallServer, type SmallServer } from './small-server.ts';
import { startOAuthServer, type OAuthServer } from './oauth-server.ts';
import { close, listen } from '../support/listen.ts';

test.describe.configure({ mode: 'default' });

const domain = 'parcels.example';
const docs = join(import.meta.dirname, '../../fixtures/playground');
let source: { type: string; path: string };

let opened: SmallServer;
let server: ServerProcess;
let oauth: OAuthServer;
let api: Server;
let port: number;
const seen: { method?: string; url?: string; headers: IncomingHttpHeaders; body: string }[] = [];

const configure = (features: object) => server.request('PUT', `/v1/sites/${domain}`, { source, features });

test.beforeAll(async () => {
  oauth = await startOAuthServer();
  opened = await startSmallServer({
    CARREL_PLAYGROUND_PRIVATE_HOSTS: '127.0.0.1',
    CARREL_LIMITS: 'playgroundMb=1',
    CARREL_LOG: 'info',
  });
  ({ server } = opened);
  source = { type: 'folder', path: join(opened.data, 'docs') };
  await cp(docs, source.path, { recursive: true });
  const specification = join(source.path, 'parcels.yaml');
  await writeFile(specification, (await readFile(specification, 'utf8')).replaceAll(':8098', `:${oauth.port}`));
  // Without CORS: a browser could not send any of these requests itself.
  api = createServer(async (request, response) => {
    const { method, url, headers } = request;
    seen.push({ method, url, headers, body: (await buffer(request)).toString('latin1') });
    if (method === 'PUT') return void response.writeHead(204).end();
    if (method === 'POST') {
      response.writeHead(201, { 'content-type': 'application/json', 'x-request-cost': '3', 'set-cookie': 'a=1' });
      return void response.end('{"id":7,"to":"<b>Ada</b>"}');
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: first\n\n');
    const fill = () => {
      while (!response.destroyed && response.write('data: more\n\n'.repeat(5000)));
    };
    goOn = () => {
      response.on('drain', fill);
      fill();
    };
    response.on('close', () => (closed = true));
  });
  port = await listen(api);
  const answer = await configure({ playground: { mode: 'proxy', hosts: [`127.0.0.1:${port}`] } });
  expect(await answer.json()).toMatchObject({ features: { playground: { mode: 'proxy', hosts: [`127.0.0.1:${port}`] } } });
  expect(await followJob(server, await startJob(server, { domain }))).toMatchObject({ status: 'completed' });
});

let goOn = () => {};
let closed = false;

test.afterAll(async () => {
  if (api) await close(api);
  await oauth?.close();
  await opened?.close();
});

async function openPlayground(page: Page, operation: string) {
  await page.goto(`${server.sites}/sites/${domain}/api-reference/parcels/${operation}/`);
  await page.getByRole('button', { name: 'Try it' }).click();
  await expect(page.getByText(`The request is sent through ${new URL(server.address).host}, without cookies.`)).toBeVisible();
  await page.getByLabel('URL', { exact: true }).selectOption({ index: 1 });
  await page.getByLabel('port').fill(String(port));
}

const send = (page: Page) => page.getByRole('button', { name: 'Send' }).click();
const status = (page: Page) => page.getByRole('status');

test('a request reaches an API that no browser may call, and its answer comes back', async ({ page }) => {
  await openPlayground(page, 'send-a-parcel');
  await page.getByLabel('token: token').fill('abc');
  await send(page);
  await expect(status(page)).toHaveText(/201 Created · \d+ ms · 26 bytes/);
  await expect(page.getByLabel('Response body')).toHaveText('{\n  "id": 7,\n  "to": "<b>Ada</b>"\n}');
  await page.getByText(/^Headers \(\d+\)$/).click();
  await expect(page.getByText('x-request-cost')).toBeVisible();
  await expect(page.getByText('set-cookie')).toBeHidden();
  const { method, url, headers, body } = seen.at(-1)!;
  expect([method, url, headers.authorization, headers.cookie]).toEqual(['POST', '/parcels', 'Bearer abc', undefined]);
  expect(JSON.parse(body)).toMatchObject({ to: 'Ada' });
});

test('a page that was open for hours sends a request with another token', async ({ page }) => {
  await openPlayground(page, 'send-a-parcel');
  const loads: string[] = [];
  page.on('request', (request) => request.url().includes('/carrel.config.js') && loads.push(request.url()));
  await page.clock.setFixedTime(Date.now() + 7_200_000);
  await send(page);
  await expect(status(page)).toContainText('201 Created');
  expect(loads).toHaveLength(1);
});

test('a form with a file arrives byte by byte', async ({ page }) => {
  await openPlayground(page, 'store-a-label');
  await page.getByLabel(/^id\b/).fill('7');
  const file = Buffer.from([0, 255, 13, 10, 65]);
  await page.getByLabel(/^label\b/).setInputFiles({ name: 'label.png', mimeType: 'image/png', buffer: file });
  await send(page);
  await expect(status(page)).toContainText('204 No Content');
  await expect(page.getByText('The response has no body.')).toBeVisible();
  const { url, headers, body } = seen.at(-1)!;
  expect(url).toBe('/parcels/7/label');
  expect(headers['content-type']).toMatch(/^multipart\/form-data; ?boundary=/);
  expect(body).toContain(`filename="label.png"\r\nContent-Type: image/png\r\n\r\n${file.toString('latin1')}\r\n`);
});

test('an answer without an end is shown as it comes, cut or stopped, and its request aborted', async ({ page }) => {
  await openPlayground(page, 'list-parcels');
  await send(page);
  const body = page.getByLabel('Response body');
  await expect(body).toHaveText('data: first');
  goOn();
  await expect(page.getByText('Only the first 500 kB are shown. The rest was not loaded.')).toBeVisible();
  await expect(status(page)).toContainText('more than 500 kB');
  await expect.poll(() => closed).toBe(true);
  expect((await body.textContent())!.length).toBe(500_000);

  // Stop ends a request on the server too, and what has arrived stays.
  closed = false;
  await send(page);
  await expect(page.getByLabel('Response body')).toHaveText('data: first');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(status(page)).toContainText('· stopped, incomplete');
  await expect(page.getByLabel('Response body')).toHaveText('data: first');
  await expect.poll(() => closed).toBe(true);
});

test('a request to another host is stopped by the server', async ({ page, watched }) => {
  await openPlayground(page, 'send-a-parcel');
  await page.getByLabel('URL', { exact: true }).selectOption({ index: 0 });
  await send(page);
  await expect(status(page)).toContainText('https://eu.parcels.example, which is not a server of this site');
  // The browser itself reports the refusal.
  watched.faults.splice(0);
});

test('a site without playground and assistant in its settings has no buttons, with the same export', async ({ page }) => {
  const { features } = await (await server.request('GET', `/v1/sites/${domain}`)).json();
  await configure({ playground: { mode: 'off' }, assistant: { mode: 'off' } });
  await page.goto(`${server.sites}/sites/${domain}/api-reference/parcels/list-parcels/`);
  await expect(page.locator('[data-carrel-search]').first()).toBeEnabled();
  await expect(page.getByRole('button', { name: 'Try it' })).toBeHidden();
  await expect(page.locator('[data-carrel-ask]').first()).toBeHidden();
  await configure(features);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Try it' })).toBeVisible();
  await expect(page.locator('[data-carrel-ask]').first()).toBeVisible();
});

test('a token comes through the server, or from the browser where the server does not allow the host', async ({
  page,
  watched,
}) => {
  const token = page.getByLabel('oauth: token');
  const getToken = async (secret: string) => {
    await openPlayground(page, 'list-parcels');
    await page.getByLabel('Method').selectOption('oauth');
    await page.getByRole('dialog').locator('summary', { hasText: 'OAuth 2.0' }).click();
    await page.getByLabel('grant_type').selectOption('client_credentials');
    await page.getByLabel('oauth: client ID').fill('robot');
    await page.getByLabel('oauth: client secret').fill(secret);
    await page.getByRole('button', { name: 'Get a token' }).click();
  };
  await configure({ playground: { mode: 'proxy', hosts: [`127.0.0.1:${port}`, `127.0.0.1:${oauth.port}`] } });
  oauth.cors = false;
  await getToken('wrong');
  await expect(page.getByText('The authorization server refused: The client is not known.')).toBeVisible();
  await getToken('s/cret');
  await expect(token).toHaveValue(/^token-/);
  const secret = await token.inputValue();
  expect(oauth.seen).toEqual(['POST /token', 'POST /token']);
  expect(watched.faults).toEqual([]);

  await configure({ playground: { mode: 'proxy', hosts: [`127.0.0.1:${port}`] } });
  await getToken('s/cret');
  await expect(page.getByText(`127.0.0.1:${oauth.port} did not respond, or does not allow requests from`)).toBeVisible();
  oauth.cors = true;
  await page.getByRole('button', { name: 'Get a token' }).click();
  await expect(token).toHaveValue(/^token-/);
  expect(server.output()).not.toContain(secret);
  expect(server.output()).not.toMatch(/s\/cret|s%2Fcret|cm9ib3Q6/);
  // The browser itself reports the refusals.
  watched.faults.splice(0);
});

test('the message says whose fault it is when the API or the server is down; nothing secret is logged', async ({
  page,
  watched,
}) => {
  await openPlayground(page, 'send-a-parcel');
  await page.getByLabel('token: token').fill('secret-token');
  await close(api);
  await send(page);
  await expect(status(page)).toHaveText(
    `The API failed, not this documentation: 127.0.0.1:${port} refused the connection. Check the server URL, try again later, or ask the operator of the API.`,
  );
  await page.route('**/v1/playground/**', (route) => route.abort('connectionrefused'));
  await send(page);
  await expect(status(page)).toContainText(
    'The server of this documentation did not respond, so the request did not reach the API.',
  );
  watched.faults.splice(0);
  await expect.poll(() => server.output()).toContain('playground request');
  await expect.poll(() => server.output()).toContain('PlaygroundTargetFailed');
  expect(server.output()).not.toMatch(/secret-token|Ada/);
});
