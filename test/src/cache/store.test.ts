import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../../../src/cache/store.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carrel-store-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a value set in one run is there in the next', () => {
  const first = openStore(folder, { now: 1 });
  first.set('a', 'text "ü" \u0000');
  first.close();
  const second = openStore(folder, { now: 2 });
  expect(second.get('a')).toBe('text "ü" \u0000');
  expect(second.get('b')).toBeUndefined();
  second.close();
});

test('a damaged file is replaced', () => {
  writeFileSync(join(folder, 'pages.sqlite'), 'not a database, but long enough to be taken for one'.repeat(100));
  const store = openStore(folder, { now: 1 });
  store.set('a', '1');
  store.close();
  expect(readFileSync(join(folder, 'pages.sqlite')).subarray(0, 15).toString()).toBe('SQLite format 3');
});

test('a partly damaged file returns its valid values, and the next run replaces it', () => {
  const file = join(folder, 'pages.sqlite');
  const first = openStore(folder, { now: 1 });
  for (let n = 0; n < 200; n++) first.set(`key-${n}`, 'value '.repeat(500));
  first.close();
  const bytes = readFileSync(file);
  writeFileSync(file, Buffer.concat([bytes.subarray(0, 8192), Buffer.alloc(bytes.length - 8192, 0xff)]));
  const second = openStore(folder, { now: 2 });
  for (let n = 0; n < 200; n++) second.get(`key-${n}`);
  second.set('new', '1');
  second.close();
  expect(second.fault()).toContain('malformed');
  const third = openStore(folder, { now: 3 });
  third.set('new', '2');
  third.close();
  expect(third.fault()).toBeUndefined();
  const fourth = openStore(folder, { now: 4 });
  expect(fourth.get('new')).toBe('2');
  fourth.close();
});

test('a file that another process holds is read, and waited for only once', async () => {
  openStore(folder, { now: 1 }).close();
  const script = `const { DatabaseSync } = await import('node:sqlite');
    new DatabaseSync(process.argv[1]).exec("BEGIN IMMEDIATE; INSERT INTO entry VALUES ('theirs', 1, '1')");
    process.stdout.write('held'); process.stdin.resume();`;
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script, join(folder, 'pages.sqlite')];
  const other = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    await once(other.stdout, 'data');
    const started = performance.now();
    const store = openStore(folder, { now: 2, timeout: 3000 });
    for (let n = 0; n < 10; n++) store.set(`key-${n}`, 'x'.repeat(9_000_000));
    expect(store.get('theirs')).toBeUndefined();
    store.close();
    expect(store.fault()).toBe('database is locked');
    expect(performance.now() - started).toBeLessThan(25_000);
  } finally {
    other.kill();
  }
});

test.each([
  ['a table of another Carrel', () => new DatabaseSync(join(folder, 'pages.sqlite')).exec('CREATE TABLE entry (id, text)')],
  ['a folder in its place', () => mkdirSync(join(folder, 'pages.sqlite'))],
])('%s is left alone, and nothing is stored', (_, make) => {
  make();
  const before = readdirSync(folder);
  const store = openStore(folder, { now: 1 });
  store.set('a', '1');
  expect(store.get('a')).toBeUndefined();
  store.close();
  expect(store.fault()).toEqual(expect.stringMatching(/\w/));
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(before));
});

test('the least recently used values go first when the limit is passed', () => {
  const value = 'x'.repeat(100_000);
  const day = 86_400_000;
  const first = openStore(folder, { now: day });
  for (let n = 0; n < 20; n++) first.set(`old-${n}`, value);
  first.close();
  const second = openStore(folder, { now: 3 * day, maxBytes: 1_000_000 });
  second.set('new', value);
  expect(second.get('old-7')).toBe(value);
  second.close();
  const third = openStore(folder, { now: 4 * day });
  expect(third.get('new')).toBe(value);
  expect(third.get('old-7')).toBe(value);
  expect(Array.from({ length: 20 }, (_, n) => third.get(`old-${n}`)).filter(Boolean).length).toBeLessThan(6);
  third.close();
  expect(statSync(join(folder, 'pages.sqlite')).size).toBeLessThan(1_000_000);
});

test('two processes write to one folder without losing a value', async () => {
  const script = `import { openStore } from ${JSON.stringify(fileURLToPath(new URL('../../../src/cache/store.ts', import.meta.url)))};
    const store = openStore(process.argv[1], { now: 1 });
    for (let n = 0; n < 50; n++) store.set(process.argv[2] + n, 'v'.repeat(300_000));
    store.close();`;
  const run = (name: string) =>
    once(
      spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script, folder, name]),
      'exit',
    );
  expect(await Promise.all([run('a'), run('b')])).toEqual([
    [0, null],
    [0, null],
  ]);
  const store = openStore(folder, { now: 2 });
  for (const name of ['a', 'b']) for (let n = 0; n < 50; n++) expect(store.get(name + n)).toHaveLength(300_000);
  store.close();
});
