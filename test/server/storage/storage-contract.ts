import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { archiveKey, fileKey } from '../../../server/storage/storage-keys.ts';
import type { Storage } from '../../../server/storage/storage.ts';
import { digestOf, makeFile, textOf } from './storages.ts';

/** What every storage does; `open` gives an empty one. */
export function storageContract(open: () => Promise<Storage>): void {
  test('gives back what was put, whole and in parts', async () => {
    const storage = await open();
    const { file, sha256, size } = await makeFile('Ähren im Wind');
    const key = fileKey('docs.test', sha256);
    await storage.put(key, file, { contentType: 'text/plain' });
    expect((await storage.get(key))!.size).toBe(size);
    expect(await textOf(storage, key)).toBe('Ähren im Wind');
    expect(await textOf(storage, key, { start: 2, end: 5 })).toBe('hren');
    expect(await textOf(storage, key, { start: size - 1, end: size - 1 })).toBe('d');
    // The file itself is left alone.
    expect(await readFile(file, 'utf8')).toBe('Ähren im Wind');
  });

  test('keeps an empty file', async () => {
    const storage = await open();
    const { file, sha256 } = await makeFile('');
    const key = fileKey('docs.test', sha256);
    await storage.put(key, file);
    expect((await storage.get(key))!.size).toBe(0);
    expect(await textOf(storage, key)).toBe('');
  });

  test('puts the same key many times at once', async () => {
    const storage = await open();
    const { file, sha256 } = await makeFile('the same');
    const key = fileKey('docs.test', sha256);
    await Promise.all(Array.from({ length: 20 }, () => storage.put(key, file)));
    expect(await textOf(storage, key)).toBe('the same');
  });

  test('streams a file of 20 MB without changing a byte', async () => {
    const storage = await open();
    const bytes = randomBytes(20 * 1024 * 1024 + 17);
    const { file, sha256 } = await makeFile(bytes);
    for (const key of [archiveKey('docs.test', sha256), fileKey('docs.test', sha256)]) {
      await storage.put(key, file, { contentType: 'application/zip' });
      await storage.put(key, file, { contentType: 'application/zip' });
      const stored = await storage.get(key);
      expect(stored!.size).toBe(bytes.length);
      expect(digestOf(Buffer.from(await new Response(await stored!.read()).arrayBuffer()))).toBe(sha256);
      const part = await new Response(await stored!.read({ start: 9_000_000, end: 9_000_009 })).arrayBuffer();
      expect(Buffer.from(part)).toEqual(bytes.subarray(9_000_000, 9_000_010));
    }
  });

  test('lets a reader leave', async () => {
    const storage = await open();
    const { file, sha256 } = await makeFile(randomBytes(12 * 1024 * 1024));
    const key = archiveKey('docs.test', sha256);
    await storage.put(key, file);
    const reader = (await (await storage.get(key))!.read()).getReader();
    await reader.read();
    await reader.cancel();
    const start = await new Response(await (await storage.get(key))!.read({ start: 0, end: 3 })).arrayBuffer();
    expect(start.byteLength).toBe(4);
  });

  test('knows nothing of what was not put, and removes it without a fault', async () => {
    const storage = await open();
    const { file, sha256 } = await makeFile('for a while');
    const [key, never, zip] = [
      fileKey('docs.test', sha256),
      fileKey('docs.test', digestOf('x')),
      archiveKey('docs.test', sha256),
    ];
    expect(await storage.get(never)).toBeUndefined();
    expect(await storage.get(zip)).toBeUndefined();
    await storage.put(key, file);
    await storage.put(zip, file);
    await storage.remove([key, never, zip]);
    expect(await storage.get(zip)).toBeUndefined();
    await storage.remove([key]);
  });

  test('gives up a put that is aborted', async () => {
    const storage = await open();
    const { file, sha256 } = await makeFile(randomBytes(12 * 1024 * 1024));
    const key = archiveKey('docs.test', sha256);
    await expect(storage.put(key, file, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
    expect(await storage.get(key)).toBeUndefined();
  });

  test('finds nothing wrong with itself', async () => {
    await expect((await open()).check()).resolves.toBeUndefined();
  });
}
