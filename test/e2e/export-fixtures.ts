// Global set-up of the browser tests: the command line exports every fixture once, as a user does. The exports of
// an earlier run are reused while their inputs are unchanged.
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { ensureBuilt } from '../../integration/reader-build/ensure-built.ts';
import { writeAwkwardSite } from '../support/awkward-site.ts';
import { writeHostileSite } from '../support/hostile-site.ts';
import { writeLargeSite } from '../support/large-site.ts';

const repository = path.resolve(import.meta.dirname, '../..');

/** Exports by name: the arguments of `carrel export`. */
const exports: Record<string, string[]> = {
  'docs-json-site': ['fixtures/docs-json-site'],
  'plain-folder': ['fixtures/plain-folder'],
  arabic: ['fixtures/arabic'],
  cjk: ['fixtures/cjk'],
  russian: ['fixtures/russian'],
  elsewhere: ['fixtures/elsewhere', '--deployment', 'air-gapped'],
  'versions-languages': ['fixtures/versions-languages'],
  layout: ['fixtures/layout'],
  'air-gapped': ['fixtures/docs-json-site', '--deployment', 'air-gapped'],
  manual: ['src/manual'],
};

/** The inputs of the exports, without the output of `npm pack`. */
const inputs = [
  'package-lock.json',
  'test/e2e/export-fixtures.ts',
  'test/support/awkward-site.ts',
  'test/support/hostile-site.ts',
  'test/support/large-site.ts',
  ...new Set(Object.values(exports).map(([docs]) => docs!)),
  ...['integration', 'server', 'src'].flatMap((folder) =>
    readdirSync(path.join(repository, folder))
      .filter((name) => !['build', 'node_modules'].includes(name))
      .map((name) => `${folder}/${name}`),
  ),
];

export default async function exportFixtures() {
  process.env.CARREL_E2E = await ensureBuilt(path.join(repository, 'test/.sites/exports'), repository, inputs, async (root) => {
    mkdirSync(root);
    const written = { awkward: writeAwkwardSite, hostile: writeHostileSite, large: writeLargeSite };
    const waiting = Object.entries(exports);
    for (const [name, write] of Object.entries(written)) {
      const docs = path.join(root, `${name}-docs`);
      await write(docs);
      waiting.unshift([name, [docs]]);
    }
    // An export uses one core.
    const lane = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await exportFixture(path.join(root, next[0]), next[1]);
    };
    await Promise.all([lane(), lane()]);
  });
}

async function exportFixture(out: string, args: string[]) {
  const cache = path.join(path.dirname(out), 'cache');
  await promisify(execFile)(
    process.execPath,
    ['src/cli/carrel.ts', 'export', ...args, '--out', out, '--zip', `${out}.zip`, '--report', `${out}.json`, '--cache', cache],
    { cwd: repository },
  );
}
