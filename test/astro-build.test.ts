import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filesOf } from './integration/export/folder.ts';
import { fixtureExports } from './support/fixture-exports.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'carrel-astro-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let exports: string;
beforeAll(async () => {
  exports = await fixtureExports();
  const sites = Object.entries({ small: join(root, 'fixtures/docs-json-site'), large: join(exports, 'large-docs') });
  const folders = sites.flatMap(([name, docs]) => [docs, join(folder, `${name}-site`), join(folder, name)]);
  execFileSync(process.execPath, ['test/support/astro-build.ts', ...folders], { cwd: root, stdio: 'pipe' });
});

test.each([
  ['fixtures/docs-json-site', 'small', 'docs-json-site', false],
  ['a large navigation', 'large', 'large', true],
])('an Astro build of %s, exported by the integration, is the export of the command line', (_, name, exported, isLarge) => {
  const built = filesOf(join(folder, name), 'latin1');
  const names = Object.keys(built);
  expect(names.length).toBeGreaterThan(10);
  expect(names.some((file) => /^_carrel\/navigation\.\w+\.js$/.test(file))).toBe(isLarge);
  expect(existsSync(join(folder, name, '_carrel/pages'))).toBe(isLarge);
  const files = filesOf(join(exports, exported), 'latin1');
  expect(names).toEqual(Object.keys(files));
  expect(names.filter((file) => built[file] !== files[file])).toEqual([]);
});
