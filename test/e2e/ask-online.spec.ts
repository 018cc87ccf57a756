// The Ask panel of a served site, with a real server whose model answers from a script.
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { chunk, done, errorAnswer, openModelServer, textAnswer, type ModelServer } from '../server/assistant/model-server.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { answers, ask, field, openPanel, panel, sources } from './ask-panel.ts';
import { expect, exported, test } from './exported.ts';
import { firstExport, startSmallServer, type SmallServer } from './small-server.ts';
import { freePort } from '../support/listen.ts';

test.describe.configure({ mode: 'default' });

const domain = 'docs';
let site: string;
let model: ModelServer;
let opened: SmallServer;
let server: ServerProcess;

test.beforeAll(async () => {
  model = await openModelServer();
  const environment = { CARREL_MODEL_URL: model.url, CARREL_MODEL: 'scripted' };
  opened = await startSmallServer(environment, ['index', 'serve', 'verify', 'deploy']);
  ({ server } = opened);
  await firstExport(server);
  site = join(opened.data, 'site');
  await cp(exported('manual').folder, site, { recursive: true });
});

test.afterAll(async () => {
  await opened?.close();
  await model?.close();
});

/** The manual, whose settings name its assistant. */
async function openSite(page: Page, serve: (source: string) => Promise<string>, assistant: object = {}): Promise<string> {
  const settings = { assistant: { url: `${server.address}/discovery`, domain, key: server.assistantKey, ...assistant } };
  await writeFile(join(site, 'carrel.config.js'), `globalThis.__carrel_config = ${JSON.stringify(settings)};\n`);
  const home = await serve(site);
  await page.goto(`${home}serve/`);
  await openPanel(page);
  await expect(panel(page)).toContainText('A language model answers');
  return home;
}

test('an answer streams in, its citations link to the docs, and the conversation continues in its thread', async ({
  page,
  serve,
}) => {
  const { promise: until, resolve: goOn } = Promise.withResolvers<void>();
  model.play(
    {
      steps: [
        chunk({ content: 'It is **served** so [1]:\n\n```sh\ncarrel' }),
        { until },
        chunk({ content: ' serve site\n```\n' }),
        chunk({}, 'stop'),
        done,
      ],
    },
    textAnswer('And so.'),
  );
  const home = await openSite(page, serve);
  await field(page).fill('How do I serve an export?');
  await field(page).press('Enter');
  const answer = answers(page).first();
  await expect(answer.locator('strong')).toHaveText('served');
  await expect(answer.locator('pre')).toHaveText('carrel');
  await expect(answer).toHaveAttribute('aria-busy', 'true');
  await expect(panel(page).getByRole('button', { name: 'Stop' })).toBeVisible();
  // The source came right before the words that cite it.
  await expect(answer.getByRole('link', { name: /^Source 1/ })).toHaveText('[1]');
  goOn();
  await expect(answer).toHaveAttribute('aria-busy', 'false');
  await expect(answer.locator('pre')).toHaveText('carrel serve site');

  await answer.getByRole('button', { name: 'Bad answer' }).click();
  await answer.getByRole('textbox').fill('It says too little.');
  await answer.getByRole('button', { name: 'Send comment' }).click();
  await expect(answer).toContainText('Thank you.');

  await ask(page, 'And then?');
  const asked = model.requests
    .at(-1)!
    .body.messages.map(({ content }) => content)
    .join('\n');
  expect(asked).toContain('How do I serve an export?');
  expect(asked).toContain('It is **served** so');

  await answer.getByRole('link', { name: /^Source 1/ }).click();
  await page.waitForURL((address) => address.href.startsWith(home) && !address.search.includes('highlight'));
  await expect(page.locator('h1')).not.toBeEmpty();
  await expect(answers(page)).toHaveCount(2);
  const { threads } = await (await server.request('GET', `/v1/assistant/${domain}/threads`)).json();
  expect(threads).toHaveLength(1);
});

