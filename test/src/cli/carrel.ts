import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const program = join(import.meta.dirname, '../../../src/cli/carrel.ts');

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The command line as a process of its own, as users run it; `within` is a command that runs the one behind it. */
export function startCarrel(
  args: string[],
  options: SpawnOptions = {},
  within: string[] = [],
): { child: ChildProcess; ended: Promise<Ended> } {
  const [command, ...words] = [...within, process.execPath, program, ...args];
  const child = spawn(command!, words, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const closed = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  const ended = Promise.all([closed, text(child.stdout!), text(child.stderr!)]);
  return { child, ended: ended.then(([code, stdout, stderr]) => ({ code, stdout, stderr })) };
}

export function carrel(args: string[], options: SpawnOptions = {}, within: string[] = []): Promise<Ended> {
  return startCarrel(args, options, within).ended;
}
