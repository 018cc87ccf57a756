import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { addEmptyDatabase } from '../../server/support/embedded.ts';

const root = new URL('../../..', import.meta.url).pathname;
const isAlive = (id: number) => {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
};

test.skipIf(process.platform === 'win32')('`kill` of `npm start` ends its server, as Ctrl+C does', async () => {
  const data = mkdtempSync(join(tmpdir(), 'carrel-npm-'));
  await addEmptyDatabase(data);
  // A group of its own, so that nothing outlives a failed test.
  const npm = spawn('npm', ['start'], {
    cwd: root,
    env: {
      ...process.env,
      INIT_CWD: root,
      PORT: '0',
      SITES_PORT: '0',
      CARREL_DATA: data,
      CARREL_LOG: 'warn',
      CARREL_DRAIN_SECONDS: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  onTestFinished(() => {
    try {
      process.kill(-npm.pid!, 'SIGKILL');
    } catch {
      // All of the group have ended.
    }
    rmSync(data, { recursive: true, force: true });
  });
  let address = '';
  let text = '';
  for await (const line of createInterface({ input: npm.stdout })) {
    address ||= /listening on (\S+)/.exec(line)?.[1] ?? '';
    if (line.startsWith('Ctrl+C')) break;
  }
  npm.stdout.on('data', (piece) => (text += piece)).resume();
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
  npm.kill('SIGTERM');
  // Its output is closed when the last process that holds it has ended.
  await once(npm, 'close');
  expect(text).toContain('Stopping.');
  await expect(fetch(`${address}/healthz`)).rejects.toThrow();
  await expect.poll(() => isAlive(-npm.pid!)).toBe(false);
});
