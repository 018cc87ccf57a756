import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { carrel, printedAddress, startCarrel } from './carrel.ts';

function docsFolder(): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'index.md'), '# Home\n\nWelcome.\n');
  return folder;
}

async function started(args: string[]) {
  const preview = startCarrel(['dev', ...args, '--cache', 'off']);
  return { ...preview, address: await printedAddress(preview) };
}

/** Takes a port until it is closed. */
async function occupied(port: number) {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const bound = server.address();
  return { port: typeof bound === 'object' && bound ? bound.port : 0, close: () => void server.close() };
}

describe.each(['SIGINT', 'SIGTERM'] as const)('%s', (signal) => {
  test('ends it with exit code 0, though a page listens', async () => {
    const { child, ended, address } = await started([docsFolder(), '--port', '0']);
    const events = await fetch(`${address}.carrel/events?file=index.html`);
    expect(events.headers.get('content-type')).toBe('text/event-stream');
    const reader = events.body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toContain('"faults":[]');
    child.kill(signal);
    expect((await ended).code).toBe(0);
    expect((await reader.read()).done).toBe(true);
  });
});

test('without --port takes the next port if the usual one is taken, and says so', async () => {
  const other = await occupied(4402).catch(() => undefined);
  try {
    const { child, ended, address } = await started([docsFolder()]);
    expect(Number(new URL(address).port)).toBeGreaterThan(4402);
    expect(await (await fetch(address)).text()).toContain('Welcome.');
    child.kill('SIGTERM');
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    expect(stdout).toContain('Another program uses the usual port 4402.');
  } finally {
    other?.close();
  }
});

test('a port that is named and taken is an error with a next step', async () => {
  const other = await occupied(0);
  const { code, stderr } = await carrel(['dev', docsFolder(), '--port', String(other.port), '--cache', 'off']);
  other.close();
  expect(code).toBe(1);
  expect(stderr).toContain(`Another program uses port ${other.port}`);
  expect(stderr).toContain('--port ');
});

test('a folder that does not exist, is empty, or has built HTML is an error with a next step', async () => {
  const empty = temporaryFolder();
  const built = temporaryFolder();
  mkdirSync(join(built, 'guides'));
  for (const file of ['index.html', 'guides/index.html']) writeFileSync(join(built, file), '<!doctype html><h1>Built</h1>');
  const cases: [string, string, string][] = [
    [join(empty, 'none'), 'FolderNotFound', 'does not exist'],
    [empty, 'FolderEmpty', 'Specify the folder'],
    [built, 'NotADocsFolder', 'carrel export'],
  ];
  for (const [folder, code, text] of cases) {
    const ended = await carrel(['dev', folder, '--port', '0', '--cache', 'off']);
    expect(ended.code, ended.stderr).toBe(1);
    expect(ended.stderr).toContain(code);
    expect(ended.stderr).toContain(text);
  }
});

test('starts with a broken docs.json, and shows the site once it is corrected', async () => {
  const folder = docsFolder();
  writeFileSync(join(folder, 'docs.json'), '{ "name": ');
  const { child, ended, address } = await started([folder, '--port', '0']);
  expect((await fetch(address)).status).toBe(503);
  const reader = (await fetch(`${address}.carrel/events?file=`)).body!.getReader();
  const until = async (text: string) => {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`The events ended before ${text}.`);
      if (new TextDecoder().decode(value).includes(text)) return;
    }
  };
  await until('ConfigNotJson');
  writeFileSync(join(folder, 'docs.json'), '{ "name": "Docs", "navigation": { "pages": ["index"] } }');
  // It can be read before all of it is written.
  await until('"faults":[]');
  expect(await (await fetch(address)).text()).toContain('Welcome.');
  child.kill('SIGTERM');
  const { code, stderr } = await ended;
  expect(code).toBe(0);
  expect(stderr).toContain('docs.json is not valid JSON at line 1');
});

test('does not answer requests under the name of another site', async () => {
  const { child, ended, address } = await started([docsFolder(), '--port', '0']);
  const { port } = new URL(address);
  const status = await new Promise<number>((resolve) => {
    void import('node:http').then(({ get }) =>
      get({ host: '127.0.0.1', port, path: '/', headers: { host: 'attacker.example' } }, (answer) =>
        resolve(answer.statusCode ?? 0),
      ),
    );
  });
  expect(status).toBe(403);
  child.kill('SIGTERM');
  expect((await ended).code).toBe(0);
});
