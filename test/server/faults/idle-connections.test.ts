import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startCarrel } from '../../src/cli/carrel.ts';
import { makeExport } from '../storage/exports.ts';
import { firstExport, place, startServer } from './places.ts';

const many = 1000;
/** What connections send, and then nothing more. */
const wholeRequest = 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
const kinds = ['', 'GET / HTTP/1.1\r\nHost: 127', wholeRequest, ''];

/** Opens connections that stay as long as the server lets them, 10 at a time: the next ones when the server has answered those that ask. */
async function openIdle(addresses: string[]): Promise<Socket[]> {
  const sockets: Socket[] = [];
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  while (sockets.length < many) {
    const waiting: Promise<unknown>[] = [];
    const opened = Array.from({ length: 10 }, (_, at) => {
      const socket = connect(Number(new URL(addresses[at % addresses.length]!).port), '127.0.0.1');
      socket.on('error', () => {}).resume();
      const sent = kinds[at % kinds.length]!;
      socket.write(sent);
      const isUp = Promise.race([once(socket, sent === wholeRequest ? 'data' : 'connect'), once(socket, 'close')]);
      // Also one that the server resets.
      waiting.push(isUp.catch(() => {}));
      return socket;
    });
    sockets.push(...opened);
    await Promise.all(waiting);
  }
  return sockets;
}

/** The statuses of requests, with their headers, over connections of their own, and how often each came. */
async function statusesOf(rounds: number, urls: Record<string, Record<string, string>>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let round = 0; round < rounds; round++) {
    for (const [url, headers] of Object.entries(urls)) {
      const status = await fetch(url, { headers: { ...headers, connection: 'close' } }).then(
        async (response) => (await response.arrayBuffer(), String(response.status)),
        ({ cause, message }: Error) => `${new URL(url).pathname}: ${cause instanceof Error ? cause.message : message}`,
      );
      counts[status] = (counts[status] ?? 0) + 1;
    }
  }
  return counts;
}

/** As if the process had been started with this limit: the first request a second later makes it read the limit again. */
async function limitFiles(process: number, limit: number, url: string): Promise<void> {
  execFileSync('prlimit', ['--pid', String(process), `--nofile=${limit}:${limit}`]);
  await pause(1100);
  await (await fetch(url)).arrayBuffer();
}

test.runIf(process.platform === 'linux')(
  'a thousand idle connections shut out no probe, no client of the API and no reader, with 300 descriptors',
  async () => {
    const { data } = place();
    const server = await startServer(data, { SITE: 'docs.example.com', QUICK_EXPORT: '0' });
    await firstExport(server);
    const urls: Record<string, Record<string, string>> = {
      [`${server.address}/healthz`]: {},
      [`${server.address}/readyz`]: {},
      [`${server.address}/v1/sites`]: { authorization: `Bearer ${server.adminKey}` },
      [`${server.sites}/sites/docs.example.com/`]: {},
    };
    expect(await statusesOf(1, urls)).toEqual({ 200: 4 });
    await limitFiles(server.child.pid!, 300, server.address);
    const [sockets, during] = await Promise.all([openIdle([server.address, server.sites!]), statusesOf(25, urls)]);
    expect(during).toEqual({ 200: 100 });
    expect(await statusesOf(25, urls)).toEqual({ 200: 100 });
    expect(sockets.filter(({ closed }) => !closed).length).toBeGreaterThan(10);
    expect(server.output()).not.toMatch(/"level":"(?:error|fatal)"/);
  },
);

test.runIf(process.platform === 'linux')('nor those of a served export, with 100', async () => {
  const { folder } = await makeExport({ 'index.html': '<!doctype html><title>Docs</title>' });
  const { child, ended } = startCarrel(['serve', folder, '--port', '0']);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const [, address] = /served at (http:\S+\d)\//.exec(String((await once(child.stdout!, 'data'))[0]))!;
  await limitFiles(child.pid!, 100, address!);
  const urls = { [`${address}/`]: {}, [`${address}/.carrel/ready`]: {} };
  const [, during] = await Promise.all([openIdle([address!]), statusesOf(50, urls)]);
  expect(during).toEqual({ 200: 100 });
  expect(await statusesOf(50, urls)).toEqual({ 200: 100 });
});
