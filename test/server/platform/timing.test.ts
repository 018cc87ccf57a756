import { expect, test, vi } from 'vitest';
import { orAfter } from '../../../server/platform/timing.ts';

test('resolves as soon as the promise does', async () => {
  expect(await orAfter(Promise.resolve('in time'), 60_000)).toBe('in time');
});

test('resolves to undefined when the promise is late', async () => {
  vi.useFakeTimers();
  try {
    const late = orAfter(new Promise(() => {}), 5000);
    await vi.advanceTimersByTimeAsync(5000);
    expect(await late).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('rejects with the reason of the promise', async () => {
  await expect(orAfter(Promise.reject(new Error('broken')), 60_000)).rejects.toThrow('broken');
});
