// Runs a TypeScript file of the working tree under the Node that comes from npm, whatever Node started this:
//   node src/setup/run.mjs src/cli/carrel.ts export ./docs
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { prepare } from './prepare.mjs';

const [file, ...args] = process.argv.slice(2);
const { node, root } = prepare();
const child = spawn(node, ['--disable-warning=ExperimentalWarning', fileURLToPath(new URL(file, root)), ...args], {
  stdio: 'inherit',
  // npm run changes to the root; paths that the user typed are relative to where they typed them.
  cwd: process.env.INIT_CWD ?? process.cwd(),
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
// npm hands signals to the shell that runs a script, and the shell ends without handing them on: then this process has another parent.
const { ppid } = process;
if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== ppid && endOnce(), 250).unref();
let isEnding = false;
function endOnce() {
  if (!isEnding) child.kill('SIGTERM');
  isEnding = true;
}
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
