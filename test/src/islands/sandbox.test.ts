import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { openSandbox, type Sandbox } from '../../../src/islands/sandbox.ts';
import { listen } from '../../support/listen.ts';

const program = fileURLToPath(new URL('probe.mjs', import.meta.url));
let sandbox: Sandbox;
beforeAll(() => {
  process.env.CARREL_TEST_SECRET = 'a secret of the server';
  sandbox = openSandbox({ program, limits: { seconds: 1, memoryMb: 160 } });
});
afterAll(() => {
  delete process.env.CARREL_TEST_SECRET;
  sandbox.close();
});

async function attempt(name: string, argument?: unknown): Promise<{ value?: string; refused?: string }> {
  return JSON.parse(await sandbox.ask([name, argument]));
}

test('a sandbox reads no file: its own program when it starts, and none after that', async () => {
  expect(await attempt('read', program)).toEqual({ refused: 'EMFILE' });
  for (const file of ['/etc/passwd', fileURLToPath(import.meta.resolve('../../../package.json')), `/proc/${process.pid}/environ`])
    expect(await attempt('read', file), file).toEqual({ refused: 'ERR_ACCESS_DENIED' });
});

test.each([
  ['writes no file', 'write', '/tmp/written-by-a-sandbox'],
  ['starts no program', 'spawn', '/bin/true'],
  ['starts no thread', 'thread', '1'],
])('a sandbox %s', async (_, name, argument) => {
  expect(await attempt(name, argument)).toEqual({ refused: 'ERR_ACCESS_DENIED' });
});

test('a sandbox reaches no server, not even on this machine', async () => {
  const server = createServer();
  onTestFinished(() => void server.close());
  expect((await attempt('connect', await listen(server))).refused).toBe('EMFILE');
  expect((await attempt('resolve', 'example.com')).refused).toMatch(/^E/);
});

test('a sandbox is in a network of its own', async () => {
  await attempt('environment');
  const [id] = children();
  expect(readlinkSync(`/proc/${id}/ns/net`)).not.toBe(readlinkSync('/proc/self/ns/net'));
});

test('a sandbox reaches no socket that is a file, such as that of Docker', async () => {
  const path = join(temporaryFolder(), 'server.sock');
  const server = createServer().listen(path);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  let connections = 0;
  server.on('connection', () => connections++);
  expect(await attempt('connectFile', path)).toEqual({ refused: 'EMFILE' });
  expect(connections).toBe(0);
});

test('signs that end a line in JavaScript reach a sandbox, and come back', async () => {
  const text = 'one\u2028two\u2029three\nfour';
  expect(await attempt('echo', text)).toEqual({ value: text });
});

test('a sandbox has no environment but the time zone', async () => {
  expect(JSON.parse((await attempt('environment')).value!)).toEqual({ TZ: 'UTC' });
});

test('a request that fills buffers without end fails at the limit of memory, however long it takes', async () => {
  const patient = openSandbox({ program, limits: { seconds: 60, memoryMb: 160 } });
  onTestFinished(() => patient.close());
  await expect(patient.ask(['fill'])).rejects.toThrow('took more than 160 MB of memory');
  expect(JSON.parse(await patient.ask(['environment'])).value).toContain('UTC');
});

// One second of work, or ten by the clock where the machine is too busy to give it one.
test.each([
  ['never ends', 'loop', /^took more than 10? seconds/],
  ['waits', 'wait', /^took more than 10? seconds/],
  ['waits in WebAssembly', 'waitInAssembly', /^took more than 10? seconds/],
  ['makes objects without end', 'grow', /^took more than (?:160 MB of memory|10? seconds)/],
  ['ends its process', 'end', /ended its process$/],
])('a request that %s fails, its process is gone, and the next request is answered', async (_, name, message) => {
  await expect(sandbox.ask([name])).rejects.toThrow(message);
  expect((await attempt('environment')).value).toContain('UTC');
  await expect.poll(() => children().length).toBeLessThanOrEqual(1);
});

/** Ids of the processes that run the probe for this one. */
function children(): string[] {
  return readdirSync('/proc').filter((id) => {
    if (!/^\d+$/.test(id)) return false;
    try {
      const parent = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1];
      return parent === String(process.pid) && readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('probe.mjs');
    } catch {
      // It has just ended.
      return false;
    }
  });
}
