// `npm run bench`: installs what only benchmarks need, and runs one.
import { fileURLToPath } from 'node:url';
import { installPackages, prepare, runStep } from '../../src/setup/prepare.mjs';

const { node, root } = prepare();
installPackages('test/bench/');
runStep(node, [fileURLToPath(new URL('test/bench/bench.ts', root)), ...process.argv.slice(2)]);
