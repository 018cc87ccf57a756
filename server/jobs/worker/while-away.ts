import { setTimeout as pause } from 'node:timers/promises';
import { errorCode } from '../../../integration/errors.ts';

const away = new Set(['DatabaseUnavailable', 'StorageUnavailable']);
// About two minutes: a database or a bucket restarts in less, and an export that took long is not discarded for that.
const pauses = [1, 2, 4, 8, 15, 30, 30, 30];

/** Repeats work while the database or the storage is not available. The work must be idempotent. */
export async function whileAway<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (const seconds of pauses) {
    try {
      return await work();
    } catch (error) {
      if (!away.has(errorCode(error) ?? '')) throw error;
      await pause(seconds * 1000, undefined, { signal }).catch(() => {});
      signal.throwIfAborted();
    }
  }
  return await work();
}
