// The playground of operation pages: examples without a network, and requests from the browser.
import { cp, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { axeFindings } from './axe.ts';
import { expect, exported, test } from './exported.ts';
import { close, listen } from '../support/listen.ts';

const site = exported('playground');
const operation = (name: string) => `api-reference/parcels/${name}/index.html`;

async function openPlayground(page: Page) {
  await page.getByRole('button', { name: 'Try it' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
}

const send = (page: Page) => page.getByRole('button', { name: /^(?:Send|Show an example)$/ }).click();
const status = (page: Page) => page.getByRole('status');

test('a page on file:// checks the request and answers with an example', async ({ page, context }) => {
  await context.setOffline(true);
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(request.url()));
  await page.goto(site.file(operation('list-parcels')));
  await expect(page.getByRole('button', { name: 'Try it' })).toBeVisible();
  expect(scripts.filter((url) => /(?:playground|operation)\./.test(url))).toEqual([]);
  await openPlayground(page);
  expect(await axeFindings(page)).toEqual([]);

  await expect(page.getByLabel('X-Trace')).toHaveValue('docs');
  const limit = page.getByLabel('limit');
  await limit.fill('500');
  await send(page);
  await expect(page.getByText('Must be at most 100.')).toBeVisible();
  await expect(limit).toBeFocused();
  await expect(limit).toHaveAttribute('aria-invalid', 'true');
  await expect(status(page)).toHaveText('Not sent: correct the marked values first.');

  await limit.fill('5');
  await page.getByLabel('status').fill('new\nsent');
  await page.getByLabel('Response', { exact: true }).selectOption('401');
  await send(page);
  await expect(status(page)).toContainText('401 · Example');
  // Texts of the specification stay texts.
  await expect(page.getByLabel('Response body')).toContainText('</script><img src=x onerror=alert(1)>');
  await expect(page.getByLabel('Request as code')).toContainText('/v1/parcels?limit=5&status=new&status=sent');
  await page.getByLabel('Language').selectOption('Python');
  await expect(page.getByLabel('Request as code')).toContainText('requests.get');

  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Try it' })).toBeFocused();
});

test('the code in each language has the values of the form, and is copied', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(site.file(operation('send-a-parcel')));
  await openPlayground(page);
  await page.getByLabel('region').selectOption('us');
  await page.getByLabel('token: token').fill('my-token');
  await page.getByLabel('application/json').fill('{"to":"Grace","weight":1}');
  const languages = page.getByLabel('Programming language');
  const code = page.getByLabel('Request as code');
  const titles = await languages.locator('option').allTextContents();
  expect(titles).toHaveLength(10);
  for (const title of titles) {
    await languages.selectOption(title);
    await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(await code.textContent());
    const text = (await code.textContent())!;
    for (const value of ['us.parcels.example/v1', 'my-token', 'Grace']) expect(text, title).toContain(value);
  }
});

test.describe('in another language', () => {
  const arabic = exported('arabic');

  test('the dialog has the texts and the direction of the page', async ({ page }) => {
    const { path } = arabic.manifest.pages.find(({ title }) => title === 'قائمة الطرود')!;
    await page.goto(arabic.file(`${path}/index.html`));
    await page.locator('[data-carrel-operation]').click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toHaveCSS('direction', 'rtl');
    await page.getByLabel('limit').fill('500');
    await page.getByRole('button', { name: 'عرض مثال' }).click();
    await expect(page.getByText('يجب ألا تزيد القيمة على 100.')).toBeVisible();
    await page.getByLabel('limit').fill('5');
    await page.getByRole('button', { name: 'عرض مثال' }).click();
    await expect(page.getByLabel('متن الاستجابة')).toContainText('ليلى');
    // Code is in its own direction.
    await expect(page.getByLabel('الطلب كشيفرة')).toHaveCSS('direction', 'ltr');
    const english = (await dialog.innerText()).match(
      /\b(?:Send|Close|Copy|Request|Response|Headers|Body|Server|required|Remember)\b/g,
    );
    expect(english).toBeNull();
    expect(await axeFindings(page)).toEqual([]);
  });
});

test('values are stored only when the reader asks, and secrets never', async ({ page }) => {
  await page.goto(site.file(operation('list-parcels')));
  await openPlayground(page);
  await page.getByLabel('limit').fill('7');
  await page.getByLabel('token: token').fill('secret-token');
  await send(page);
  await expect(status(page)).toContainText('200');
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('carrel-playground')))).toEqual([]);
  await page.getByLabel('Remember values').check();
  await send(page);
  await page.reload();
  await openPlayground(page);
  await expect(page.getByLabel('limit')).toHaveValue('7');
  await expect(page.getByLabel('token: token')).toHaveValue('');
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('secret-token');
});

