// `npm test`: checks, unit tests, then the browser. Arguments go to Vitest, so `npm test -- search` runs one part.
import { fileURLToPath } from 'node:url';
import { installPackages, prepare, runStep } from './prepare.mjs';

const { node, root } = prepare();
const file = (path) => fileURLToPath(new URL(path, root));
const filters = process.argv.slice(2);

// Not workspaces of the root: two Astro versions with five frameworks each, which only tests need.
for (const folder of ['test/astro-6/', 'test/astro-7/']) installPackages(folder);

runStep(node, [file('src/setup/ensure-theme.ts')]);
if (filters.length === 0) runStep(node, [file('test/support/check.ts')]);
runStep(node, [file('test/support/chromium.ts')]);
runStep(node, [file('node_modules/vitest/vitest.mjs'), 'run', '--config', 'test/vitest.config.ts', ...filters]);
if (filters.length === 0)
  runStep(node, [file('node_modules/@playwright/test/cli.js'), 'test', '--config', 'test/playwright.config.ts']);
