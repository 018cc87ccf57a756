import type { ServerOptions } from '../../server/options.ts';

/**
 * The embedded database is WebAssembly: compiled by the baseline compiler alone it takes a third of the memory.
 * V8 hears of that only at the start of a process, so this one starts itself anew, where the system can.
 */
export function runWithLessMemory({ databaseUrl }: Pick<ServerOptions, 'databaseUrl'>): void {
  const flag = '--liftoff-only';
  if (databaseUrl !== undefined || process.execArgv.includes(flag) || !process.execve || process.platform === 'win32') return;
  // Or Node warns that this call is new.
  process.removeAllListeners('warning');
  process.execve(process.execPath, [process.execPath, flag, ...process.execArgv, ...process.argv.slice(1)], process.env);
}
