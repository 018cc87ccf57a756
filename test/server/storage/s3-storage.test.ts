import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { archiveKey, fileKey } from '../../../server/storage/storage-keys.ts';
import { createS3Storage } from '../../../server/storage/s3-storage.ts';
import { StorageUnavailable, type Storage } from '../../../server/storage/storage.ts';
import { s3Credentials, startS3Server } from './s3-server.ts';
import { makeFile, temporaryFolder, textOf, useS3Credentials } from './storages.ts';

const jobId = 'se_0123456789abcdef';
useS3Credentials();
const server = await startS3Server();
afterAll(() => server.end());

async function open(besides: Partial<Parameters<typeof createS3Storage>[0]> = {}): Promise<Storage> {
  const { bucket, endpoint } = server;
  return createS3Storage({ bucket, endpoint, prefix: 'carrel', cacheFolder: await temporaryFolder(), now: Date.now, ...besides });
}

async function putArchive(storage: Storage, content: string | Uint8Array = 'an archive'): Promise<string> {
  const { file, sha256 } = await makeFile(content);
  const key = archiveKey('docs.test', sha256);
  await storage.put(key, file, { contentType: 'application/zip' });
  return key;
}

function link(storage: Storage, key: string, expires = new Date(Date.now() + 60_000)): Promise<string> {
  return storage.link(key, { jobId, fileName: 'docs.test-v1.zip', expires });
}

test('a link works without credentials, and names the file to save', async () => {
  const storage = await open();
  const key = await putArchive(storage);
  const url = new URL(await link(storage, key));
  expect(url.pathname).toBe(`/exports/carrel/${key}`);
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="docs.test-v1.zip"');
  expect(answer.headers.get('content-type')).toBe('application/zip');
  expect(await answer.text()).toBe('an archive');
  const part = await fetch(url, { headers: { range: 'bytes=3-9' } });
  expect([part.status, await part.text()]).toEqual([206, 'archive']);
});

test('each call returns another link, even in the same second, and all of them work', async () => {
  const now = Date.now();
  const storage = await open({ now: () => now });
  const key = await putArchive(storage);
  const links = await Promise.all([1, 2, 3].map(() => link(storage, key, new Date(now + 60_000))));
  expect(new Set(links).size).toBe(3);
  for (const one of links) expect((await fetch(one)).status).toBe(200);
});

test('a link expires at the given time, after at most seven days', async () => {
  const storage = await open({ now: () => Date.UTC(2030, 0, 1) });
  const lifetime = async (expires: Date) =>
    new URL(await storage.link(archiveKey('docs.test', 'a'.repeat(64)), { jobId, fileName: 'x.zip', expires })).searchParams;
  const hour = await lifetime(new Date(Date.UTC(2030, 0, 1, 1)));
  expect([hour.get('X-Amz-Date'), hour.get('X-Amz-Expires')]).toEqual(['20300101T000000Z', '3600']);
  expect((await lifetime(new Date(Date.UTC(2031, 0, 1)))).get('X-Amz-Expires')).toBe('604800');
  expect((await lifetime(new Date(0))).get('X-Amz-Expires')).toBe('1');
});

test('an expired link is refused by the service', async () => {
  const storage = await open();
  const key = await putArchive(storage);
  const earlier = await open({ now: () => Date.now() - 120_000 });
  expect((await fetch(await link(storage, key))).status).toBe(200);
  expect((await fetch(await link(earlier, key, new Date(Date.now() - 60_000)))).status).toBe(403);
});

test.each([
  ['its signature', (url: URL) => url.searchParams.set('X-Amz-Signature', '0'.repeat(64))],
  ['its lifetime', (url: URL) => url.searchParams.set('X-Amz-Expires', '604800')],
  ['its path', (url: URL) => (url.pathname = url.pathname.replace(/.\.zip$/, (end) => (end === '0.zip' ? '1.zip' : '0.zip')))],
  ['the file name', (url: URL) => url.searchParams.set('response-content-disposition', 'inline')],
])('a link with %s changed is refused by the service', async (_what, change) => {
  const storage = await open();
  const url = new URL(await link(storage, await putArchive(storage)));
  change(url);
  expect((await fetch(url)).status).toBe(403);
});

