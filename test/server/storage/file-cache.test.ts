import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFileCache } from '../../../server/storage/file-cache.ts';
import { digestOf, temporaryFolder } from './storages.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const letters = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(10));

async function heldBy(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return letters.filter((text) => names.includes(digestOf(text)));
}

test('the least recently read file is removed first', async () => {
  const folder = await temporaryFolder();
  const cache = createFileCache(folder, 30);
  const [a, b, c, d] = letters as [string, string, string, string];
  for (const text of [a, b, c]) await cache.put(digestOf(text), bytes(text));
  expect(await cache.get(digestOf(a))).toEqual(bytes(a));
  await cache.put(digestOf(d), bytes(d));
  expect(await heldBy(folder)).toEqual([a, c, d]);
  // Putting again what is there makes nothing go.
  await cache.put(digestOf(d), bytes(d));
  expect(await heldBy(folder)).toEqual([a, c, d]);
  await cache.put(digestOf('x'.repeat(31)), bytes('x'.repeat(31)));
  expect(await heldBy(folder)).toEqual([a, c, d]);
});

test('finds its files after a restart, and removes those that a killed process left behind', async () => {
  const folder = await temporaryFolder();
  const [a, b, c] = letters as [string, string, string];
  const before = createFileCache(folder, 20);
  await before.put(digestOf(a), bytes(a));
  await before.put(digestOf(b), bytes(b));
  await writeFile(join(folder, `.${digestOf(c)}-0000`), 'half');
  const after = createFileCache(folder, 20);
  await after.put(digestOf(c), bytes(c));
  expect(await heldBy(folder)).toHaveLength(2);
  expect(await readdir(folder)).toHaveLength(2);
  expect(await after.get(digestOf(c))).toEqual(bytes(c));
});

test('stores no file whose digest differs', async () => {
  const folder = await temporaryFolder();
  const cache = createFileCache(folder);
  await cache.put(digestOf('a page'), bytes('another'));
  expect(await cache.get(digestOf('a page'))).toBeUndefined();
});

test('works without its folder, and without one that cannot be created', async () => {
  const folder = await temporaryFolder();
  const cache = createFileCache(join(folder, 'cache'));
  await cache.put(digestOf('a page'), bytes('a page'));
  await rm(join(folder, 'cache'), { recursive: true });
  expect(await cache.get(digestOf('a page'))).toBeUndefined();
  await cache.put(digestOf('a page'), bytes('a page'));
  await cache.put(digestOf('a page'), bytes('a page'));
  expect(await cache.get(digestOf('a page'))).toEqual(bytes('a page'));
  await writeFile(join(folder, 'file'), '');
  await createFileCache(join(folder, 'file')).put(digestOf('a page'), bytes('a page'));
});
