import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { requestFrom } from '../server/support/on-first-request.ts';
import { fixtureExports } from '../support/fixture-exports.ts';
import type { DryRun } from '../support/released-setup.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'carrel-release-'));
const suffix = process.platform === 'win32' ? '.exe' : '';
const timeout = 300_000;
let released: string;
let executable: string;
let dryRun: DryRun;

beforeAll(async () => {
  released = await requestFrom(inject('releasedPort'));
  executable = join(released, `carrel-0.1.0-${process.platform}-${process.arch}${suffix}`);
  dryRun = JSON.parse(readFileSync(join(released, 'dry-run.json'), 'utf8'));
}, 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }), timeout);

const cacheOf = (name: string) => ({ ...process.env, XDG_CACHE_HOME: join(folder, name) });
const run = (...args: string[]) =>
  execFileSync(executable, args, { cwd: folder, encoding: 'utf8', env: cacheOf('cache'), stdio: 'pipe', timeout });

test('a dry run builds everything and says what it would publish and what is in the way', () => {
  expect(dryRun.stdout).toContain('A release would publish');
  for (const name of ['carrel-astro-0.1.0.tgz', 'carrel-server-0.1.0.tgz', 'carrel-0.1.0.tgz']) {
    expect(dryRun.stdout).toContain(`npm publish ./${name} --access public`);
    expect(existsSync(join(released, name))).toBe(true);
  }
  expect(dryRun.stdout).toContain('gh release create v0.1.0');
  expect(dryRun.stdout).toContain('docker build -f server/deploy/Dockerfile');
  expect(dryRun.stdout).toContain('helm push carrel-server-0.1.0.tgz');
  expect(dryRun.stdout).toMatch(/Only the owner of the names can do this[^]*NPM_TOKEN[^]*marketplace/);
  const notes = readFileSync(join(released, 'notes.md'), 'utf8').split('\n');
  expect([notes[0], notes.length <= 60]).toEqual([expect.stringMatching(/^- Adds/), true]);
  expect([dryRun.status, dryRun.stderr]).toEqual([1, expect.stringContaining('does not have the tag v0.1.0')]);
});

test('outside a tag nothing is published or built', () => {
  const out = join(folder, 'refused');
  const refused = spawnSync(process.execPath, [join(root, 'test/release/release.ts'), '--out', out], {
    cwd: root,
    encoding: 'utf8',
    timeout,
  });
  expect([refused.status, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toContain('does not have the tag v0.1.0');
  expect(existsSync(out)).toBe(false);
});

test('every file has its checksum, and the executable at most 200 MB', () => {
  const names = readdirSync(released).filter((name) => /\.(?:tgz|vsix)$|-(?:x64|arm64)(?:\.exe)?$/.test(name));
  expect(names).toHaveLength(5);
  for (const name of names) {
    const digest = readFileSync(join(released, `${name}.sha256`), 'utf8');
    expect(digest).toMatch(new RegExp(`^[0-9a-f]{64}  ${name.replaceAll('.', '\\.')}\\n$`));
  }
  execFileSync('sha256sum', ['--check', '--strict', ...names.map((name) => `${name}.sha256`)], { cwd: released, stdio: 'pipe' });
  expect(statSync(executable).size).toBeLessThanOrEqual(200e6);
});

test('the executable exports what the working tree exports', async () => {
  run('export', join(root, 'fixtures/docs-json-site'), '--out', 'site', '--cache', 'off');
  const filesOf = (site: string) => JSON.parse(readFileSync(join(site, 'carrel.json'), 'utf8')).files;
  expect(filesOf(join(folder, 'site'))).toEqual(filesOf(join(await fixtureExports(), 'docs-json-site')));
});

test('the executable verifies, answers and serves an export', async () => {
  run('export', join(root, 'fixtures/plain-folder'), '--out', 'plain', '--cache', 'off');
  expect(run('verify', 'plain')).toContain('is intact');
  expect(run('ask', 'How do I clean the kettle?', '--site', 'plain')).toContain('vinegar, once a month');
  const serving = spawn(executable, ['serve', 'plain', '--port', '0'], { cwd: folder, env: cacheOf('cache') });
  const ended = once(serving, 'close');
  const [line] = await once(createInterface({ input: serving.stdout }), 'line');
  const page = await fetch(/http:\/\/\S+/.exec(line)![0]);
  expect(await page.text()).toContain('Kettle handbook');
  serving.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
});

test('starts at the same time unpack it once, and a damaged copy is replaced', async () => {
  const start = async () =>
    (await promisify(execFile)(executable, ['--version'], { env: cacheOf('shared'), timeout })).stdout.trim();
  expect(await Promise.all([start(), start(), start()])).toEqual(['0.1.0', '0.1.0', '0.1.0']);
  const unpacked = join(folder, 'shared/carrel/executable');
  const [digest, ...others] = readdirSync(unpacked);
  expect([digest, others]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), []]);
  truncateSync(join(unpacked, digest!, 'node_modules/carrel/build/cli/carrel.js'), 10);
  expect(await Promise.all([start(), start()])).toEqual(['0.1.0', '0.1.0']);
  expect(readdirSync(unpacked)).toEqual([digest]);
});
