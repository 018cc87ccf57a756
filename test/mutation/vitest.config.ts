import { defineConfig } from 'vitest/config';

// Stryker runs a copy of the tree, so the root is that of this file.
const root = new URL('../..', import.meta.url).pathname;

export default defineConfig({
  test: {
    root,
    include: process.env.MUTATE_TESTS?.split(',') ?? [],
    exclude: ['test/e2e/**', '**/node_modules/**', '**/.sites/**'],
    globalSetup: ['test/server/support/postgres-setup.ts', 'test/server/support/embedded-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
