import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startServerProcess } from '../../support/server-process.ts';

function dataFolder(): string {
  const root = mkdtempSync(join(tmpdir(), 'carrel-first-key-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return join(root, 'data');
}

function keysIn(data: string): { adminKey: string; assistantKey: string } {
  const file = join(data, 'keys.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  return JSON.parse(readFileSync(file, 'utf8'));
}

test('without a terminal the first start prints where its keys are, and no key', async () => {
  const data = dataFolder();
  const server = await startServerProcess(data, { CARREL_LOG: 'info', CARREL_DRAIN_SECONDS: '0' });
  await server.stop();
  const { adminKey, assistantKey } = keysIn(data);
  expect(adminKey).toMatch(/^svc_/);
  expect(server.output()).toContain(join(data, 'keys.json'));
  expect(server.output()).toContain('$CARREL_KEY below is its "adminKey"');
  expect(server.output()).toContain('Bearer $CARREL_KEY');
  expect(server.output()).not.toContain(adminKey);
  expect(server.output()).not.toContain(assistantKey);
  expect(server.output()).not.toMatch(/svc_(?!\[hidden])/);
});

test('at a terminal it prints them', async () => {
  const data = dataFolder();
  const program = join(import.meta.dirname, '../../../src/cli/carrel.ts');
  const command = `exec '${process.execPath}' --liftoff-only '${program}' server`;
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { ...process.env, PORT: '0', SITES_PORT: '0', CARREL_DATA: data, CARREL_DRAIN_SECONDS: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for await (const piece of child.stdout) {
    output += String(piece);
    if (output.includes('Ctrl+C stops it')) break;
  }
  const { adminKey, assistantKey } = keysIn(data);
  expect(output).toContain(`Admin key      ${adminKey}`);
  expect(output).toContain(`Assistant key  ${assistantKey}`);
  child.kill('SIGTERM');
});
