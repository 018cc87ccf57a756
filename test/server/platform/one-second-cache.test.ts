import { expect, test } from 'vitest';
import { createOneSecondCache } from '../../../server/platform/one-second-cache.ts';

function counted(most?: number) {
  const clock = { now: 1_000_000 };
  const loads: string[] = [];
  const values = new Map<string, string>();
  const recent = createOneSecondCache(
    async (key) => {
      loads.push(key);
      return values.get(key);
    },
    () => clock.now,
    most,
  );
  return { clock, loads, values, recent };
}

test('caches an answer for less than a second, even undefined', async () => {
  const { clock, loads, values, recent } = counted();
  expect(await recent.get('a')).toBeUndefined();
  values.set('a', 'one');
  clock.now += 999;
  expect(await recent.get('a')).toBeUndefined();
  clock.now += 1;
  expect(await recent.get('a')).toBe('one');
  expect(loads).toEqual(['a', 'a']);
});

test('setting the clock back does not extend the cache', async () => {
  const { clock, values, recent } = counted();
  await recent.get('a');
  values.set('a', 'one');
  clock.now -= 86_400_000;
  expect(await recent.get('a')).toBe('one');
});

test('concurrent callers share one load', async () => {
  const { loads, recent } = counted();
  await Promise.all(Array.from({ length: 2000 }, () => recent.get('a')));
  expect(loads).toEqual(['a']);
});

test('a forgotten key is loaded again, even during its load', async () => {
  const { values, recent } = counted();
  values.set('a', 'old');
  const before = recent.get('a');
  values.set('a', 'new');
  recent.forget('a');
  expect(await before).toBe('old');
  expect(await recent.get('a')).toBe('new');
});

test('removes the oldest answers when full', async () => {
  const { loads, recent } = counted(2);
  for (const key of ['a', 'b', 'c', 'b', 'c', 'a']) await recent.get(key);
  expect(loads).toEqual(['a', 'b', 'c', 'a']);
});

test('tries a failed load again', async () => {
  let fails = true;
  const recent = createOneSecondCache(
    async () => {
      if (fails) throw new Error('away');
      return 'here';
    },
    () => 0,
  );
  await expect(recent.get('a')).rejects.toThrow('away');
  fails = false;
  expect(await recent.get('a')).toBe('here');
});
