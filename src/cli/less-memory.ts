import type { ServerOptions } from '../../server/platform/options.ts';

/**
 * The embedded database is WebAssembly: compiled by the baseline compiler alone it takes a third of the memory. What lives shortly is
 * swept from 32 MB instead of 64, which thousands of open answers would fill again and again; with 16 the slowest answers took half as
 * long again (`npm run bench -- assistant`).
 * V8 hears of that only at the start of a process, so this one starts itself anew, where the system can.
 */
export function runWithLessMemory({ databaseUrl }: Pick<ServerOptions, 'databaseUrl'>): void {
  const flags = ['--max-semi-space-size=32', ...(databaseUrl === undefined ? ['--liftoff-only'] : [])];
  const isChosen = process.execArgv.some((given) => /^--(?:liftoff-only|max-semi-space-size\b)/.test(given));
  if (isChosen || !process.execve || process.platform === 'win32') return;
  // Or Node warns that this call is new.
  process.removeAllListeners('warning');
  process.execve(process.execPath, [process.execPath, ...flags, ...process.execArgv, ...process.argv.slice(1)], process.env);
}
