import { expect, test, vi } from 'vitest';
import { orAfter } from '../../../server/platform/timing.ts';

test('resolves as soon as the promise does, and leaves no timer', async () => {
  vi.useFakeTimers();
  try {
    const before = vi.getTimerCount();
    const inTime = orAfter(Promise.resolve('in time'), 60_000);
    expect(vi.getTimerCount()).toBe(before + 1);
    expect(await inTime).toBe('in time');
    await Promise.resolve();
    expect(vi.getTimerCount()).toBe(before);
  } finally {
    vi.useRealTimers();
  }
});

test('resolves to undefined when the promise is late', async () => {
  vi.useFakeTimers();
  try {
    const late = orAfter(new Promise(() => {}), 5000);
    await vi.advanceTimersByTimeAsync(5000);
    expect(await late).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});

test('rejects with the reason of the promise', async () => {
  await expect(orAfter(Promise.reject(new Error('broken')), 60_000)).rejects.toThrow('broken');
});
