import { setTimeout as pause } from 'node:timers/promises';

const away = new Set(['DatabaseUnavailable', 'StorageUnavailable']);
// About two minutes: a database or a bucket starts anew in less, and what took long to make is not thrown away for it.
const pauses = [1, 2, 4, 8, 15, 30, 30, 30];

/** Does work again while the database or the storage is away. The work must be harmless to do twice. */
export async function whileAway<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (const seconds of pauses) {
    try {
      return await work();
    } catch (error) {
      if (!away.has((error as { code?: string }).code ?? '')) throw error;
      await pause(seconds * 1000, undefined, { signal }).catch(() => {});
      signal.throwIfAborted();
    }
  }
  return await work();
}
