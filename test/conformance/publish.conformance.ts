// `carrel publish` into a bucket of a real S3 service.
import { randomBytes } from 'node:crypto';
import {
  CreateBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutBucketPolicyCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { beforeAll, expect, test } from 'vitest';
import { carrel } from '../src/cli/carrel.ts';
import { exportOf, filesOf } from '../src/publish/exports.ts';
import { startS3Proxy, type Fault } from '../src/publish/s3-proxy.ts';

const endpoint = process.env.CARREL_TEST_S3_ENDPOINT!;
const bucket = 'publications';
const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true });
const reader = { AWS_ACCESS_KEY_ID: 'READERKEY', AWS_SECRET_ACCESS_KEY: 'reader-secret' };
beforeAll(async () => {
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  const Resource = [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`];
  const Principal = { AWS: ['arn:aws:iam:::user/reader'] };
  const Statement = [{ Effect: 'Allow', Principal, Action: ['s3:GetObject', 's3:ListBucket'], Resource }];
  await client.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy: JSON.stringify({ Version: '2012-10-17', Statement }) }));
});

const newPrefix = () => randomBytes(4).toString('hex');
const publish = (source: string, prefix: string, args: string[] = [], through = endpoint, credentials = {}) =>
  carrel(['publish', source, `s3://${bucket}/${prefix}`, '--endpoint', through, ...args], {
    env: { ...process.env, AWS_PROFILE: undefined, ...credentials },
  });

async function throughProxy(source: string, prefix: string, fault: (request: string, count: number) => Fault) {
  const proxy = await startS3Proxy(endpoint, fault);
  return { ...(await publish(source, prefix, [], proxy.endpoint)), requests: proxy.requests };
}

async function objects(prefix: string): Promise<string[]> {
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: `${prefix}/` }));
  return Contents.map(({ Key }) => Key!.slice(prefix.length + 1));
}

async function head(prefix: string, path: string) {
  const found = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: `${prefix}/${path}` }));
  return [found.ContentType, found.CacheControl, found.ContentLength];
}

const everyFile = Object.keys(filesOf('')).sort();

test('an export is published with types and cache headers, updated, and cleaned', async () => {
  const prefix = `a b+c/Größe & mehr/${newPrefix()}`;
  expect(await publish(exportOf('one', { 'old/index.html': 'old' }), prefix)).toMatchObject({ code: 0 });
  expect(await objects(prefix)).toEqual([...everyFile, 'old/index.html'].sort());
  expect(await head(prefix, 'guide/index.html')).toEqual(['text/html; charset=utf-8', 'no-cache', 12]);
  expect(await head(prefix, '_carrel/reader.1a2b3c4d.js')).toEqual([
    'text/javascript; charset=utf-8',
    'public, max-age=31536000, immutable',
    9,
  ]);
  const next = await publish(exportOf('two'), prefix, ['--delete']);
  expect([next.code, next.stdout]).toEqual([0, expect.stringMatching(/Uploaded 1 of 6 files .*, removed 1 old/)]);
  expect(await objects(prefix)).toEqual(everyFile);
  expect(await publish(exportOf('two'), prefix)).toMatchObject({ stdout: expect.stringContaining('is already at') });
});

test('a file that has only moved is copied inside the bucket, with its own type and cache headers', async () => {
  const prefix = `a b+c/Größe & mehr/${newPrefix()}`;
  expect(await publish(exportOf('one', { 'one/ä b+c.txt': 'moved' }), prefix)).toMatchObject({ code: 0 });
  const moved = await throughProxy(exportOf('two', { 'two/d.svg': 'moved' }), prefix, () => undefined);
  expect(moved.code).toBe(0);
  expect(moved.requests.filter((line) => line.startsWith('COPY'))).toEqual([expect.stringMatching(/two\/d\.svg$/)]);
  expect(await head(prefix, 'two/d.svg')).toEqual(['image/svg+xml; charset=utf-8', 'no-cache', 5]);
});

test('a large file goes up in parts, and a broken one leaves no upload behind', async () => {
  const prefix = newPrefix();
  const source = exportOf('one', { 'large.txt': 'x'.repeat(20 * 1024 * 1024) });
  const broken = await throughProxy(source, prefix, (line, count) =>
    line.startsWith('PUT') && line.endsWith('/large.txt') && count > 1 ? { status: 403, code: 'AccessDenied' } : undefined,
  );
  expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('refuses s3:PutObject for "large.txt"')]);
  expect((await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }))).Uploads ?? []).toEqual([]);
  expect(await publish(source, prefix)).toMatchObject({ code: 0 });
  expect(await head(prefix, 'large.txt')).toEqual(['text/plain; charset=utf-8', 'no-cache', 20 * 1024 * 1024]);
});

test('credentials that may only read are refused in one message, and nothing changes', async () => {
  const prefix = newPrefix();
  await publish(exportOf('one'), prefix);
  const { code, stdout, stderr } = await publish(exportOf('two'), prefix, ['--delete'], endpoint, reader);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(`Error (TargetDenied): The bucket "${bucket}" at ${endpoint} refuses s3:PutObject`);
  expect(stderr).toContain('The credentials come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.');
  expect(await publish(exportOf('one'), prefix, [], endpoint, reader)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('is already at'),
  });
});

test('throttled and dropped requests are repeated, and an interrupted run continues', async () => {
  const prefix = newPrefix();
  const big = { 'big.html': 'x'.repeat(4 * 1024 * 1024) };
  const broken = await throughProxy(exportOf('one', big), prefix, (line, count) => {
    if (!line.startsWith('PUT')) return undefined;
    if (line.endsWith('/guide.md') && count <= 2) return { status: 503, code: 'SlowDown' };
    if (line.endsWith('/big.html') && count === 1) return 'drop';
    return line.endsWith('/carrel.json') ? { status: 403, code: 'AccessDenied' } : undefined;
  });
  expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('refuses s3:PutObject for "carrel.json"')]);
  const again = await throughProxy(exportOf('one', big), prefix, () => undefined);
  expect(again.code).toBe(0);
  expect(again.requests.filter((line) => line.startsWith('PUT') && !line.includes('carrel.publish'))).toEqual([
    `PUT /${bucket}/${prefix}/carrel.json`,
  ]);
  expect(await head(prefix, 'big.html')).toEqual(['text/html; charset=utf-8', 'no-cache', 4 * 1024 * 1024]);
  expect(await objects(prefix)).toEqual([...everyFile, 'big.html'].sort());
});
