// Pages of a hosted site that stay open for longer than their token is valid.
import { createServer, request as sendRequest } from 'node:http';
import type { Page, Response } from '@playwright/test';
import { openModelServer, textAnswer, type ModelServer } from '../server/assistant/model-server.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { answers, ask, openPanel, panel, sources } from './ask-panel.ts';
import { expect, test } from './exported.ts';
import { firstExport, startSmallServer, type SmallServer } from './small-server.ts';
import { close, listen } from '../support/listen.ts';

test.describe.configure({ mode: 'default' });

const domain = 'docs';
let model: ModelServer;
let opened: SmallServer;
let server: ServerProcess;

test.beforeAll(async () => {
  model = await openModelServer();
  const environment = { CARREL_MODEL_URL: model.url, CARREL_MODEL: 'scripted', CARREL_LIMITS: 'pageTokenSeconds=5' };
  opened = await startSmallServer(environment, ['index', 'serve', 'verify']);
  ({ server } = opened);
  await firstExport(server);
});

test.afterAll(async () => {
  await opened?.close();
  await model?.close();
});

test.beforeEach(() => model.play(textAnswer('It is served [1].')));

const tokenIn = (page: Page) => page.evaluate(() => (globalThis.__carrel_config as { assistant: { key: string } }).assistant.key);

/** Waits until the server refuses the token that the page has. */
async function expired(page: Page): Promise<string> {
  const token = await tokenIn(page);
  const refusal = async () => {
    const headers = { authorization: `Bearer ${token}`, origin: new URL(page.url()).origin, 'content-type': 'application/json' };
    const path = `/discovery/v1/search/${domain}`;
    return (await fetch(`${server.address}${path}`, { method: 'POST', headers, body: '{"query":"serve"}' })).json();
  };
  await expect.poll(refusal).toMatchObject({ code: 'PageTokenExpired' });
  return token;
}

/** Statuses of the questions that a page sends, and how often it loads its settings again. */
function watchRequests(page: Page): { questions: number[]; loads: number } {
  const seen = { questions: [] as number[], loads: 0 };
  page.on('response', (response: Response) => {
    if (response.url().endsWith('/message') && response.request().method() === 'POST') seen.questions.push(response.status());
    if (response.url().includes('carrel.config.js')) seen.loads++;
  });
  return seen;
}

const open = async (page: Page, home = `${server.sites}/sites/${domain}/`) => {
  await page.goto(`${home}serve/`);
  await openPanel(page);
  await expect(panel(page)).toContainText('A language model answers');
};

test('a page that was open for too long gets another token before it asks, and asks again', async ({ page }) => {
  await open(page);
  const first = await ask(page, 'How do I serve an export?');
  await expect(first).toContainText('It is served');
  const seen = watchRequests(page);
  const token = await expired(page);
  const answer = await ask(page, 'And how do I verify one?');
  await expect(answer).toContainText('It is served');
  await expect(sources(page)).not.toHaveCount(0);
  expect(seen).toEqual({ questions: [200], loads: 1 });
  expect(await tokenIn(page)).not.toBe(token);
  // It is one conversation, and its answers can be rated.
  await expired(page);
  await answer.getByRole('button', { name: 'Bad answer' }).click();
  await answer.getByRole('textbox').fill('It says too little.');
  await answer.getByRole('button', { name: 'Send comment' }).click();
  await expect(answer).toContainText('Thank you.');
  const { threads } = await (await server.request('GET', `/v1/assistant/${domain}/threads`)).json();
  expect(threads).toHaveLength(1);
});

test('a page on a machine whose clock is slow asks once more after the refusal, which readers do not see', async ({
  page,
  watched,
}) => {
  await page.clock.setFixedTime(Date.now() - 7_200_000);
  await open(page);
  const seen = watchRequests(page);
  await expired(page);
  const answer = await ask(page, 'How do I serve an export?');
  await expect(answer).toContainText('It is served');
  await expect(answers(page)).toHaveCount(1);
  expect(seen).toEqual({ questions: [401, 200], loads: 1 });
  expect(watched.faults.splice(0)).toEqual([expect.stringContaining('401')]);
});

test('a page whose site was switched to quotes meanwhile quotes the docs', async ({ page }) => {
  await open(page);
  await expired(page);
  const change = (features: object | null) => server.request('PATCH', `/v1/sites/${domain}`, { features });
  expect((await change({ assistant: { mode: 'quotes' } })).status).toBe(200);
  const served = async () => (await fetch(`${server.sites}/sites/${domain}/carrel.config.js`)).text();
  await expect.poll(served).toContain('"quotes"');
  const asked = model.requests.length;
  await expect(await ask(page, 'How do I serve an export?')).toContainText('[1]');
  await expect(panel(page)).toContainText('No model is used');
  expect(model.requests).toHaveLength(asked);
  expect((await change(null)).status).toBe(200);
  await expect.poll(served).not.toContain('"quotes"');
});

test('a page that is open while the server restarts asks on', async ({ page }) => {
  await open(page);
  await expect(await ask(page, 'How do I serve an export?')).toContainText('It is served');
  await opened.restart();
  ({ server } = opened);
  await expect(await ask(page, 'And how do I verify one?')).toContainText('It is served');
  await expect(answers(page)).toHaveCount(2);
});

test('a site on a host of its own, behind a proxy, is asked from there, and pages elsewhere are not answered', async ({
  page,
  watched,
  servers,
}) => {
  const proxy = createServer(({ url, method, headers }, response) => {
    const to = `${server.sites}/sites/${domain}${url}`;
    sendRequest(to, { method, headers: { ...headers, host: new URL(to).host } }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    }).end();
  });
  servers.push({ close: () => close(proxy) });
  const home = `http://127.0.0.1:${await listen(proxy)}/`;
  await open(page, home);
  await expect(await ask(page, 'How do I serve an export?')).toContainText('cannot ask from');
  expect(watched.faults.splice(0)).toEqual([expect.stringContaining('403')]);

  expect((await server.request('PATCH', `/v1/sites/${domain}`, { siteUrl: home })).status).toBe(200);
  const seen = watchRequests(page);
  await open(page, home);
  await expired(page);
  await expect(await ask(page, 'How do I serve an export?')).toContainText('It is served');
  expect(seen.questions).toEqual([200]);
});
