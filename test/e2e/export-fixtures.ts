// Global set-up of the browser tests: every fixture they open is exported once, by the command line, as a user does it.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { writeAwkwardSite } from '../support/awkward-site.ts';
import { writeHostileSite } from '../support/hostile-site.ts';

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

export default async function exportFixtures() {
  const root = await mkdtemp(path.join(tmpdir(), 'carrel-e2e-'));
  const written = { awkward: writeAwkwardSite, hostile: writeHostileSite };
  const waiting = Object.entries(exports);
  for (const [name, write] of Object.entries(written)) {
    const docs = path.join(root, `${name}-docs`);
    await write(docs);
    waiting.unshift([name, [docs]]);
  }
  // An export keeps one core busy.
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await exportFixture(path.join(root, next[0]), next[1]);
  };
  await Promise.all([lane(), lane()]);
  process.env.CARREL_E2E = root;
  return () => rm(root, { recursive: true });
}

async function exportFixture(out: string, args: string[]) {
  const cache = path.join(path.dirname(out), 'cache');
  await promisify(execFile)(
    process.execPath,
    ['src/cli/carrel.ts', 'export', ...args, '--out', out, '--zip', `${out}.zip`, '--report', `${out}.json`, '--cache', cache],
    { cwd: repository },
  );
}
