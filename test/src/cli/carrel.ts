import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { runWarm, type Ended } from '../../support/run-warm.ts';

export type { Ended };

const commandLine = join(import.meta.dirname, '../../../src/cli');
const program = join(commandLine, 'carrel.ts');

/** What a command with the database starts itself anew with, unless it has it: see `runWithLessMemory`. */
export const lessMemory = ['--max-semi-space-size=32', '--liftoff-only'];

/** The command line as a process of its own, as users run it; `within` is a command that runs the one behind it. */
export function startCarrel(
  args: string[],
  options: SpawnOptions = {},
  within: string[] = [],
  flags: string[] = [],
): { child: ChildProcess; ended: Promise<Ended> } {
  const [command, ...words] = [...within, process.execPath, ...flags, program, ...args];
  const child = spawn(command!, words, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const closed = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  const ended = Promise.all([closed, text(child.stdout!), text(child.stderr!)]);
  return { child, ended: ended.then(([code, stdout, stderr]) => ({ code, stdout, stderr })) };
}

/** The address that it prints, in a sentence with this pattern; rejects with its errors when it ends. */
export function printedAddress({ child, ended }: ReturnType<typeof startCarrel>, pattern = /(http:\S+\/)\s/): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout!.on('data', (piece) => {
      const found = pattern.exec((text += String(piece)));
      if (found) resolve(found[1]!);
    });
    void ended.then(({ stderr }) => reject(new Error(stderr)));
  });
}

/** What is about the process itself: commands that examine it, read its input or start it anew with other flags, and its descriptors. */
const needsItsOwn = /^(?:backup|doctor|mcp|migrate|restore|server|--progress-fd|--stop-at-stdin-end)\b/;

/**
 * What a command prints, and its exit code, in a process that has run other commands before it. What only a new process can show is
 * started with `startCarrel`.
 */
export function carrel(args: string[], { cwd, env, ...rest }: SpawnOptions = {}): Promise<Ended> {
  const isNodeChanged = Object.entries(env ?? {}).some(
    ([name, value]) => /^(?:NODE|V8)_/.test(name) && value !== process.env[name],
  );
  if (args.some((word) => needsItsOwn.test(word)) || isNodeChanged || Object.keys(rest).length > 0)
    return startCarrel(args, { cwd, env, ...rest }, [], lessMemory).ended;
  return runWarm(join(commandLine, 'main.ts'), 'main', { args, cwd: String(cwd ?? process.cwd()), env: env ?? process.env });
}
