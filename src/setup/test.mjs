// `npm test`: checks, unit tests, then the browser. `npm test -- search` runs one part; paths with `e2e` are browser tests.
import { fileURLToPath } from 'node:url';
import { installPackages, prepare, runStep } from './prepare.mjs';

const { node, root } = prepare();
const file = (path) => fileURLToPath(new URL(path, root));
const all = process.argv.length === 2;
const isBrowserTest = (filter) => filter.includes('e2e');
const filters = process.argv.slice(2).filter((filter) => !isBrowserTest(filter));
const browserFilters = process.argv.slice(2).filter(isBrowserTest);

// Not workspaces of the root: two Astro versions with five frameworks each, which only tests need.
for (const folder of ['test/astro-6/', 'test/astro-7/']) installPackages(folder);

runStep(node, [file('src/setup/ensure-theme.ts')]);
if (all) runStep(node, [file('test/support/check.ts')]);
runStep(node, [file('test/support/chromium.ts')]);
if (all || filters.length > 0)
  runStep(node, [file('node_modules/vitest/vitest.mjs'), 'run', '--config', 'test/vitest.config.ts', ...filters]);
if (all || browserFilters.length > 0)
  runStep(node, [
    file('node_modules/@playwright/test/cli.js'),
    'test',
    '--config',
    'test/playwright.config.ts',
    ...browserFilters,
  ]);
