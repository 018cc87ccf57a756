import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSpool } from '../../../integration/output/spool.ts';
import { temporaryFolder } from '../export/folder.ts';

test('texts come back in any order, from memory and from the file, which is removed', () => {
  const file = join(temporaryFolder(), 'texts');
  const spool = createSpool(file, 1000);
  const texts = Array.from({ length: 3000 }, (_, index) => `${index} — ü 😀 ${'x'.repeat(index % 900)}`);
  const numbers = texts.map((text) => spool.add(text));
  expect(existsSync(file)).toBe(true);
  for (const index of [2999, 0, 1500, 3, 2998, 700]) expect(spool.read(numbers[index]!)).toBe(texts[index]);
  const more = spool.add('one more');
  expect(spool.read(more)).toBe('one more');
  expect(numbers.map((number) => spool.read(number))).toEqual(texts);
  spool.close();
  expect(existsSync(file)).toBe(false);
});

test('few texts make no file', () => {
  const file = join(temporaryFolder(), 'texts');
  const spool = createSpool(file);
  expect(spool.read(spool.add('one'))).toBe('one');
  expect(existsSync(file)).toBe(false);
  spool.close();
});
