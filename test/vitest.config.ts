import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const root = new URL('..', import.meta.url).pathname;

/** Values in, values out: they leave no state in modules or in their process, and so share both. */
const values = [
  'test/integration/{client,export,output,page,reader,search,text,urls}/**/*.test.ts',
  'test/src/{cache,markdown,site,source}/**/*.test.ts',
];

/** Builds and processes that keep two cores busy by themselves; and streams that must end within a second. */
const alone = [
  'test/{astro-build,packages}.test.ts',
  'test/server/assistant/stream-connection.test.ts',
  'test/server/deploy/pipeline.test.ts',
  'test/server/faults/{many-requests,several-workers}.test.ts',
  'test/server/jobs/worker/astro.test.ts',
  'test/src/cli/same-bytes.test.ts',
  'test/support/build-guest.test.ts',
];

const never = ['test/e2e/**', '**/node_modules/**', '**/.sites/**'];

const common = {
  root,
  // As `carrel server` and `carrel backup` run, which would start the process anew without it.
  execArgv: ['--liftoff-only'],
  // For what hangs: nothing here takes nearly so long, on a machine with other work either.
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

// Most of the server's and the command line's tests wait for other processes half of the time.
const sideBySide = Math.max(2, availableParallelism() - 1);

export default defineConfig({
  test: {
    root,
    globalSetup: ['test/server/support/postgres-setup.ts', 'test/server/support/embedded-setup.ts'],
    projects: [
      {
        test: {
          ...common,
          name: 'values',
          include: values,
          exclude: never,
          isolate: false,
          maxWorkers: sideBySide,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...common,
          name: 'services',
          include: ['test/**/*.test.ts'],
          exclude: [...never, ...values, ...alone],
          maxWorkers: sideBySide,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...common,
          name: 'alone',
          include: alone,
          exclude: never,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
