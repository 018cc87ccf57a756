import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { expect, test } from 'vitest';
import { openTestServer } from '../support/services.ts';

test('a server that compresses more than it has threads for stays ready', async () => {
  const server = await openTestServer();
  const ready = async () => (await server.request('GET', '/readyz', undefined, null)).status;
  expect(await ready()).toBe(200);
  const text = Buffer.from(Array.from({ length: 40_000 }, (_, index) => `Tide ${index * 7919} at ${index % 97}`).join('\n'));
  const compress = () => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
  await compress();
  const started = performance.now();
  await compress();
  // So many that the storage, which shares the threads with them, waits for some seconds.
  const count = Math.ceil(7_000 / (performance.now() - started));
  const load = Promise.all(Array.from({ length: count }, compress));
  let isOver = false;
  void load.then(() => (isOver = true));
  const statuses: number[] = [];
  while (!isOver) {
    statuses.push(await ready());
    await setTimeout(50);
  }
  expect(statuses.length).toBeGreaterThan(10);
  expect(new Set(statuses)).toEqual(new Set([200]));
});
