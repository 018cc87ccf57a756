// node warm-process.ts MODULE NAME: runs the commands that tests send, one after another, with this function of a command line's module,
// as a shell runs each in a process of its own.
import { AsyncLocalStorage } from 'node:async_hooks';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { defaultCacheFolder } from '../../src/cache/folder.ts';
import type { Command } from './run-warm.ts';

const [module, name] = process.argv.slice(2) as [string, string];
enableCompileCache(join(defaultCacheFolder(process.env), 'code'));
const { [name]: run } = (await import(module)) as Record<string, (args: string[]) => Promise<number | void>>;

interface Running {
  stdout: string;
  stderr: string;
  hasEnded: boolean;
}

/** The command that something runs for: what one leaves behind prints and ends nothing of the next. */
const running = new AsyncLocalStorage<Running>();
let latest: Running = { stdout: '', stderr: '', hasEnded: true };

for (const stream of ['stdout', 'stderr'] as const)
  process[stream].write = (text: string | Uint8Array, ...more: unknown[]) => {
    (running.getStore() ?? latest)[stream] += Buffer.from(text as Uint8Array).toString();
    for (const done of more) if (typeof done === 'function') done();
    return true;
  };

const { exit } = process;
process.exit = ((code = 0) => end(running.getStore() ?? latest, Number(code), true)) as typeof exit;
process.on('disconnect', () => exit());

// `serve` replaces these, as nothing does that an export runs in.
const { Request, Response } = globalThis;

process.on('message', async ({ args, cwd, env }: Command) => {
  for (const [key, value] of Object.entries({ Request, Response })) Object.defineProperty(globalThis, key, { value });
  process.chdir(cwd);
  for (const key of Object.keys(process.env)) delete process.env[key];
  for (const [key, value] of Object.entries(env)) if (value !== undefined) process.env[key] = value;
  const command = (latest = { stdout: '', stderr: '', hasEnded: false });
  end(command, (await running.run(command, () => run!(args))) ?? 0, false);
});

function end(command: Running, code: number, isLast: boolean): void {
  const { stdout, stderr, hasEnded } = command;
  if (hasEnded) return;
  command.hasEnded = true;
  process.send!({ code, stdout, stderr, isLast }, () => isLast && exit(code));
}
