import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    exclude: ['test/e2e/**', '**/node_modules/**'],
    globalSetup: ['test/server/support/postgres-setup.ts'],
    // As `carrel server` and `carrel backup` run, which would start the process anew without it.
    execArgv: ['--liftoff-only'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