test('the panel of a site that the server hosts streams the answer of the model, and quotes without one', async ({ page }) => {
  const home = `${server.sites}/sites/${domain}/`;
  const { promise: until, resolve: goOn } = Promise.withResolvers<void>();
  model.play({
    steps: [chunk({ content: 'It is **hosted** [1]' }), { until }, chunk({ content: ', so.' }), chunk({}, 'stop'), done],
  });
  await page.goto(`${home}serve/`);
  await openPanel(page);
  await expect(panel(page)).toContainText('A language model answers');
  await field(page).fill('How do I serve an export?');
  await field(page).press('Enter');
  await expect(answers(page).locator('strong')).toHaveText('hosted');
  await expect(answers(page)).toHaveAttribute('aria-busy', 'true');
  goOn();
  await expect(answers(page)).toHaveAttribute('aria-busy', 'false');
  await expect(answers(page)).toContainText(', so.');
  await sources(page).first().click();
  await page.waitForURL((address) => address.href.startsWith(home));
  model.play(errorAnswer(400, 'no'));
  await ask(page, 'How do I serve an export?');
  await expect(panel(page)).not.toContainText('A language model answers');
  model.play(textAnswer('So [1].'));
  await ask(page, 'How do I serve it?');
  await expect(panel(page)).toContainText('A language model answers');

  const { source } = await (await server.request('GET', `/v1/sites/${domain}`)).json();
  const put = async (assistant: object | null) =>
    expect((await server.request('PUT', `/v1/sites/${domain}`, { source, assistant })).status).toBe(200);
  await put({ model: null });
  const asked = model.requests.length;
  await expect
    .poll(async () => {
      await page.goto(`${home}deploy/`);
      await openPanel(page);
      return panel(page).innerText();
    })
    .toContain('No model is used');
  await expect(await ask(page, 'How do I serve an export?')).toContainText('[1]');
  expect(model.requests).toHaveLength(asked);
  await put(null);
});

