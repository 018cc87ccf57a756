// `npm test`: checks, then unit tests and the browser side by side, then the tests that need the machine for themselves. `npm run test:all` also has
// the installations and faults of vitest.config.ts. `npm test -- search` runs one part; paths with `e2e` are browser tests. `npm test -- --shard 2/4`
// runs a quarter of all.
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism, freemem, tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { prepare, runSideBySide, runStep } from './prepare.mjs';

const { node, root } = prepare();
const file = (path) => fileURLToPath(new URL(path, root));
const { values, positionals } = parseArgs({
  options: { shard: { type: 'string' }, all: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const shard = values.shard === undefined ? [] : [`--shard=${values.shard}`];
const isBrowserTest = (filter) => filter.includes('e2e');
const filters = positionals.filter((filter) => !isBrowserTest(filter));
const browserFilters = positionals.filter(isBrowserTest);

// Not workspaces of the root: VitePress, two Astro versions with five frameworks each, and search engines of benchmarks, which only tests need.
const installs = ['test/astro-6/', 'test/astro-7/', 'test/vitepress/', 'test/bench/'];
await runSideBySide(
  node,
  installs.map((folder) => [file('src/setup/prepare.mjs'), folder]),
);
process.env.TMPDIR ??= temporaryFolder();

const vitest = [file('node_modules/vitest/vitest.mjs'), 'run', '--config', 'test/vitest.config.ts', ...shard];
const playwright = [file('node_modules/@playwright/test/cli.js'), 'test', '--config', 'test/playwright.config.ts', ...shard];

runStep(node, [file('src/setup/ensure-theme.ts')]);
if (positionals.length === 0) {
  runStep(node, [file('test/support/check.ts')]);
  runStep(node, [file('test/support/chromium.ts')]);
  runStep(node, [file('test/support/fixture-exports.ts')]);
  const later = ['!alone', ...(values.all ? [] : ['!installations', '!faults'])];
  // Many unit tests wait for other processes, and the browser uses the cores in the meantime.
  await runSideBySide(node, [
    [...vitest, ...later.flatMap((project) => ['--project', project])],
    [...playwright, '--reporter', 'dot', '--workers', String(availableParallelism())],
  ]);
  runStep(node, [...vitest, '--project', 'alone']);
} else {
  runStep(node, [file('test/support/chromium.ts')]);
  if (filters.length > 0) runStep(node, [...vitest, ...filters]);
  if (browserFilters.length > 0) runStep(node, [...playwright, ...browserFilters]);
}

/** Tests write and remove very many files. Linux does that in memory, where it has room for them, with half of the kernel's time. */
function temporaryFolder() {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  if (Math.min(bavail * bsize, freemem()) < 12e9) return tmpdir();
  const folder = mkdtempSync(`${memory}/carrel-test-`);
  // PostgreSQL runs as another user where the tests run as root.
  chmodSync(folder, 0o711);
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
