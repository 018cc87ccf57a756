// `npm run mutate -- integration/search/rank.ts`: changes the named sources one operator at a time and reports each change that no test notices.
// Arguments that begin with `test/` are the tests to run; without them, those in the folder under test/ that mirrors each source.
// A source may carry a range of lines, as in `rank.ts:10-40`. The report is build/mutation/report.json.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages, prepare, runStep } from '../../src/setup/prepare.mjs';

const { node, root } = prepare();
installPackages('test/mutation/');
const args = process.argv.slice(2);
const tests = args.filter((arg) => arg.startsWith('test/'));
const sources = args.filter((arg) => !arg.startsWith('test/'));
if (sources.length === 0) {
  console.error('Missing argument: FILE. For example: npm run mutate -- integration/search/rank.ts');
  process.exit(1);
}
process.env.MUTATE_TESTS = (tests.length > 0 ? tests : sources.map((source) => `test/${dirname(source)}/**/*.test.ts`)).join(',');
const stryker = fileURLToPath(new URL('test/mutation/node_modules/@stryker-mutator/core/bin/stryker.js', root));
runStep(node, [stryker, 'run', 'test/mutation/stryker.config.mjs', '--mutate', sources.join(',')]);