test('earlier requests are restored and deleted, and there are 20 of them at most', async ({ page }) => {
  await page.goto(site.file(operation('list-parcels')));
  await openPlayground(page);
  const limit = page.getByLabel('limit');
  const past = page.getByText(/^Earlier requests \(\d+\)$/);
  await limit.fill('1');
  await send(page);
  await expect(status(page)).toContainText('200');
  await expect(past).toBeHidden();
  await page.getByLabel('Remember values').check();
  await page.getByLabel('token: token').fill('secret-token');
  for (let value = 1; value <= 21; value++) {
    await limit.fill(String(value));
    await send(page);
    await expect(past).toHaveText(`Earlier requests (${Math.min(value, 20)})`);
  }
  await page.reload();
  await openPlayground(page);
  await past.click();
  await expect(page.getByRole('dialog').getByRole('listitem').first()).toContainText('200 /v1/parcels?limit=21');
  await expect(page.getByRole('dialog').getByRole('listitem').last()).toContainText('200 /v1/parcels?limit=2');
  await page.getByRole('button', { name: '200 /v1/parcels?limit=12' }).click();
  await expect(limit).toHaveValue('12');
  await expect(page.getByLabel('Request as code')).toContainText('/v1/parcels?limit=12');

  await past.click();
  await page.getByRole('button', { name: 'Delete all' }).click();
  await expect(past).toBeHidden();
  const stored = () => page.evaluate(() => JSON.stringify(localStorage));
  expect(await stored()).toContain('carrel-playground');
  expect(await stored()).not.toMatch(/secret-token|"status"/);
  await page.getByLabel('Remember values').uncheck();
  expect(await stored()).not.toContain('carrel-playground');
});

test('requests go from the browser to the hosts that the deployment allows, without cookies', async ({
  page,
  serve,
  watched,
}, info) => {
  const seen: { method?: string; url?: string; headers: NodeJS.Dict<string | string[]>; body: string }[] = [];
  const api = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => (body += piece));
    request.on('end', () => {
      if (request.method !== 'OPTIONS') seen.push({ method: request.method, url: request.url, headers: request.headers, body });
      response.writeHead(request.method === 'OPTIONS' ? 204 : 201, {
        ...{ 'access-control-allow-origin': '*', 'access-control-allow-headers': '*', 'access-control-allow-methods': '*' },
        'content-type': 'application/json',
      });
      response.end(request.method === 'OPTIONS' ? undefined : '{"id":7,"to":"<b>Ada</b>"}');
    });
  });
  const port = await listen(api);
  const folder = info.outputPath('site');
  try {
    await cp(site.folder, folder, { recursive: true });
    const settings = { features: { playground: { mode: 'direct', hosts: [`127.0.0.1:${port}`] } } };
    await writeFile(join(folder, 'carrel.config.js'), `globalThis.__carrel_config = ${JSON.stringify(settings)};\n`);
    const home = await serve(folder);
    await page.goto(home + operation('send-a-parcel'));
    await openPlayground(page);
    await send(page);
    await expect(status(page)).toContainText('do not allow requests to eu.parcels.example');

    await page.getByLabel('URL', { exact: true }).selectOption({ index: 1 });
    await page.getByLabel('port').fill(String(port));
    await page.getByLabel('token: token').fill('abc');
    await send(page);
    await expect(status(page)).toContainText(/201 Created · \d+ ms · 26 bytes/);
    await expect(page.getByLabel('Response body')).toHaveText('{\n  "id": 7,\n  "to": "<b>Ada</b>"\n}');
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/parcels', headers: { authorization: 'Bearer abc' } });
    expect(seen[0]!.headers.cookie).toBeUndefined();
    expect(JSON.parse(seen[0]!.body)).toMatchObject({ to: 'Ada' });

    await close(api);
    await send(page);
    await expect(status(page)).toContainText(`127.0.0.1:${port} did not respond, or does not allow requests from`);
    // The browser itself reports the failed request.
    watched.faults.splice(0);
  } finally {
    api.close();
  }
});

