// node run-until-stdin-ends.ts COMMAND ARG…: runs a program that ends, with all of its process group, when standard input does.
// Both outputs and descriptor 3 are its own.
// A killed server cannot end its children, but the pipe to them still closes.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const [command, ...args] = process.argv.slice(2);
const child = spawn(command!, args, { stdio: ['ignore', 'inherit', 'inherit', 'inherit'] });
const endGroup = (): void => void process.kill(0, 'SIGKILL');
process.stdin.once('end', endGroup).once('error', endGroup).resume();
// It goes to the whole group: the program decides when it is ready to end.
process.on('SIGTERM', () => {});
child.once('error', (error) => {
  console.error(`${command}: ${error.message}`);
  process.exit(127);
});
child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal!]));
