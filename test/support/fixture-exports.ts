// The command line exports every fixture once, as a user does, for the browser tests and those that ask questions. The exports of an earlier
// run are reused while their inputs are unchanged. `npm test` runs this file before the tests, for the empty database too; the browser tests have it as their global set-up.
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ensureBuilt } from '../../integration/reader-build/ensure-built.ts';
import { emptyDatabase } from '../server/support/empty-database.ts';
import { carrel } from '../src/cli/carrel.ts';
import { writeAwkwardSite } from './awkward-site.ts';
import { writeHostileSite } from './hostile-site.ts';
import { writeLargeSite } from './large-site.ts';

const repository = path.resolve(import.meta.dirname, '../..');

/** Exports by name: the arguments of `carrel export`. */
const exports: Record<string, string[]> = {
  'docs-json-site': ['fixtures/docs-json-site'],
  'plain-folder': ['fixtures/plain-folder'],
  arabic: ['fixtures/arabic'],
  cjk: ['fixtures/cjk'],
  russian: ['fixtures/russian'],
  elsewhere: ['fixtures/elsewhere', '--deployment', 'air-gapped'],
  'elsewhere-hosted': ['fixtures/elsewhere'],
  'versions-languages': ['fixtures/versions-languages'],
  layout: ['fixtures/layout'],
  wide: ['fixtures/wide'],
  playground: ['fixtures/playground'],
  'playground-cloud': ['fixtures/playground', '--deployment', 'cloud'],
  'playground-air-gapped': ['fixtures/playground', '--deployment', 'air-gapped'],
  channels: ['fixtures/channels'],
  graphql: ['fixtures/graphql'],
  components: ['fixtures/components', '--trust-components'],
  'air-gapped': ['fixtures/docs-json-site', '--deployment', 'air-gapped'],
  manual: ['src/manual'],
};

/** The inputs of the exports, without the output of `npm pack`. */
const inputs = [
  'package-lock.json',
  'test/support/fixture-exports.ts',
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

/** Returns the folder with the exports. */
export function fixtureExports(): Promise<string> {
  return ensureBuilt(path.join(repository, 'test/.sites/exports'), repository, inputs, async (root) => {
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

export default async function setUp(): Promise<void> {
  process.env.CARREL_E2E = await fixtureExports();
}

async function exportFixture(out: string, args: string[]) {
  const cache = path.join(path.dirname(out), 'cache');
  const options = ['--out', out, '--zip', `${out}.zip`, '--report', `${out}.json`, '--cache', cache];
  const { code, stderr } = await carrel(['export', ...args, ...options], { cwd: repository });
  if (code !== 0) throw new Error(`${args[0]} cannot be exported:\n${stderr}`);
}

if (process.argv[1] === import.meta.filename) await Promise.all([emptyDatabase(), fixtureExports()]);
