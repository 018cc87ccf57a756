import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createPool, createProxiedPool, safeFetch, safeRequest } from '../../../integration/remote/safe-fetch.ts';
import { fakeNames } from './fake-names.ts';
import { close, listen } from '../../support/listen.ts';

async function serve(listener: RequestListener, onConnection: (socket: Socket) => void = () => {}): Promise<URL> {
  const server = createServer(listener).on('connection', onConnection);
  onTestFinished(() => close(server));
  return new URL(`http://127.0.0.1:${await listen(server)}/`);
}

test('a connection goes to the address that was checked, and the name is looked up once', async () => {
  const hosts: (string | undefined)[] = [];
  const url = await serve((request, response) => {
    hosts.push(request.headers.host);
    response.end('here');
  });
  let lookups = 0;
  fakeNames(() => (lookups++ === 0 ? '127.0.0.1' : '127.0.0.2'));
  const named = new URL(`http://docs.example:${url.port}/`);
  const response = await safeRequest(named, { allowed: ['127.0.0.1'] });
  expect([await response.text(), response.url]).toEqual(['here', named.href]);
  expect([lookups, hosts]).toEqual([1, [`docs.example:${url.port}`]]);
});

test.each([
  ['two requests of one pool share a connection', createPool(), 1],
  ['requests without a pool have connections of their own', undefined, 2],
])('%s', async (_title, pool, expected) => {
  let connections = 0;
  const url = await serve(
    (_request, response) => void response.end('x'),
    () => connections++,
  );
  for (let count = 0; count < 2; count++) await (await safeRequest(url, { allowed: 'any', pool })).text();
  expect(connections).toBe(expected);
});

test.each([
  ['is sent again when its method is idempotent', { method: 'PUT' }, 'x'],
  ['is sent again when it may come twice', { method: 'POST', isRepeatable: true }, 'x'],
  ['fails when it must not come twice', { method: 'POST' }, 'ECONNRESET'],
])('a request over kept connections that the server has closed %s', async (_title, options, expected) => {
  let isClosing = false;
  const seen = new WeakSet<Socket>();
  const url = await serve(({ socket }, response) => {
    if (isClosing && seen.has(socket)) socket.destroy();
    else response.end('x');
    seen.add(socket);
  });
  const pool = createPool();
  const send = () =>
    safeRequest(url, { allowed: 'any', pool, body: 'b', ...options }).then(
      (response) => response.text(),
      ({ code }) => code,
    );
  expect(await Promise.all([send(), send(), send()])).toEqual(['x', 'x', 'x']);
  isClosing = true;
  expect(await send()).toBe(expected);
});

test('a request over a new connection that the server closes is not sent again', async () => {
  let requests = 0;
  const url = await serve(({ socket }) => {
    requests++;
    socket.destroy();
  });
  const pool = createPool();
  await expect(safeRequest(url, { allowed: 'any', pool })).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(requests).toBe(1);
});

test('a status that no Response may have is a 502', async () => {
  const url = await serve((_request, response) => {
    response.socket!.end('HTTP/1.1 999 No\r\ncontent-length: 0\r\n\r\n');
  });
  expect((await safeRequest(url, { allowed: 'any' })).status).toBe(502);
});

test('the request and the body fail with the reason of the abort signal', async () => {
  const silent = await serve(() => {});
  await expect(safeRequest(silent, { allowed: 'any', signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
    name: 'TimeoutError',
  });
  const endless = await serve((_request, response) => void response.write('a'));
  const stop = new AbortController();
  const response = await safeRequest(endless, { allowed: 'any', signal: stop.signal });
  const reason = new Error('enough');
  setTimeout(() => stop.abort(reason), 20);
  await expect(response.text()).rejects.toBe(reason);
});

test('a late response is a TimeoutError; a response that has started has no time limit', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { promise: asked, resolve: hear } = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const url = await serve(async (request, response) => {
    if (request.url === '/late') return hear();
    response.write('a');
    await end.promise;
    response.end('b');
  });
  const late = safeRequest(new URL('late', url), { allowed: 'any', answersWithin: 100 });
  await asked;
  vi.advanceTimersByTime(100);
  await expect(late).rejects.toMatchObject({ name: 'TimeoutError' });
  const response = await safeRequest(url, { allowed: 'any', answersWithin: 2000 });
  vi.advanceTimersByTime(2500);
  end.resolve();
  expect(await response.text()).toBe('ab');
});

