import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDiskStorage } from '../../../server/storage/disk-storage.ts';
import { fileKey } from '../../../server/storage/storage-keys.ts';
import { storageContract } from './storage-contract.ts';
import { digestOf, eachStorage, makeFile, secrets, temporaryFolder, textOf } from './storages.ts';

eachStorage(storageContract);

test('a file on the same disk is stored without a copy', async () => {
  const folder = await temporaryFolder();
  const storage = createDiskStorage({ folder, publicUrl: '', secrets, now: Date.now });
  const { file, sha256 } = await makeFile('one content');
  await storage.put(fileKey('docs.test', sha256), file);
  expect((await stat(join(folder, fileKey('docs.test', sha256)))).ino).toBe((await stat(file)).ino);
  expect(await readdir(folder)).toEqual(['sites']);
});

test('a file on another disk is copied, and appears only when it is complete', async () => {
  const { dev } = await stat(tmpdir());
  const devices = await Promise.all(
    ['/dev/shm', '/var/tmp'].map(async (path) => ({ path, device: await stat(path).catch(() => undefined) })),
  );
  const other = devices.find(({ device }) => device !== undefined && device.dev !== dev)?.path;
  // Every Linux has one; elsewhere there is no second disk to count on.
  expect(other !== undefined || process.platform !== 'linux').toBe(true);
  if (other === undefined) return;
  const file = join(other, `carrel-${process.pid}`);
  await writeFile(file, 'from afar');
  const folder = await temporaryFolder();
  const storage = createDiskStorage({ folder, publicUrl: '', secrets, now: Date.now });
  const key = fileKey('docs.test', digestOf('from afar'));
  await Promise.all([storage.put(key, file), storage.put(key, file)]);
  expect(await textOf(storage, key)).toBe('from afar');
  expect(await readdir(join(folder, '.new'))).toEqual([]);
});

test('incomplete copies of a killed process are removed after a day', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, '.new'));
  for (const name of ['yesterday', 'now']) await writeFile(join(folder, '.new', name), 'half');
  const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000);
  await utimes(join(folder, '.new/yesterday'), twoDaysAgo, twoDaysAgo);
  const storage = createDiskStorage({ folder, publicUrl: '', secrets, now: Date.now });
  const { file, sha256 } = await makeFile('a page');
  await storage.put(fileKey('docs.test', sha256), file);
  expect(await readdir(join(folder, '.new'))).toEqual(['now']);
});

test('a file that a power failure truncated is replaced', async () => {
  const folder = await temporaryFolder();
  const storage = createDiskStorage({ folder, publicUrl: '', secrets, now: Date.now });
  const { file, sha256 } = await makeFile('the whole of it');
  const key = fileKey('docs.test', sha256);
  await storage.put(key, file);
  await writeFile(`${join(folder, key)}.cut`, '');
  await rename(`${join(folder, key)}.cut`, join(folder, key));
  await storage.put(key, file);
  expect(await textOf(storage, key)).toBe('the whole of it');
});

test('a file that shrinks while it is read is an error, not a short response', async () => {
  const folder = await temporaryFolder();
  const storage = createDiskStorage({ folder, publicUrl: '', secrets, now: Date.now });
  const { file, sha256 } = await makeFile(randomBytes(1024 * 1024));
  const key = fileKey('docs.test', sha256);
  await storage.put(key, file);
  const stored = await storage.get(key);
  await writeFile(join(folder, key), 'short');
  await expect(new Response(await stored!.read()).arrayBuffer()).rejects.toThrow('ends at 5');
});

test('a data folder that cannot be written to is reported', async () => {
  // A file where the folder should be: the same for root, whom no permission stops.
  const { file } = await makeFile('not a folder');
  const storage = createDiskStorage({ folder: join(file, 'storage'), publicUrl: '', secrets, now: Date.now });
  await expect(storage.check()).rejects.toThrow('ENOTDIR');
});
