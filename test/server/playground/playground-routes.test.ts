// Requests of a playground through the real routes, to real servers on loopback.
import { createServer, type RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { fakeNames } from '../../integration/remote/fake-names.ts';
import { openAssistantServer, refused } from '../assistant/assistant-server.ts';
import { activate, writeIndexedExport } from '../../support/indexed-export.ts';
import { startGitServer } from '../sources/git-server.ts';
import { temporaryFolder } from '../storage/storages.ts';
import { close, freePort, listen } from '../../support/listen.ts';

const server = await openAssistantServer({
  playgroundPrivateHosts: ['127.0.0.1'],
  playgroundMb: 1,
  playgroundPerMinute: 5,
  playgroundPerHour: 8,
});
const tls = await startGitServer();
const path = '/v1/playground/docs.example.com';

async function serve(listener: RequestListener): Promise<string> {
  const target = createServer(listener);
  onTestFinished(() => close(target));
  return `127.0.0.1:${await listen(target)}`;
}

async function configure(features?: object, domain = 'docs.example.com'): Promise<void> {
  const source = { type: 'git', url: 'https://git.example.com/docs.git' };
  const answer = await server.request('PUT', `/v1/sites/${domain}`, { source, ...(features && { features }) });
  expect(answer.status).toBe(200);
}

const proxied = (...hosts: string[]) => configure({ playground: { mode: 'proxy', hosts } });

const send = (request: object, options?: Parameters<typeof server.post>[2]) =>
  server.post(path, { method: 'GET', ...request }, options);

interface Event {
  type: string;
  status?: number;
  headers?: Record<string, string>;
  bytes?: string;
  error?: string;
}

/** The head of an answer, its body, and its last event. */
async function answered(response: Response) {
  expect(response.status).toBe(200);
  const events = (await response.text())
    .split('\n\n')
    .filter(Boolean)
    .map((event) => JSON.parse(event.replace(/^data: /, '')) as Event);
  const bytes = Buffer.concat(events.map((event) => Buffer.from(event.bytes ?? '', 'base64')));
  return { head: events[0]!, bytes, last: events.at(-1)! };
}

/** For APIs that never answer; the others have as long as they need on a busy machine. */
function endRequestsAfterTwoSeconds(): void {
  const { options } = server.services;
  const { playgroundSeconds } = options;
  options.playgroundSeconds = 2;
  onTestFinished(() => void (options.playgroundSeconds = playgroundSeconds));
}

async function refusal(response: Response): Promise<{ status: number; code: string; error: string }> {
  return { status: response.status, ...((await response.json()) as { code: string; error: string }) };
}

beforeEach(() => {
  server.clock.now += 3_600_000;
});

test('an answer comes with its status, headers and bytes', async () => {
  const seen: object[] = [];
  const host = await serve(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    seen.push({ method: request.method, url: request.url, body: Buffer.concat(pieces).toString('latin1') });
    response.writeHead(422, 'Not today', { 'content-type': 'image/png', 'x-left': '3' });
    response.end(Buffer.from([0, 255, 10, 13]));
  });
  await proxied(host);
  const response = await send({
    method: 'POST',
    url: `http://${host}/parcels?token=secret`,
    headers: { 'Content-Type': 'application/octet-stream' },
    body: { base64: Buffer.from([255, 0, 65]).toString('base64') },
  });
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  const { head, bytes, last } = await answered(response);
  expect(seen).toEqual([{ method: 'POST', url: '/parcels?token=secret', body: '\u00ff\u0000A' }]);
  expect(head).toMatchObject({
    type: 'head',
    status: 422,
    statusText: 'Not today',
    headers: { 'content-type': 'image/png', 'x-left': '3' },
  });
  expect([...bytes]).toEqual([0, 255, 10, 13]);
  expect(last).toEqual({ type: 'end' });
});