test.describe('where no policy limits requests', () => {
  test.use({ bypassCSP: true });

  /** Serves the site with `settings` of the playground, and an API that `answer` implements; opens the form of an operation. */
  async function withApi(
    { page, serve }: { page: Page; serve: (source: string) => Promise<string> },
    settings: (port: number) => { hosts?: string[] },
    answer: RequestListener,
    run: (port: number) => Promise<void>,
  ) {
    const api = createServer((request, response) => {
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('access-control-allow-headers', '*');
      if (request.method === 'OPTIONS') response.end();
      else answer(request, response);
    });
    const port = await listen(api);
    const folder = test.info().outputPath('site');
    try {
      await cp(site.folder, folder, { recursive: true });
      const playground = { mode: 'direct', ...settings(port) };
      await writeFile(
        join(folder, 'carrel.config.js'),
        `globalThis.__carrel_config = ${JSON.stringify({ features: { playground } })};\n`,
      );
      await page.goto((await serve(folder)) + operation('list-parcels'));
      await openPlayground(page);
      await page.getByLabel('URL', { exact: true }).selectOption({ index: 1 });
      await page.getByLabel('port').fill(String(port));
      await run(port);
    } finally {
      await close(api);
    }
  }

  test('a redirect is not followed', async ({ page, serve, watched }) => {
    const seen: (string | undefined)[] = [];
    await withApi(
      { page, serve },
      (port) => ({ hosts: [`127.0.0.1:${port}`] }),
      ({ url, headers }, response) => {
        seen.push(`${headers.host} ${url}`);
        if (url?.startsWith('/parcels'))
          response.writeHead(307, { location: `http://localhost:${headers.host?.split(':')[1]}/stolen` });
        response.end();
      },
      async (port) => {
        await page.getByLabel('token: token').fill('abc');
        await send(page);
        await expect(status(page)).toHaveText(
          `127.0.0.1:${port} redirects this request to another URL. The playground does not follow redirects, which could lead to ` +
            'a host that is not allowed. Run the request from a terminal with the code below.',
        );
        expect(seen).toEqual([expect.stringContaining('/parcels')]);
        // Chromium reports a redirect as a request even if it is not followed; what was sent is in the list of the API.
        watched.foreign.splice(0);
      },
    );
  });

  test('without hosts in the settings, requests go to the servers of the specification only', async ({ page, serve }) => {
    const seen: unknown[] = [];
    await withApi(
      { page, serve },
      () => ({}),
      ({ url }, response) => void response.end(String(seen.push(url))),
      async (port) => {
        await send(page);
        await expect(status(page)).toHaveText(
          `Not sent: 127.0.0.1:${port} is not a server of this specification. The operator of this site can allow it ` +
            'in features.playground.hosts.',
        );
        expect(seen).toEqual([]);
      },
    );
  });

  test('Stop ends a request, and what has arrived stays', async ({ page, serve }) => {
    let open = 0;
    let silent = true;
    await withApi(
      { page, serve },
      (port) => ({ hosts: [`127.0.0.1:${port}`] }),
      (_, response) => {
        open++;
        response.on('close', () => open--);
        if (silent) return;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('data: first\n\n');
      },
      async () => {
        const stop = page.getByRole('button', { name: 'Stop' });
        await expect(stop).toBeHidden();
        await send(page);
        await expect.poll(() => open).toBe(1);
        await stop.click();
        await expect(status(page)).toHaveText('Stopped before a response arrived.');
        await expect(stop).toBeHidden();
        await expect(page.getByRole('button', { name: 'Send' })).toBeFocused();
        await expect.poll(() => open).toBe(0);

        silent = false;
        await send(page);
        await expect(page.getByLabel('Response body')).toHaveText('data: first');
        await stop.click();
        await expect(status(page)).toHaveText(/^200 OK · \d+ ms · 13 bytes · stopped, incomplete$/);
        await expect(page.getByLabel('Response body')).toHaveText('data: first');
        await expect.poll(() => open).toBe(0);
      },
    );
  });
});
