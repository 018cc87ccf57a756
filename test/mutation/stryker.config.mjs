export default {
  testRunner: 'vitest',
  plugins: [new URL('node_modules/@stryker-mutator/vitest-runner/dist/src/index.js', import.meta.url).href],
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false, pool: process.env.MUTATE_POOL ?? 'forks' },
  // Messages and SQL: an emptied one says nothing about the tests of what surrounds it.
  mutator: { excludedMutations: ['StringLiteral'] },
  coverageAnalysis: 'perTest',
  concurrency: 1,
  timeoutMS: 10_000,
  // Both read TypeScript's compiler API, which version 7 does not have; Vitest runs the sources without checking types.
  disableTypeChecks: false,
  tsconfigFile: 'none',
  ignorePatterns: ['build', 'dist', '.sites', '/.carrel', 'test/e2e', 'test/bench'],
  tempDirName: 'build/mutation/copies',
  reporters: ['clear-text', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: 'build/mutation/report.json' },
};
