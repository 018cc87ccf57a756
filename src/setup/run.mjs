// Runs a TypeScript file of the working tree under the Node that comes from npm, whatever Node started this.
//   node src/setup/run.mjs src/cli/carrel.ts export ./docs
import { spawn } from 'node:child_process';
import { prepare } from './prepare.mjs';

const [file, ...args] = process.argv.slice(2);
const { node, root } = await prepare();
const child = spawn(node, [new URL(file, root).pathname, ...args], { stdio: 'inherit', cwd: process.env.INIT_CWD ?? process.cwd() });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
