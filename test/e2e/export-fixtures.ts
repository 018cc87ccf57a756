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
  'air-gapped': ['fixtures/docs-json-site', '--deployment', 'air-gapped'],
  manual: ['src/manual'],
};

export default async function exportFixtures() {
  const root = await mkdtemp(path.join(tmpdir(), 'carrel-e2e-'));
  const awkward = path.join(root, 'awkward-docs');
  await writeAwkwardSite(awkward);
  await exportFixture(path.join(root, 'awkward'), [awkward]);
  const hostile = path.join(root, 'hostile-docs');
  await writeHostileSite(hostile);
  await exportFixture(path.join(root, 'hostile'), [hostile]);
  for (const [name, args] of Object.entries(exports)) await exportFixture(path.join(root, name), args);
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
