// `npm test`: checks, then unit tests and the browser side by side, then the tests that need the machine for themselves.
// `npm test -- search` runs one part; paths with `e2e` are browser tests.
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { installPackages, prepare, runSideBySide, runStep } from './prepare.mjs';

const { node, root } = prepare();
const file = (path) => fileURLToPath(new URL(path, root));
const all = process.argv.length === 2;
const isBrowserTest = (filter) => filter.includes('e2e');
const filters = process.argv.slice(2).filter((filter) => !isBrowserTest(filter));
const browserFilters = process.argv.slice(2).filter(isBrowserTest);

// Not workspaces of the root: VitePress, and two Astro versions with five frameworks each, which only tests need.
for (const folder of ['test/astro-6/', 'test/astro-7/', 'test/vitepress/']) installPackages(folder);

const vitest = [file('node_modules/vitest/vitest.mjs'), 'run', '--config', 'test/vitest.config.ts'];
const playwright = [file('node_modules/@playwright/test/cli.js'), 'test', '--config', 'test/playwright.config.ts'];

runStep(node, [file('src/setup/ensure-theme.ts')]);
if (all) runStep(node, [file('test/support/check.ts')]);
runStep(node, [file('test/support/chromium.ts')]);
if (all) {
  runStep(node, [file('test/support/fixture-exports.ts')]);
  // Many unit tests wait for other processes, and the browser uses the cores in the meantime.
  await runSideBySide(node, [
    [...vitest, '--project', '!alone'],
    [...playwright, '--reporter', 'dot', '--workers', String(availableParallelism())],
  ]);
  runStep(node, [...vitest, '--project', 'alone']);
} else {
  if (filters.length > 0) runStep(node, [...vitest, ...filters]);
  if (browserFilters.length > 0) runStep(node, [...playwright, ...browserFilters]);
}
