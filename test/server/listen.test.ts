import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { listen, type Listener } from '../../server/listen.ts';

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

test('what has asked nothing, and what has its answer, does not keep it from closing', async () => {
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

test('a running request gets its whole answer, and then its connection ends', async () => {
  const listener = await open();
  let asked = () => {};
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  let answer = (_text: string) => {};
  const body = new Promise<string>((resolve) => (answer = resolve));
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

test('a request that does not end is cut after its time', async () => {
  const listener = await open();
  listener.answer(() => new Response(new ReadableStream({ pull: () => pause(never, undefined, { ref: false }) })));
  const response = await fetch(listener.address);
  const read = response.text();
  await Promise.all([listener.close(10), expect(read).rejects.toThrow()]);
});

test('nobody is answered before it is ready', async () => {
  const { status, headers } = await fetch((await open()).address);
  expect([status, headers.get('retry-after')]).toEqual([503, '1']);
});

test('a port that is taken is told with the setting that chooses another one', async () => {
  const port = Number(new URL((await open()).address).port);
  await expect(listen(port, '127.0.0.1', 'PORT=')).rejects.toMatchObject({
    code: 'CannotListen',
    message: expect.stringContaining(`Port ${port}`),
    hint: expect.stringMatching(/ PORT=\d+\.$/),
  });
});

test('a reader who takes nothing is let go of, and what it was sent ends', async () => {
  const patience = { headersTimeout: 20_000, requestTimeout: 60_000, connectionsCheckingInterval: 5000 };
  const listener = await listen(0, '127.0.0.1', '', { ...patience, silence: 200 });
  onTestFinished(() => listener.close(0));
  const canceled = new Promise<void>((resolve) => {
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
      cancel: () => resolve(),
    });
    listener.answer(() => new Response(endless));
  });
  const reader = await socketTo(listener);
  reader.pause().write('GET / HTTP/1.1\r\nHost: docs\r\n\r\n');
  await canceled;
  reader.destroy();
});
