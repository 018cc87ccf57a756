import { defineConfig } from '@playwright/test';
import { chromiumArguments, findChromium } from './support/chromium.ts';

export default defineConfig({
  testDir: 'e2e',
  outputDir: '../test-results',
  globalSetup: './e2e/export-fixtures.ts',
  fullyParallel: true,
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 10_000 },
  reporter: [['line']],
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    launchOptions: { executablePath: findChromium(), args: chromiumArguments },
  },
});
