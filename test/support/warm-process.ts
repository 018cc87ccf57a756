// node warm-process.ts MODULE NAME: runs the commands that tests send, one after another, with this function of a command line's module,
// as a shell runs each in a process of its own.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { defaultCacheFolder } from '../../src/cache/folder.ts';
import type { Command } from './run-warm.ts';

const [module, name] = process.argv.slice(2) as [string, string];
enableCompileCache(join(defaultCacheFolder(process.env), 'code'));
const { [name]: run } = (await import(module)) as Record<string, (args: string[]) => Promise<number | void>>;

let printed = { stdout: '', stderr: '' };
for (const stream of ['stdout', 'stderr'] as const)
  process[stream].write = (text: string | Uint8Array, ...more: unknown[]) => {
    printed[stream] += Buffer.from(text as Uint8Array).toString();
    for (const done of more) if (typeof done === 'function') done();
    return true;
  };

const { exit } = process;
process.exit = ((code = 0) => process.send!({ code, ...printed, isLast: true }, () => exit(Number(code)))) as typeof exit;
process.on('disconnect', () => exit());

process.on('message', async ({ args, cwd, env }: Command) => {
  process.chdir(cwd);
  for (const key of Object.keys(process.env)) delete process.env[key];
  for (const [key, value] of Object.entries(env)) if (value !== undefined) process.env[key] = value;
  printed = { stdout: '', stderr: '' };
  const code = (await run!(args)) ?? 0;
  process.send!({ code, ...printed, isLast: false });
});
