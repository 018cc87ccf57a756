import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { refuseAsJson } from '../../../server/http/error-answers.ts';
import { listen, type Listener } from '../../../server/http/listen.ts';
import { createLog } from '../../../server/platform/log.ts';

// Far longer than a test may take: whoever waits for it fails.
const never = 3_600_000;

async function open(): Promise<Listener> {
  const listener = await listen(0, '127.0.0.1');
  onTestFinished(() => listener.close(0));
  return listener;
}

async function socketTo({ address }: Listener) {
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

test('idle connections do not delay closing', async () => {
  const listener = await open();
  listener.answer(() => new Response('done'));
  const silent = await socketTo(listener);
  const halfway = await socketTo(listener);
  halfway.write('GET / HTTP/1.1\r\nHost: docs');
  expect(await (await fetch(listener.address, { headers: { connection: 'keep-alive' } })).text()).toBe('done');
  const ended = Promise.all([silent, halfway].map((socket) => once(socket.resume(), 'close')));
  await listener.close(never);
  await ended;
});

test('a running request gets its whole response, and then its connection ends', async () => {
  const listener = await open();
  const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>();
  const { promise: body, resolve: answer } = Promise.withResolvers<string>();
  listener.answer(async () => {
    asked();
    return new Response(await body);
  });
  const answered = fetch(listener.address);
  await isAsked;
  const closed = listener.close(never);
  const long = 'x'.repeat(5_000_000);
  answer(long);
  expect((await (await answered).text()).length).toBe(long.length);
  await closed;
});

test('a request that does not end is closed after the timeout', async () => {
  const listener = await open();
  listener.answer(() => new Response(new ReadableStream({ pull: () => pause(never, undefined, { ref: false }) })));
  const response = await fetch(listener.address);
  const read = response.text();
  await Promise.all([listener.close(10), expect(read).rejects.toThrow()]);
});

test('responds with 503 before it is ready', async () => {
  const { status, headers } = await fetch((await open()).address);
  expect([status, headers.get('retry-after')]).toEqual([503, '1']);
});

test('reports a port in use with the setting for another one', async () => {
  const port = Number(new URL((await open()).address).port);
  await expect(listen(port, '127.0.0.1', 'PORT=')).rejects.toMatchObject({
    code: 'CannotListen',
    message: expect.stringContaining(`port ${port}`),
    hint: expect.stringMatching(/ PORT=\d+\.$/),
  });
});

test('disconnects a client that stops reading, and ends its response', async () => {
  const timeouts = { headersTimeout: 20_000, requestTimeout: 60_000, connectionsCheckingInterval: 5000 };
  const listener = await listen(0, '127.0.0.1', '', { ...timeouts, silence: 200 });
  onTestFinished(() => listener.close(0));
  const cancel = vi.fn();
  const pull = (controller: ReadableStreamDefaultController) => controller.enqueue(new Uint8Array(65_536));
  listener.answer(() => new Response(new ReadableStream({ pull, cancel })));
  const reader = await socketTo(listener);
  reader.pause().write('GET / HTTP/1.1\r\nHost: docs\r\n\r\n');
  await expect.poll(() => cancel).toHaveBeenCalled();
  reader.destroy();
});

/** All that comes back for a request written by hand, until the server closes the connection. */
async function rawAnswer(listener: Listener, request: string): Promise<{ status: number; headers: Headers; body: string }> {
  const socket = await socketTo(listener);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  socket.end(request);
  await once(socket, 'close');
  const [head = '', body = ''] = text.split(/\r\n\r\n(.*)/s);
  const [line = '', ...fields] = head.split('\r\n');
  return {
    status: Number(line.split(' ')[1]),
    headers: new Headers(fields.map((field) => field.split(/: ?(.*)/s).slice(0, 2) as [string, string])),
    body,
  };
}

describe.each<[name: string, request: string, status: number, code: string]>([
  ['a backslash in the path', 'GET /v1\\sites HTTP/1.1\r\nHost: docs\r\nConnection: close\r\n\r\n', 400, 'RequestMalformed'],
  ['a host with a space', 'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400, 'RequestMalformed'],
  ['a host that cannot be', 'GET / HTTP/1.1\r\nHost: 127t0.0.1\r\nConnection: close\r\n\r\n', 400, 'RequestMalformed'],
  ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'RequestMalformed'],
  [
    'an address of another protocol',
    'GET ftp://docs/x HTTP/1.1\r\nHost: docs\r\nConnection: close\r\n\r\n',
    400,
    'RequestMalformed',
  ],
  ['no path', 'OPTIONS * HTTP/1.1\r\nHost: docs\r\nConnection: close\r\n\r\n', 400, 'RequestMalformed'],
  ['a tunnel', 'CONNECT docs:443 HTTP/1.1\r\nHost: docs\r\n\r\n', 400, 'RequestMalformed'],
  ['an unknown expectation', 'GET / HTTP/1.1\r\nHost: docs\r\nExpect: x\r\nConnection: close\r\n\r\n', 417, 'ExpectationUnknown'],
  ['too large headers', `GET / HTTP/1.1\r\nHost: docs\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`, 431, 'HeadersTooLarge'],
  ['an unknown method', 'NONSENSE / HTTP/1.1\r\nHost: docs\r\n\r\n', 400, 'RequestMalformed'],
  [
    'two lengths',
    'POST / HTTP/1.1\r\nHost: docs\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
    'RequestMalformed',
  ],
  ['what is not HTTP', '\x16\x03\x01 hello\r\n\r\n', 400, 'RequestMalformed'],
])('%s is rejected with a reason', (_name, request, status, code) => {
  test('in plain text on the port of the sites', async () => {
    const answer = await rawAnswer(await open(), request);
    expect(answer).toMatchObject({ status, body: expect.stringMatching(/^The .+\.\n$/) });
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  test('as JSON on the port of the API', async () => {
    const listener = await listen(0, '127.0.0.1', '', { refuse: refuseAsJson(createLog('silent')) });
    onTestFinished(() => listener.close(0));
    const answer = await rawAnswer(listener, request);
    const requestId = answer.headers.get('x-request-id');
    expect(requestId).toMatch(/^req_[0-9a-f]{16}$/);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([status, { error: expect.stringMatching(/\.$/), code, requestId }]);
  });
});

test('a malformed request after a valid one leaves the response to that one whole', async () => {
  const listener = await open();
  listener.answer(() => new Response('done'));
  const answer = await rawAnswer(listener, 'GET / HTTP/1.1\r\nHost: docs\r\n\r\nNONSENSE\r\n\r\n');
  expect(answer).toMatchObject({ status: 200, body: expect.stringContaining('done') });
});
