// Runs a TypeScript file of the working tree on the Node from npm, whichever Node runs this script:
//   node src/setup/run.mjs src/cli/carrel.ts export ./docs
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { prepare } from './prepare.mjs';

const [file, ...args] = process.argv.slice(2);
const needsTests = !/^src\/(?:cli|setup)\//.test(file);
// The other commands use parts of the server whose packages are those of the command line.
const needsServer = needsTests || /^(?:server|doctor|migrate|backup|restore)$/.test(args[0] ?? '');
const { node, root } = prepare({ tests: needsTests, server: needsServer });
const child = spawn(node, ['--disable-warning=ExperimentalWarning', fileURLToPath(new URL(file, root)), ...args], {
  stdio: 'inherit',
  // npm run changes to the root; paths that the user typed are relative to where they typed them.
  cwd: process.env.INIT_CWD ?? process.cwd(),
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
// npm sends signals to the shell that runs a script, and the shell exits without forwarding them. This process then has another parent.
const { ppid } = process;
if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== ppid && endOnce(), 250).unref();
let isEnding = false;
function endOnce() {
  if (!isEnding) child.kill('SIGTERM');
  isEnding = true;
}
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