test('cookies, and headers of connections and proxies, pass in neither direction', async () => {
  let seen: NodeJS.Dict<string | string[]> = {};
  const host = await serve((request, response) => {
    seen = request.headers;
    response.writeHead(200, {
      ...{ 'set-cookie': ['a=1', 'b=2'], connection: 'close, x-hop', 'x-hop': '1', 'proxy-authenticate': 'Basic' },
      ...{ 'x-seen': '1', 'content-encoding': 'gzip' },
    });
    response.end(gzipSync('packed'));
  });
  await proxied(host);
  const { head, bytes } = await answered(
    await send({
      url: `http://${host}/`,
      headers: {
        ...{
          Cookie: 'a=1',
          Host: 'internal.example',
          Connection: 'x-mine, keep-alive',
          'X-Mine': '1',
          'Transfer-Encoding': 'chunked',
        },
        ...{ 'Content-Length': '5', 'X-Forwarded-For': '10.0.0.1', Forwarded: 'for=10.0.0.1', 'Proxy-Authorization': 'Basic x' },
        ...{ Authorization: 'Bearer abc', 'X-Api-Key': 'k', 'Accept-Encoding': 'zstd', Expect: '100-continue', Upgrade: 'h2c' },
      },
    }),
  );
  expect(seen).toEqual({
    accept: '*/*',
    'user-agent': 'Carrel',
    authorization: 'Bearer abc',
    'x-api-key': 'k',
    host,
    connection: 'close',
  });
  expect(head.headers).toEqual({ 'x-seen': '1', date: expect.any(String) });
  expect(bytes.toString()).toBe('packed');
});

describe('nothing is sent', () => {
  test('unless the site has the mode proxy', async () => {
    for (const features of [undefined, {}, { playground: { mode: 'direct', hosts: ['127.0.0.1:9'] } }]) {
      await configure(features);
      expect(await refused(send({ url: 'http://127.0.0.1:9/' }))).toEqual([403, 'PlaygroundHostRefused']);
    }
  });

  test.each([
    ['a host that is not listed', 'https://evil.example/'],
    ['another port', 'https://api.example.com:8443/'],
    ['a listed host as the beginning of another', 'https://api.example.com.evil.example/'],
  ])('to %s', async (_title, url) => {
    await proxied('api.example.com');
    const { status, code, error } = await refusal(await send({ url }));
    expect([status, code]).toEqual([403, 'PlaygroundHostRefused']);
    expect(error).toContain('its APIs are at https://api.example.com');
  });

  test.each(['https://a:b@api.example.com/', 'https://api.example.com@evil.example/'])('with a user name: %s', async (url) => {
    await proxied('api.example.com');
    expect(await refused(send({ url }))).toEqual([403, 'PlaygroundHostRefused']);
  });

  test.each(['169.254.169.254', '10.0.0.1', '[::1]', '127.0.0.2', '[::ffff:10.0.0.1]'])(
    'to the private address %s, although it is listed',
    async (host) => {
      await proxied(host);
      const { status, code, error } = await refusal(await send({ url: `http://${host}/` }));
      expect([status, code]).toEqual([403, 'PlaygroundHostRefused']);
      expect(error).toContain('is in a private or reserved network');
    },
  );

  test('to a private address behind a public name', async () => {
    await proxied('api.example.com');
    fakeNames(() => '10.1.2.3');
    expect(await refused(send({ url: 'http://api.example.com/' }))).toEqual([403, 'PlaygroundHostRefused']);
  });

  test.each([
    ['a line end in a value', { headers: { 'x-a': 'b\r\nx-c: d' } }],
    ['a line end in a name', { headers: { 'x-a\r\nx-c': 'd' } }],
    ['a NUL', { headers: { 'x-a': '\0' } }],
    ['another script', { headers: { 'x-a': '\u010d\u010a' } }],
    ['the method CONNECT', { method: 'CONNECT' }],
    ['a method with a line end', { method: 'GET / HTTP/1.1\r\n' }],
    ['file:', { url: 'file:///etc/passwd' }],
    ['a relative URL', { url: '/parcels' }],
    ['a body that is not Base64', { body: { base64: '%' } }],
  ])('for %s', async (_title, fault) => {
    await proxied('api.example.com');
    expect(await refused(send({ url: 'http://api.example.com/', ...fault }))).toEqual([400, 'RequestInvalid']);
  });

  test('without an assistant key of the site', async () => {
    await proxied('127.0.0.1:9');
    const request = { url: 'http://127.0.0.1:9/' };
    expect(await refused(send(request, { key: null }))).toEqual([401, 'KeyMissing']);
    expect(await refused(send(request, { key: server.adminKey }))).toEqual([403, 'KeyNotAssistant']);
    const foreign = server.post(path.replace('docs', 'foreign'), { method: 'GET', ...request });
    expect(await refused(foreign)).toEqual([404, 'SiteUnknown']);
  });

  test('of a body of 10 MB', async () => {
    await proxied('127.0.0.1:9');
    const body = 'x'.repeat(10_000_000);
    expect(await refused(send({ method: 'POST', url: 'http://127.0.0.1:9/', body }))).toEqual([413, 'BodyTooLarge']);
  });
});