test('sources that arrive between pieces of an answer are numbered and listed as it cites them', async ({ page, serve }) => {
  model.play(({ body }) => {
    const found = [...body.messages.at(-1)!.content.matchAll(/^<passage (\d+) [0-9a-f]+>\nFrom: .*\(\/([^#)]*)/gm)];
    const [first] = found;
    const other = found.find(([, , path]) => path !== first![2])!;
    return textAnswer('Verify it ', `[${other[1]}].\n\n`, 'Serve it ', `[${first![1]}], `, `then verify it again [${other[1]}].`);
  }, textAnswer('The documentation does not answer this.'));
  await openSite(page, serve);
  const answer = await ask(page, 'How do I serve and verify an export?');
  await expect(answer.locator('.text p')).toHaveText(['Verify it [1].', 'Serve it [2], then verify it again [1].']);
  const cited = answer.locator('.text a.citation');
  await expect(cited).toHaveText(['[1]', '[2]', '[1]']);
  await expect(sources(page).locator('.number')).toHaveText(['1', '2']);
  const places = await sources(page).evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
  expect(await cited.evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href))).toEqual([
    places[0],
    places[1],
    places[0],
  ]);
  expect(new Set(places.map((place) => new URL(place).pathname)).size).toBe(2);
  const refused = await ask(page, 'How do I serve a cake?');
  await expect(refused).toContainText('The documentation does not answer this.');
  await expect(sources(page)).toHaveCount(0);
});

test('a citation whose source arrives later becomes a link', async ({ page, serve }) => {
  await openSite(page, serve);
  const events = [
    { type: 'start', messageId: 'msg_0123456789abcdef' },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'Serve it [1].\n\n' },
    { type: 'text-delta', id: 't', delta: 'Done.' },
    { type: 'source-url', sourceId: 's1', url: '/serve', title: 'Serve' },
    { type: 'finish' },
  ];
  const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
  await page.route('**/discovery/v2/assistant/**/message', (route) =>
    route.fulfill({ contentType: 'text/event-stream', headers: { 'access-control-allow-origin': '*' }, body }),
  );
  const answer = await ask(page, 'How do I serve an export?');
  await expect(answer.locator('.text a.citation')).toHaveText('[1]');
  await expect(sources(page)).toHaveText(['1Serve']);
});

test('an answer can be stopped, which stops the model too, and requested again', async ({ page, serve }) => {
  model.play({ steps: [chunk({ content: 'Slowly' }), 'hang'] }, textAnswer('At once.'));
  await openSite(page, serve);
  const asked = model.next();
  await field(page).fill('How do I serve an export?');
  await field(page).press('Enter');
  await expect(answers(page)).toContainText('Slowly');
  await panel(page).getByRole('button', { name: 'Stop' }).click();
  await expect(answers(page)).toContainText('Stopped.');
  expect(await (await asked).left).toBe(true);
  await panel(page).getByRole('button', { name: 'Try again' }).click();
  await expect(answers(page)).toHaveCount(1);
  await expect(answers(page)).toContainText('At once.');
});

test('the panel says what it does before the first word, and code can be copied', async ({ page, serve }) => {
  const { promise: until, resolve: goOn } = Promise.withResolvers<void>();
  let passages = 0;
  model.play(({ body }) => {
    passages = body.messages.at(-1)!.content.match(/^<passage \d+/gm)?.length ?? 0;
    return { steps: [{ until }, chunk({ content: 'So [1]:\n\n```sh\ncarrel serve site\n```\n' }), chunk({}, 'stop'), done] };
  });
  await openSite(page, serve);
  await field(page).fill('How do I serve an export?');
  await field(page).press('Enter');
  const answer = answers(page).first();
  const progress = answer.locator('.progress');
  await expect(progress).toHaveText(/^Reading \d+ passages…$/);
  // The panel says it before the model gets them.
  await expect.poll(() => passages).toBeGreaterThan(1);
  await expect(progress).toHaveText(`Reading ${passages} passages…`);
  await expect(panel(page).getByRole('status').first()).toHaveText(`Reading ${passages} passages…`);
  goOn();
  await expect(answer).toHaveAttribute('aria-busy', 'false');
  await expect(progress).toBeHidden();
  await expect(answer.locator('.code-head')).toContainText('sh');
  await answer.getByRole('button', { name: 'Copy code' }).click();
  await expect(answer.locator('.code').getByRole('button', { name: 'Copied' })).toBeVisible();
  await field(page).focus();
  await page.keyboard.press('ControlOrMeta+v');
  await expect(field(page)).toHaveValue('carrel serve site');
});

test('suggestions of an answer can be asked', async ({ page, serve }) => {
  model.play(textAnswer('So.\n\n```suggestions\n(How do I verify a bundle?)[/verify]\n```\n'), textAnswer('Like this.'));
  await openSite(page, serve, { suggestions: ['How do I begin?'] });
  await panel(page).getByRole('button', { name: 'How do I begin?' }).click();
  await panel(page).getByRole('button', { name: 'How do I verify a bundle?' }).click();
  await expect(answers(page).last()).toContainText('Like this.');
  // The page that the suggestion names.
  expect(model.requests.at(-1)!.body.messages.at(-1)!.content).toContain('Page being read: /verify\n');
});

test('a hostile answer of a model runs nothing and loads nothing', async ({ page, serve }) => {
  const attack = [
    '<script>alert(1)</script> <img src=x onerror=alert(1)> <svg onload=alert(1)>',
    '[one](javascript:alert(1)) [two](data:text/html,<script>alert(1)</script>) [three](//evil.example)',
    '![four](https://evil.example/leak.png) ![five](data:image/svg+xml,<svg onload=alert(1)>)',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe><style>*{display:none}</style>',
    '<a href="javascript:alert(1)">six</a> <https://evil.example" onmouseover="alert(1)>',
  ].join('\n\n');
  model.play(textAnswer(attack));
  await page.addInitScript(() => {
    const reports: string[] = ((globalThis as unknown as { reports: string[] }).reports = []);
    document.addEventListener('securitypolicyviolation', (event) => reports.push(event.violatedDirective));
  });
  await openSite(page, serve);
  const answer = await ask(page, 'How do I serve an export?');
  await expect(answer).toContainText('<script>alert(1)</script>');
  await expect(answer.locator('.text').locator('script, img, svg, iframe, style, [onmouseover], [onerror]')).toHaveCount(0);
  // No passage has these URLs.
  await expect(answer).toContainText('onmouseover');
  await expect(answer.locator('.text a')).toHaveCount(0);
  for (const word of ['one', 'two', 'three', 'six']) await answer.locator('.text').getByText(word).first().click();
  expect(await page.evaluate(() => (globalThis as unknown as { reports: string[] }).reports)).toEqual([]);
});

test('a refusal is shown as a message, and the docs can be quoted instead', async ({ page, serve, watched }) => {
  await openSite(page, serve, { key: 'svc_dsc_unknown' });
  const answer = await ask(page, 'How do I serve an export?');
  await expect(answer).toContainText('The answer failed.');
  await expect(answer).toContainText('key');
  await panel(page).getByRole('button', { name: 'Answer from the docs instead' }).click();
  await expect(answers(page)).toContainText('From the docs:');
  await expect(sources(page).first()).toBeVisible();
  expect(watched.faults).toEqual([expect.stringContaining('401')]);
  watched.faults = [];
});

test('an unreachable server is shown as a message, and the docs can be quoted instead', async ({ page, serve, watched }) => {
  await openSite(page, serve, { url: `http://127.0.0.1:${await freePort()}/discovery` });
  const answer = await ask(page, 'How do I serve an export?');
  await expect(answer).toContainText('The assistant cannot be reached.');
  await panel(page).getByRole('button', { name: 'Answer from the docs instead' }).click();
  await expect(answers(page)).toContainText('From the docs:');
  expect(watched.faults.length).toBeGreaterThan(0);
  expect(watched.faults.filter((fault) => !/ERR_CONNECTION_REFUSED|failed/.test(fault))).toEqual([]);
  watched.faults = [];
});
