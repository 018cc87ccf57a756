import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    exclude: ['test/e2e/**', '**/node_modules/**'],
    globalSetup: ['test/server/support/postgres-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
});