test('a name that rebinds is requested at the address that was checked', async () => {
  const hosts: (string | undefined)[] = [];
  const host = await serve((request, response) => {
    hosts.push(request.headers.host);
    response.end('checked');
  });
  const named = host.replace('127.0.0.1', 'api.example.com');
  await proxied(named);
  let lookups = 0;
  fakeNames(() => (lookups++ === 0 ? '127.0.0.1' : '127.0.0.2'));
  const { bytes } = await answered(await send({ url: `http://${named}/` }));
  expect([bytes.toString(), lookups, hosts]).toEqual(['checked', 1, [named]]);
});

describe('redirects', () => {
  test('go on within the list, without credentials on another origin', async () => {
    let seen: NodeJS.Dict<string | string[]> = {};
    const end = await serve((request, response) => {
      seen = request.headers;
      response.end('there');
    });
    const host = await serve((_request, response) => void response.writeHead(302, { location: `http://${end}/` }).end());
    await proxied(host, end);
    const headers = { authorization: 'Bearer abc', 'x-api-key': 'k', accept: 'text/plain' };
    const { bytes } = await answered(await send({ url: `http://${host}/`, headers }));
    expect(bytes.toString()).toBe('there');
    expect(seen).toMatchObject({ accept: 'text/plain' });
    expect([seen.authorization, seen['x-api-key']]).toEqual([undefined, undefined]);
  });

  test.each(['http://evil.example/', 'http://169.254.169.254/latest', 'file:///etc/passwd', '//evil.example'])(
    'to %s are not followed',
    async (location) => {
      const host = await serve((_request, response) => void response.writeHead(307, { location }).end());
      await proxied(host);
      expect(await refused(send({ url: `http://${host}/` }))).toEqual([403, 'PlaygroundHostRefused']);
    },
  );

  test('end', async () => {
    const host = await serve((_request, response) => void response.writeHead(302, { location: '/again' }).end());
    await proxied(host);
    expect(await refused(send({ url: `http://${host}/` }))).toEqual([403, 'PlaygroundHostRefused']);
  });
});

describe('of an answer', () => {
  test('without an end, the part that came in time arrives', async () => {
    endRequestsAfterTwoSeconds();
    let closed = false;
    const host = await serve((_request, response) => {
      response.write('begun');
      response.on('close', () => (closed = true));
    });
    await proxied(host);
    const { bytes, last } = await answered(await send({ url: `http://${host}/` }));
    expect(bytes.toString()).toBe('begun');
    expect(last).toMatchObject({ type: 'error', code: 'PlaygroundTargetFailed' });
    expect(last.error).toBe(
      `The API failed, not this documentation: ${host} did not complete its answer in 2 s. Check the server URL, try again later, or ask the operator of the API.`,
    );
    await expect.poll(() => closed).toBe(true);
  });

  test.each([
    ['10 MB', {}, Buffer.alloc(10_000_000)],
    ['a gzip bomb', { 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(200_000_000))],
  ])('of %s, only what fits the limit is loaded', async (_title, headers, body) => {
    const host = await serve((_request, response) => void response.writeHead(200, headers).end(body));
    await proxied(host);
    const { bytes, last } = await answered(await send({ url: `http://${host}/` }));
    expect(bytes.length).toBeGreaterThan(0);
    expect(bytes.length).toBeLessThanOrEqual(1_000_000);
    expect(last.error).toContain('is larger than 1 MB; the rest was not loaded');
  });

  test('that breaks off, the last event says so', async () => {
    const host = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('half', () => response.destroy());
    });
    await proxied(host);
    const { bytes, last } = await answered(await send({ url: `http://${host}/` }));
    expect(bytes.toString()).toBe('half');
    expect(last.error).toContain('The API failed, not this documentation');
  });

  test('that is packed wrongly, the last event says so', async () => {
    const host = await serve((_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('plain'));
    await proxied(host);
    expect((await answered(await send({ url: `http://${host}/` }))).last.error).toContain('sent an answer that is not valid');
  });
});

