// What our storage asks of an S3 service, asked of a real one. Copies, lists and presigned puts are not among it.
import { createHash, randomBytes } from 'node:crypto';
import { open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CreateBucketCommand, HeadObjectCommand, ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, test } from 'vitest';
import { archiveKey } from '../../server/storage/storage-keys.ts';
import { createS3Storage } from '../../server/storage/s3-storage.ts';
import type { Storage } from '../../server/storage/storage.ts';
import { storageContract } from '../server/storage/storage-contract.ts';
import { makeFile, openS3, temporaryFolder, textOf } from '../server/storage/storages.ts';

const endpoint = process.env.CARREL_TEST_S3_ENDPOINT!;
const bucket = 'exports';
const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true });
const jobId = 'se_0123456789abcdef';
beforeAll(async () => {
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
});

const open = (): Promise<Storage> => openS3({ endpoint, bucket });

async function putArchive(storage: Storage): Promise<string> {
  const { file, sha256 } = await makeFile('an archive');
  const key = archiveKey('docs.test', sha256);
  await storage.put(key, file, { contentType: 'application/zip' });
  return key;
}

function link(storage: Storage, key: string, seconds = 60): Promise<string> {
  return storage.link(key, { jobId, fileName: 'docs.test-v1.zip', expires: new Date(Date.now() + seconds * 1000) });
}

describe('as every storage', () => {
  storageContract(open);
});

test('a link is readable by anybody, in parts too, with name and type', async () => {
  const storage = await open();
  const url = await link(storage, await putArchive(storage));
  const answer = await fetch(url);
  expect([answer.status, await answer.text()]).toEqual([200, 'an archive']);
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="docs.test-v1.zip"');
  expect(answer.headers.get('content-type')).toBe('application/zip');
  const part = await fetch(url, { headers: { range: 'bytes=3-9' } });
  expect([part.status, await part.text()]).toEqual([206, 'archive']);
});

test('a link is refused once it expired', async () => {
  const storage = await open();
  const url = await link(storage, await putArchive(storage), 1);
  await expect.poll(async () => (await fetch(url)).status, { timeout: 10_000, interval: 500 }).toBe(403);
});

test.each<[string, (url: URL) => void]>([
  ['its signature', (url) => url.searchParams.set('X-Amz-Signature', '0'.repeat(64))],
  ['its lifetime', (url) => url.searchParams.set('X-Amz-Expires', '604800')],
  ['its date', (url) => url.searchParams.set('X-Amz-Date', '20300101T000000Z')],
  ['its path', (url) => (url.pathname = url.pathname.replace('docs.test', 'docs2.test'))],
  ['the file name', (url) => url.searchParams.set('response-content-disposition', 'inline')],
  ['no signature at all', (url) => (url.search = '')],
])('a link with %s changed is refused', async (_what, change) => {
  const storage = await open();
  const url = new URL(await link(storage, await putArchive(storage)));
  change(url);
  expect((await fetch(url)).status).toBe(403);
});

test('another secret is refused, and told as such', async () => {
  const key = await putArchive(await open());
  const secret = process.env.AWS_SECRET_ACCESS_KEY!;
  process.env.AWS_SECRET_ACCESS_KEY = 'wrong';
  const storage = await open();
  const url = await link(storage, key);
  await expect(storage.check()).rejects.toThrow(/refuses the server's credentials/);
  process.env.AWS_SECRET_ACCESS_KEY = secret;
  expect((await fetch(url)).status).toBe(403);
});

test('says when there is no such bucket', async () => {
  const storage = await openS3({ endpoint, bucket: 'nowhere' });
  await expect(storage.check()).rejects.toThrow('There is no bucket "nowhere"');
});

test('a prefix may hold spaces, pluses and umlauts', async () => {
  const prefix = 'a b+c/Größe & mehr';
  const storage = createS3Storage({ bucket, endpoint, prefix, cacheFolder: await temporaryFolder(), now: Date.now });
  const key = await putArchive(storage);
  expect(await textOf(storage, key)).toBe('an archive');
  expect(await (await fetch(await link(storage, key))).text()).toBe('an archive');
  const head = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: `${prefix}/${key}` }));
  expect(head.ContentType).toBe('application/zip');
});

test('200 MB go up and come down with the same digest', async () => {
  const storage = await open();
  const file = join(await temporaryFolder(), 'large');
  const handle = await openFile(file, 'w');
  const piece = randomBytes(1024 * 1024);
  const hash = createHash('sha256');
  for (let at = 0; at < 200; at++) {
    piece.writeUInt32LE(at);
    await handle.write(piece);
    hash.update(piece);
  }
  await handle.close();
  const sha256 = hash.digest('hex');
  const key = archiveKey('docs.test', sha256);
  await storage.put(key, file, { contentType: 'application/zip' });
  const stored = await storage.get(key);
  expect(stored!.size).toBe(200 * 1024 * 1024);
  const down = createHash('sha256');
  for await (const bytes of (await stored!.read()) as unknown as AsyncIterable<Uint8Array>) down.update(bytes);
  expect(down.digest('hex')).toBe(sha256);
  expect((await (await fetch(await link(storage, key))).bytes()).length).toBe(200 * 1024 * 1024);
});

test('an aborted put leaves no upload behind', async () => {
  const storage = await open();
  const { file, sha256 } = await makeFile(randomBytes(64 * 1024 * 1024));
  const stop = new AbortController();
  const key = archiveKey('docs.test', sha256);
  const uploads = async () => (await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }))).Uploads?.length ?? 0;
  const put = storage.put(key, file, { signal: stop.signal }).catch((error: unknown) => error);
  await expect.poll(uploads, { interval: 20, timeout: 10_000 }).toBe(1);
  stop.abort();
  expect(String(await put)).toMatch(/abort/i);
  await expect.poll(uploads, { timeout: 10_000 }).toBe(0);
  expect(await storage.get(key)).toBeUndefined();
});
