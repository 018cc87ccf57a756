// What a command changes about its own process.
import type { ServerOptions } from '../../server/platform/options.ts';
import { setFlagsFromString } from 'node:v8';

/**
 * The embedded database is WebAssembly, which takes a third of the memory if only the baseline compiler compiles it. The young generation
 * has 32 MB instead of 64, which thousands of open answers would fill repeatedly; with 16, the slowest answers took half as long again
 * (`npm run bench -- assistant`, Node 24.21).
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

/**
 * Limits the memory of a command while it reads a bundle. All objects for a file are short-lived, but by default V8 collects them late:
 * over 70,000 files, its space for young objects grows to 100 MB (Node 24.21).
 */
export async function withSmallYoungSpace<T>(work: () => Promise<T>): Promise<T> {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=10');
  try {
    return await work();
  } finally {
    // V8's default, and the value in carrel.ts.
    setFlagsFromString('--semi-space-growth-factor=2');
    setFlagsFromString('--heap-growing-percent=20');
  }
}

/** A controller that also aborts when the user or the system asks the program to stop, until `end`. */
export function stoppable(reason?: () => Error): { stop: AbortController; end(): void } {
  const stop = new AbortController();
  const onSignal = (): void => stop.abort(reason?.());
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  return { stop, end: () => void process.off('SIGINT', onSignal).off('SIGTERM', onSignal) };
}

/** Resolves when the user or the system asks the program to stop. Call it before you print that the program can be stopped. */
export function untilStopped(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done());
  });
}