describe('the message says that the API is at fault', () => {
  test('when it is down', async () => {
    const host = await serve(() => {});
    const down = `127.0.0.1:${await freePort()}`;
    await proxied(host, down);
    expect(await refusal(await send({ url: `http://${down}/` }))).toMatchObject({
      status: 502,
      code: 'PlaygroundTargetFailed',
      error: `The API failed, not this documentation: ${down} refused the connection. Check the server URL, try again later, or ask the operator of the API.`,
    });
    endRequestsAfterTwoSeconds();
    expect((await refusal(await send({ url: `http://${host}/` }))).error).toContain('did not complete its answer in 2 s');
  });

  test('when its name does not exist', async () => {
    await proxied('api.example.com');
    fakeNames(() => undefined);
    const { status, error } = await refusal(await send({ url: 'https://api.example.com/' }));
    expect([status, error]).toEqual([502, expect.stringContaining('api.example.com was not found')]);
  });

  test('when its certificate is not trusted', async () => {
    await proxied(`127.0.0.1:${tls.port}`);
    const { status, error } = await refusal(await send({ url: `${tls.address}/` }));
    expect([status, error]).toEqual([502, expect.stringContaining(`127.0.0.1:${tls.port} has no valid certificate (`)]);
  });

  test.each([
    ['an answer that is not HTTP', 'hello\r\n\r\n'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
    ['endless headers', `HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(100_000)}`],
    ['nothing', ''],
  ])('when it sends %s', async (_title, bytes) => {
    const host = await serve((_request, response) => void response.socket!.end(bytes));
    await proxied(host);
    const { status, code } = await refusal(await send({ url: `http://${host}/` }));
    expect([status, code]).toEqual([502, 'PlaygroundTargetFailed']);
  });
});

test.each(['leaves', 'may no longer send it'])('a reader who %s ends the request', async (what) => {
  let closed = false;
  const host = await serve((_request, response) => {
    response.write('begun');
    response.on('close', () => (closed = true));
  });
  await proxied(host);
  const { id, secret } = await server.newKey();
  const response = await send({ url: `http://${host}/` }, { key: secret });
  const reader = response.body!.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toContain('"head"');
  await (what === 'leaves' ? reader.cancel() : server.services.keys.revoke('default', id));
  expect((await reader.read()).value).toBeUndefined();
  await expect.poll(() => closed).toBe(true);
});

test('requests of a reader and of a site are limited', async () => {
  const host = await serve((_request, response) => void response.end('x'));
  await proxied(host);
  const request = { url: `http://${host}/` };
  const statuses = [];
  for (let count = 0; count < 6; count++) statuses.push((await send(request)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  for (let count = 0; count < 4; count++) statuses.push((await send(request, { from: `192.0.2.${count + 7}` })).status);
  expect(statuses.slice(6)).toEqual([200, 200, 200, 429]);
});

describe('the servers of the specifications', () => {
  beforeAll(async () => {
    const { folder, manifest } = await writeIndexedExport(await temporaryFolder(), [{ path: '', title: 'Home', markdown: 'x' }], {
      playground: '{"servers":["https://api.example.com","http://127.0.0.1:9"]}',
    });
    await activate(server.services, { domain: 'docs.example.com' }, { folder, manifest });
  });

  test('are allowed without a list', async () => {
    await configure({ playground: { mode: 'proxy' } });
    expect(await refused(send({ url: 'http://127.0.0.1:9/' }))).toEqual([502, 'PlaygroundTargetFailed']);
    const { error } = await refusal(await send({ url: 'https://other.example/' }));
    expect(error).toContain('its APIs are at https://api.example.com, http://127.0.0.1:9');
  });

  test('are unknown before the first export', async () => {
    await configure({ playground: { mode: 'proxy' } }, 'empty.example.com');
    const request = { method: 'GET', url: 'http://127.0.0.1:9/' };
    expect(await refused(server.post(path.replace('docs', 'empty'), request))).toEqual([404, 'SiteWithoutExport']);
  });
});