test('a link signed with another secret is refused, and so is every other request', async () => {
  const key = await putArchive(await open());
  process.env.AWS_SECRET_ACCESS_KEY = 'wrong';
  const storage = await open();
  await expect(storage.get(key)).rejects.toThrow();
  const url = await link(storage, key);
  process.env.AWS_SECRET_ACCESS_KEY = s3Credentials.AWS_SECRET_ACCESS_KEY;
  expect((await fetch(url)).status).toBe(403);
  const { file, sha256 } = await makeFile('refused');
  await expect(storage.put(fileKey('docs.test', sha256), file)).rejects.toThrow(
    /refuses the server's credentials for bucket "exports"/,
  );
  await expect(storage.check()).rejects.toThrow(/Check the access key/);
});

test('reports missing credentials', async () => {
  const before = { ...process.env };
  delete process.env.AWS_ACCESS_KEY_ID;
  delete process.env.AWS_SECRET_ACCESS_KEY;
  Object.assign(process.env, { AWS_EC2_METADATA_DISABLED: 'true', HOME: await temporaryFolder() });
  try {
    await expect((await open()).check()).rejects.toThrow('There are no credentials for bucket "exports". Set AWS_ACCESS_KEY_ID');
  } finally {
    delete process.env.AWS_EC2_METADATA_DISABLED;
    Object.assign(process.env, before);
  }
});

test('reports a missing bucket', async () => {
  const storage = await open({ bucket: 'nowhere' });
  await expect(storage.check()).rejects.toThrow(`There is no bucket "nowhere" at ${server.endpoint}. Create it`);
});

test('an unavailable service is reported, and everything works when it is back', async () => {
  const storage = await open();
  const key = await putArchive(storage);
  const { file, sha256 } = await makeFile('a page');
  await server.stop();
  const asks = [
    () => storage.get(key),
    () => storage.put(fileKey('docs.test', sha256), file),
    () => storage.remove([key]),
    () => storage.check(),
  ];
  for (const ask of asks) {
    const error = await ask().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StorageUnavailable);
    expect(error).toMatchObject({ status: 503, code: 'StorageUnavailable', headers: { 'retry-after': '10' } });
    expect((error as Error).message).toMatch(/does not answer \(ECONNREFUSED\)/);
  }
  // Signing asks nobody.
  const url = await link(storage, key);
  await server.start();
  await storage.check();
  await storage.put(fileKey('docs.test', sha256), file);
  expect(await textOf(storage, key)).toBe('an archive');
  expect((await fetch(url)).status).toBe(200);
});

test('a large upload fails when the service becomes unavailable, and works when it is back', async () => {
  const storage = await open();
  const { file, sha256 } = await makeFile(randomBytes(24 * 1024 * 1024));
  const key = archiveKey('docs.test', sha256);
  const put = storage.put(key, file).catch((error: unknown) => error);
  await server.stop();
  expect(await put).toBeInstanceOf(StorageUnavailable);
  await server.start();
  expect(await storage.get(key)).toBeUndefined();
  await storage.put(key, file);
  expect((await storage.get(key))!.size).toBe(24 * 1024 * 1024);
});

test('a site file is read from the cache after the first read', async () => {
  const cacheFolder = await temporaryFolder();
  const storage = await open({ cacheFolder });
  const { file, sha256 } = await makeFile('a page');
  const key = fileKey('docs.test', sha256);
  await storage.put(key, file);
  const all = await Promise.all(Array.from({ length: 10 }, () => textOf(storage, key)));
  expect(new Set(all)).toEqual(new Set(['a page']));
  expect(await readdir(cacheFolder)).toEqual([sha256]);
  await server.stop();
  expect(await textOf(storage, key, { start: 2, end: 5 })).toBe('page');
  await server.start();
  // What is not what its name says is not believed.
  await writeFile(join(cacheFolder, sha256), 'spoilt');
  expect(await textOf(storage, key)).toBe('a page');
  expect(await readFile(join(cacheFolder, sha256), 'utf8')).toBe('a page');
});
