import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { chromiumArguments, findChromium } from './support/chromium.ts';

export default defineConfig({
  testDir: 'e2e',
  outputDir: '../test-results',
  globalSetup: './support/fixture-exports.ts',
  fullyParallel: true,
  workers: availableParallelism() + 2,
  // For what hangs, as for unit tests, which run at the same time on the same cores.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: [['line']],
  use: {
    browserName: 'chromium',
    // A browser with windows lets the page in front write to the clipboard.
    permissions: ['clipboard-write'],
    viewport: { width: 1280, height: 800 },
    launchOptions: { executablePath: findChromium(), args: chromiumArguments },
  },
});
