import type { ServerOptions } from '../../server/platform/options.ts';

/**
 * The embedded database is WebAssembly, which takes a third of the memory if only the baseline compiler compiles it. The young generation
 * has 32 MB instead of 64, which thousands of open answers would fill repeatedly; with 16, the slowest answers took half as long again
 * (`npm run bench -- assistant`).
 * V8 reads these flags only when a process starts, so this process restarts itself if the system supports that.
 */
export function runWithLessMemory({ databaseUrl }: Pick<ServerOptions, 'databaseUrl'>): void {
  const flags = ['--max-semi-space-size=32', ...(databaseUrl === undefined ? ['--liftoff-only'] : [])];
  const isChosen = process.execArgv.some((given) => /^--(?:liftoff-only|max-semi-space-size\b)/.test(given));
  if (isChosen || !process.execve || process.platform === 'win32') return;
  // Otherwise Node warns that this call is experimental.
  process.removeAllListeners('warning');
  process.execve(process.execPath, [process.execPath, ...flags, ...process.execArgv, ...process.argv.slice(1)], process.env);
}