test('every redirect is checked before it is followed', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/end') return void response.end('there');
    response.writeHead(302, { location: request.url === '/' ? '/next' : '/end' }).end();
  });
  const seen: (string | undefined)[][] = [];
  const response = await safeFetch(url, {
    allowed: (to, from) => (seen.push([to.pathname, from?.pathname]), 'any'),
    pool: createPool,
  });
  expect([await response.text(), new URL(response.url).pathname]).toEqual(['there', '/end']);
  expect(seen).toEqual([
    ['/', undefined],
    ['/next', '/'],
    ['/end', '/next'],
  ]);
});

test('behind a proxy, the proxy resolves unknown names, and private ones are refused', async () => {
  const asked: (string | undefined)[] = [];
  const proxy = await serve((request, response) => {
    asked.push(request.url);
    response.end('by the proxy');
  });
  vi.stubEnv('NODE_USE_ENV_PROXY', '1');
  vi.stubEnv('HTTP_PROXY', proxy.href);
  vi.stubEnv('NO_PROXY', 'past.example');
  onTestFinished(() => void vi.unstubAllEnvs());
  const pool = createProxiedPool();
  fakeNames((name) => (name === 'inside.example' ? '10.0.0.1' : undefined));
  const request = (url: string) => safeRequest(new URL(url), { allowed: [], pool });
  expect(await (await request('http://outside.example/x')).text()).toBe('by the proxy');
  await expect(request('http://inside.example/x')).rejects.toMatchObject({ code: 'AddressPrivate' });
  await expect(request('http://past.example/x')).rejects.toMatchObject({ code: 'HostUnknown' });
  expect(asked).toEqual(['http://outside.example/x']);
});

test('a redirect sends the method that browsers send, and another origin gets no credentials', async () => {
  const seen: string[] = [];
  const record = async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const piece of request) body += piece;
    const { authorization, 'x-api-key': key, accept } = request.headers;
    seen.push([request.method, request.url, body, authorization, key, accept].join(' '));
    const status = Number(request.url!.slice(1));
    if (!status) return void response.end('there');
    response.writeHead(status, { location: new URL('/end', request.headers['x-api-key'] === 'near' ? here : there).href }).end();
  };
  const here = await serve((request, response) => void record(request, response));
  const there = await serve((request, response) => void record(request, response));
  const options = { allowed: () => 'any' as const, pool: () => createPool(), method: 'POST', body: 'b' } as const;
  const send = (status: number, key: string) =>
    safeFetch(new URL(`/${status}`, here), { ...options, headers: { authorization: 'a', 'x-api-key': key, accept: 'c' } });
  for (const [status, key] of [
    [302, 'near'],
    [307, 'near'],
    [303, 'far'],
    [308, 'far'],
  ] as const)
    await send(status, key);
  expect(seen).toEqual([
    'POST /302 b a near c',
    'GET /end  a near c',
    'POST /307 b a near c',
    'POST /end b a near c',
    'POST /303 b a far c',
    'GET /end    c',
    'POST /308 b a far c',
    'POST /end b   c',
  ]);
});

test.each(['GET', 'DELETE', 'OPTIONS'])('a body of %s is not another request', async (method) => {
  const seen: string[] = [];
  const url = await serve(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    seen.push(`${request.method} ${request.url} ${body.length}`);
    response.end('x');
  });
  const pool = createPool();
  const body = new TextEncoder().encode('POST /admin HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n');
  for (let count = 0; count < 2; count++) await (await safeRequest(url, { allowed: 'any', pool, method, body })).text();
  expect(seen).toEqual([`${method} / ${body.length}`, `${method} / ${body.length}`]);
});

test('an answer that only announces another protocol is a failure', async () => {
  const url = await serve((_request, response) => {
    response.socket!.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n');
  });
  await expect(safeRequest(url, { allowed: 'any' })).rejects.toThrow();
});
