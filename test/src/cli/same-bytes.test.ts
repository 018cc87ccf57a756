import { cpSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { filesOf, temporaryFolder } from '../../integration/export/folder.ts';
import { fixtureExports } from '../../support/fixture-exports.ts';
import { carrel } from './carrel.ts';

const fixture = join(import.meta.dirname, '../../../fixtures/docs-json-site');

/** The same docs in a folder of another name, their files made in another order. */
function copyBackwards(folder: string): void {
  const entries = readdirSync(fixture, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const entry of entries.reverse()) {
    const file = join(entry.parentPath, entry.name);
    const target = join(folder, file.slice(fixture.length));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(file, target);
  }
}

test('the same docs become the same bytes anywhere, at any time, with or without a cache, and reveal nothing about the machine', async () => {
  const root = temporaryFolder();
  const docs = join(root, 'handbook-of-mine');
  copyBackwards(docs);
  const elsewhere = join(root, 'elsewhere');
  mkdirSync(elsewhere);
  const runs: [name: string, args: string[], environment: Record<string, string>, folder?: string][] = [
    [
      'cold',
      ['../handbook-of-mine', '--cache', 'cache'],
      { TZ: 'Pacific/Auckland', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' },
      elsewhere,
    ],
    ['warm', [fixture, '--cache', join(elsewhere, 'cache')], { TZ: 'America/New_York' }],
    ['warm', [docs, '--cache', 'off'], { TZ: 'Asia/Kolkata', HOME: elsewhere }],
  ];
  const before = join(await fixtureExports(), 'docs-json-site');
  const made = [{ files: filesOf(before), zip: readFileSync(`${before}.zip`) }];
  for (const [name, args, environment, cwd = root] of runs) {
    const out = join(root, 'out', name);
    const options = { cwd, env: { ...process.env, ...environment } };
    const { code, stderr } = await carrel(['export', ...args, '--out', out, '--zip', `${out}.zip`], options);
    expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
    made.push({ files: filesOf(out), zip: readFileSync(`${out}.zip`) });
  }
  for (const { files, zip } of made.slice(1)) {
    expect(files).toEqual(made[0]!.files);
    expect(zip.equals(made[0]!.zip)).toBe(true);
  }
  const secrets = [
    root,
    dirname(fixture),
    process.cwd(),
    process.execPath,
    'handbook-of-mine',
    `@${hostname()}`,
    `/${userInfo().username}/`,
  ];
  const leaking = Object.entries(made[1]!.files).filter(([, text]) => secrets.some((secret) => text.includes(secret)));
  expect(leaking.map(([file]) => file)).toEqual([]);
  // No time of this run: neither as a date nor as a number of seconds.
  const today = new Date().toISOString().slice(0, 10);
  const seconds = String(Math.floor(Date.now() / 100_000_000));
  const timed = Object.entries(made[1]!.files).filter(
    ([file, text]) =>
      !file.endsWith('.woff2') && (text.includes(today) || new RegExp(`\\b${seconds}\\d{5}(?:\\d{3})?\\b`).test(text)),
  );
  expect(timed.map(([file]) => file)).toEqual([]);
});
