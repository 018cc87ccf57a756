import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = new URL('..', import.meta.url).pathname;
const file = (path: string) => join(import.meta.dirname, path);

/** Of the folders of `values`, what works with processes and threads, or compares how long inputs of two sizes take. */
const longer = [
  'test/src/markdown/{diagram-drawer,diagrams,render-threads}.test.ts',
  'test/src/source/{checkout,dialects/translate}.test.ts',
  'test/integration/output/{delta,local-headers,zip-writer}.test.ts',
];

/** Values in, values out: `npm run test:quick` runs them all. */
export const values = globSync(
  [
    'test/integration/{export,html,output,page,reader,search,urls}/**/*.test.ts',
    'test/src/{cache,markdown,site,source}/**/*.test.ts',
  ],
  { cwd: root, exclude: longer },
).map((file) => file.replaceAll('\\', '/'));

/** Tests that measure their own process: its memory, its timers. */
const isolated = [
  'test/integration/static-site/bad-input.test.ts',
  'test/server/jobs/worker/progress-writer.test.ts',
  'test/server/platform/timing.test.ts',
];

/** Tests that promise a time, or count what the whole machine does: they run one after another, when all others have ended. */
export const alone = [
  'test/server/assistant/stream-connection.test.ts',
  'test/server/faults/{busy-threads,many-requests,removed-member}.test.ts',
];

/**
 * What only a release or an outage shows: installations of the packages in other projects, the deployment's own jobs, processes killed again and again.
 * `npm run test:all` runs them, before anything is published.
 */
export const installations = [
  'test/{packages,astro-build}.test.ts',
  'test/ci/export-action.test.ts',
  'test/integration/index.test.ts',
  'test/release/**/*.test.ts',
  'test/server/deploy/{container,gitlab,pipeline,proxies}.test.ts',
  'test/src/setup/run.test.ts',
];
export const faults = [
  'test/server/faults/**/*.test.ts',
  'test/server/database/recovery.test.ts',
  'test/server/jobs/queue-kill.test.ts',
];

export const never = ['test/e2e/**', '**/node_modules/**', '**/.sites/**'];

const common = {
  root,
  // As `carrel server` and `carrel backup` run, which would start the process anew without it.
  execArgv: ['--liftoff-only'],
  setupFiles: file('support/setup.ts'),
  // A worker runs many files, which takes a third less CPU time than a process for each. No file leaves anything behind that another notices.
  isolate: false,
  // For what hangs: nothing here takes nearly so long, on a machine with other work either.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
};

// Most of the server's and the command line's tests wait for other processes half of the time; the browser runs beside them.
const sideBySide = availableParallelism() + 2;

/** The longest test files, beginning with the longest. */
const longest = [
  'packages',
  'server/database/recovery',
  'integration/index',
  'src/cli/server',
  'ci/export-action',
  'server/faults/several-workers',
  'server/jobs/queue/queue',
  'server/jobs/queue-kill',
  'src/pdf/write-pdf',
  'src/cli/publish-s3',
  'bench/answer-quality',
  'server/deploy/server-chart',
  'server/faults/killed-server',
  'server/hosting/private-sites',
  'src/cli/export',
  'server/deploy/gitlab',
  'server/organizations/isolation',
  'server/database/locks',
  'server/jobs/causes/previews',
  'server/jobs/causes/scheduled-checks',
  'src/export/export-docs',
];

/** Vitest knows how long a file takes only from an earlier run; in a fresh clone the longest ones would run by themselves at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return at === -1 ? longest.length : at;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

/** Projects with the same order run side by side. */
function project(name: string, groupOrder: number, options: object) {
  return { test: { ...common, maxWorkers: sideBySide, ...options, name, sequence: { groupOrder } } };
}

export default defineConfig({
  test: {
    root,
    sequence: { sequencer: LongestFirst },
    globalSetup: [
      file('server/support/postgres-setup.ts'),
      file('server/support/embedded-setup.ts'),
      file('support/released-setup.ts'),
    ],
    projects: [
      project('values', 0, { include: values, exclude: never }),
      project('services', 0, {
        include: ['test/**/*.test.ts'],
        exclude: [...never, ...values, ...isolated, ...alone, ...installations, ...faults],
      }),
      ...Object.entries({ installations, faults }).map(([name, include]) =>
        project(name, 0, { include, exclude: [...never, ...alone] }),
      ),
      project('isolated', 0, { include: isolated, isolate: true }),
      project('alone', 1, { include: alone, isolate: true, maxWorkers: 1 }),
    ],
  },
});
