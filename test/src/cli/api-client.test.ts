import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { openApiClient, ServerRefused } from '../../../src/cli/api-client.ts';
import { listen } from '../../support/listen.ts';
import { writeFiles } from '../../support/write-files.ts';

const root = mkdtempSync(join(tmpdir(), 'carrel-client-'));
afterAll(() => rmSync(root, { recursive: true }));
const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

const key = `svc_${'k'.repeat(43)}`;
const firstKey = `svc_${'f'.repeat(43)}`;

/** A data folder with what a first start leaves there. */
function dataFolder(text: string | { url: string; adminKey: string }): string {
  const folder = mkdtempSync(join(root, 'data-'));
  writeFiles(folder, { 'keys.json': typeof text === 'string' ? text : JSON.stringify({ ...text, assistantKey: 'svc_dsc_x' }) });
  return folder;
}

async function server(answer: RequestListener): Promise<string> {
  const listening = createServer(answer);
  closing.push(() => listening.close());
  return `http://127.0.0.1:${await listen(listening)}`;
}

/** Tells the header it got. */
const echo: RequestListener = (request, response) => response.end(JSON.stringify({ bearer: request.headers.authorization }));
const bearer = (environment: NodeJS.ProcessEnv) =>
  openApiClient(environment)
    .json<{ bearer: string }>('GET', '/')
    .then((answer) => answer.bearer);

describe('the server and its key', () => {
  test('CARREL_URL and CARREL_KEY', async () => {
    expect(await bearer({ CARREL_URL: `${await server(echo)}/`, CARREL_KEY: ` ${key}\n` })).toBe(`Bearer ${key}`);
  });

  test('the file of the first start names both', async () => {
    const url = await server(echo);
    expect(await bearer({ CARREL_DATA: dataFolder({ url, adminKey: firstKey }) })).toBe(`Bearer ${firstKey}`);
  });

  test('the environment takes precedence over the file', async () => {
    const url = await server(echo);
    const data = dataFolder({ url: 'http://127.0.0.1:1', adminKey: firstKey });
    expect(await bearer({ CARREL_DATA: data, CARREL_URL: url, CARREL_KEY: key })).toBe(`Bearer ${key}`);
  });

  test('this machine has several names', async () => {
    const url = (await server(echo)).replace('127.0.0.1', 'localhost');
    const data = dataFolder({ url: url.replace('localhost', '127.0.0.1'), adminKey: firstKey });
    expect(await bearer({ CARREL_DATA: data, CARREL_URL: url })).toBe(`Bearer ${firstKey}`);
  });

  test('without them, it is the default URL', () => {
    expect(openApiClient({ CARREL_DATA: join(root, 'nowhere'), CARREL_KEY: key }).url).toBe('http://127.0.0.1:4400');
  });

  test('the key of one server is not sent to another', () => {
    const data = dataFolder({ url: 'http://127.0.0.1:4400', adminKey: firstKey });
    for (const url of [
      'https://evil.example',
      'http://127.0.0.1:4402',
      'https://127.0.0.1:4400',
      'http://127.0.0.1.evil.example:4400',
    ]) {
      expect(() => openApiClient({ CARREL_DATA: data, CARREL_URL: url })).toThrow(`No key for ${url}`);
    }
  });

  test.each([
    ['no JSON', '{'],
    ['another shape', '[]'],
    ['no address', '{"url":"x","adminKey":"svc_x"}'],
  ])('a file with %s is ignored', (_, text) => {
    expect(() => openApiClient({ CARREL_DATA: dataFolder(text) })).toThrow('No key for http://127.0.0.1:4400');
  });

  test.each(['ftp://x', 'docs.example.com', 'http://', 'http://x?y', 'javascript:alert(1)'])(
    'the address %j is refused',
    (url) => {
      expect(() => openApiClient({ CARREL_URL: url, CARREL_KEY: key })).toThrow('is not an http(s) URL.');
    },
  );

  test('a password in the URL is not shown', () => {
    expect(() => openApiClient({ CARREL_URL: 'http://user:s3cret@x', CARREL_KEY: key })).toThrow(/^(?!.*s3cret).*…@x/);
  });

  test.each(['s3cret', '"svc_s3cret"', 'svc_s3\ncret', 'svc_s3cret\u{1f511}', 'Bearer svc_s3cret'])(
    'the key %j is refused and not told',
    (key) => {
      expect(() => openApiClient({ CARREL_KEY: key })).toThrow(/^The key in CARREL_KEY is not valid\.$/);
    },
  );
});

describe('responses', () => {
  const client = async (answer: RequestListener) => openApiClient({ CARREL_URL: await server(answer), CARREL_KEY: key });

  test('an error has the message, the code and the id of the request', async () => {
    const refusing = await client((_, response) =>
      response.writeHead(404).end(JSON.stringify({ error: 'There is no site "x".', code: 'SiteUnknown', requestId: 'req_1' })),
    );
    const refused = await refusing.json('GET', '/v1/sites/x').catch((error: ServerRefused) => error);
    expect(refused).toBeInstanceOf(ServerRefused);
    expect(refused).toMatchObject({
      message: 'There is no site "x".',
      hint: "Code SiteUnknown, request req_1 in the server's log.",
      status: 404,
      apiCode: 'SiteUnknown',
    });
  });

  test('a response from another program is reported', async () => {
    const page = await client((_, response) =>
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
    );
    await expect(page.json('GET', '/')).rejects.toMatchObject({ status: 502, hint: 'Check CARREL_URL.' });
    const wrong = await client((_, response) => response.end('<h1>Welcome</h1>'));
    await expect(wrong.json('GET', '/v1/keys')).rejects.toMatchObject({ code: 'AnswerNotJson' });
  });

  test('the key does not follow a redirect', async () => {
    const heard: (string | undefined)[] = [];
    const elsewhere = await server((request, response) => {
      heard.push(request.headers.authorization);
      response.end('{}');
    });
    const redirecting = await client((_, response) => response.writeHead(307, { location: elsewhere }).end());
    await expect(redirecting.json('GET', '/')).rejects.toMatchObject({ status: 307 });
    expect(heard).toEqual([]);
  });

  test('an unreachable server: the error says how to start one', async () => {
    const url = await server(echo);
    closing.splice(0).forEach((close) => close());
    await expect(openApiClient({ CARREL_URL: url, CARREL_KEY: key }).json('GET', '/')).rejects.toMatchObject({
      code: 'ServerUnreachable',
      message: expect.stringContaining(url),
      hint: 'Start it with `carrel server`, or set CARREL_URL to its URL.',
    });
  });
});
