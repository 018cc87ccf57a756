import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { archiveOf, folderOf, whole } from '../../integration/output/archives.ts';
import { s3Credentials, startS3Server, type S3Server } from '../../server/storage/s3-server.ts';
import { exportOf, filesOf } from '../publish/exports.ts';
import { startS3Proxy, type Fault } from '../publish/s3-proxy.ts';
import { carrel, startCarrel } from './carrel.ts';

let server: S3Server;
let client: S3Client;
beforeAll(async () => {
  server = await startS3Server();
  client = new S3Client({
    endpoint: server.endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
});
afterAll(() => server.end());

const env = { ...process.env, ...s3Credentials, AWS_REGION: undefined, AWS_PROFILE: undefined };
const newPrefix = () => randomBytes(4).toString('hex');
const publish = (source: string, prefix: string, args: string[] = [], endpoint = server.endpoint) =>
  carrel(['publish', source, `s3://exports/${prefix}`, '--endpoint', endpoint, ...args], { env });

const objects = (prefix: string) => server.keys(prefix);

async function object(prefix: string, path: string) {
  const { Body, ContentType, CacheControl } = await client.send(
    new GetObjectCommand({ Bucket: 'exports', Key: `${prefix}/${path}` }),
  );
  return { text: await Body!.transformToString(), ContentType, CacheControl };
}

async function put(prefix: string, path: string, text: string): Promise<void> {
  await client.send(new PutObjectCommand({ Bucket: 'exports', Key: `${prefix}/${path}`, Body: text }));
}

/** Publishes through a proxy with faults. */
async function throughProxy(source: string, prefix: string, fault: (request: string, count: number) => Fault, args?: string[]) {
  const proxy = await startS3Proxy(server.endpoint, fault);
  return { ...(await publish(source, prefix, args, proxy.endpoint)), requests: proxy.requests };
}

/** The paths of uploads, in their order. */
const uploaded = (requests: string[]) => requests.flatMap((line) => /^PUT \/exports\/\w+\/(.*)$/.exec(line)?.[1] ?? []);

const everyFile = Object.keys(filesOf('')).sort();

test('an export is in the bucket with types and cache headers, and a second run changes nothing', async () => {
  const prefix = newPrefix();
  const source = exportOf('one');
  const first = await publish(source, prefix);
  expect([first.code, first.stdout]).toEqual([0, expect.stringContaining(`Published Docs one to s3://exports/${prefix}/`)]);
  expect(await objects(prefix)).toEqual(everyFile);
  expect(await object(prefix, 'guide/index.html')).toEqual({
    text: '<p>Guide</p>',
    ContentType: 'text/html; charset=utf-8',
    CacheControl: 'no-cache',
  });
  expect(await object(prefix, '_carrel/reader.1a2b3c4d.js')).toMatchObject({
    ContentType: 'text/javascript; charset=utf-8',
    CacheControl: 'public, max-age=31536000, immutable',
  });
  expect(await object(prefix, 'images/a b.svg')).toMatchObject({ ContentType: 'image/svg+xml; charset=utf-8' });

  const { code, stdout, requests } = await throughProxy(source, prefix, () => undefined);
  expect([code, stdout]).toEqual([0, expect.stringContaining('Docs one is already at')]);
  expect(requests.filter((line) => line.startsWith('PUT'))).toEqual([]);
});

test('only changed files are uploaded, hashed ones first, then assets, pages, and the manifest last', async () => {
  const prefix = newPrefix();
  await publish(exportOf('one'), prefix);
  const next = exportOf('two', {
    '_carrel/extra.5e6f7a8b.js': '// more',
    'images/new.svg': '<svg/>',
    'zebra/index.html': '<p>Z</p>',
  });
  const { code, stdout, requests } = await throughProxy(next, prefix, () => undefined);
  expect([code, stdout]).toEqual([0, expect.stringContaining('Uploaded 4 of 9 files')]);
  const puts = uploaded(requests);
  expect(puts.filter((path) => path !== 'carrel.publish.json')).toEqual([
    '_carrel/extra.5e6f7a8b.js',
    'images/new.svg',
    ...puts.filter((path) => path.endsWith('.html')),
    'carrel.json',
  ]);
  expect(puts.filter((path) => path.endsWith('.html')).sort()).toEqual(['index.html', 'zebra/index.html']);
  expect((await object(prefix, 'index.html')).text).toContain('two');
});

test('a file with the content of another one at the target is copied there', async () => {
  const prefix = newPrefix();
  const shards = (folder: string) => ({
    [`_carrel/search/${folder}/a.js`]: 'shard a',
    [`_carrel/search/${folder}/ä b.js`]: 'shard b',
  });
  await publish(exportOf('one', shards('one')), prefix);
  const { code, requests } = await throughProxy(exportOf('two', shards('two')), prefix, () => undefined, ['--delete']);
  expect(code).toBe(0);
  const copies = requests.filter((line) => line.startsWith('COPY')).map((line) => line.replace(`COPY /exports/${prefix}/`, ''));
  expect(copies.sort()).toEqual(['_carrel/search/two/a.js', '_carrel/search/two/ä b.js']);
  expect(await object(prefix, '_carrel/search/two/ä b.js')).toEqual({
    text: 'shard b',
    ContentType: 'text/javascript; charset=utf-8',
    CacheControl: expect.any(String),
  });
  expect(await objects(prefix)).toEqual([...everyFile, ...Object.keys(shards('two'))].sort());
});

test('a file that someone changed at the target is not copied', async () => {
  const prefix = newPrefix();
  await publish(exportOf('one', { '_carrel/search/one/a.js': 'shard a' }), prefix);
  await put(prefix, '_carrel/search/one/a.js', 'changed');
  await publish(exportOf('two', { '_carrel/search/two/a.js': 'shard a' }), prefix);
  expect((await object(prefix, '_carrel/search/two/a.js')).text).toBe('shard a');
});

test('old files stay until --delete, and files of others always', async () => {
  const prefix = newPrefix();
  await publish(exportOf('one', { 'old/index.html': '<p>Old</p>' }), prefix);
  await put(prefix, 'v1/index.html', 'another site');
  const kept = await publish(exportOf('two'), prefix);
  expect(kept.stdout).toContain('kept 1 old (--delete removes them)');
  expect(await objects(prefix)).toEqual([...everyFile, 'carrel.publish.json', 'old/index.html', 'v1/index.html'].sort());
  // The manifest of "two" does not name the old file any more.
  const removed = await throughProxy(exportOf('three'), prefix, () => undefined, ['--delete']);
  expect(removed.stdout).toContain('removed 1 old');
  expect(await objects(prefix)).toEqual([...everyFile, 'v1/index.html'].sort());
  const lines = removed.requests.filter((line) => /PUT.*carrel.json|DELETE.*old/.test(line));
  expect(lines).toEqual([`PUT /exports/${prefix}/carrel.json`, `DELETE /exports/${prefix}/old/index.html`]);
});

test('the settings of the target stay', async () => {
  const prefix = newPrefix();
  await put(prefix, 'carrel.config.js', '// settings of the host');
  await publish(exportOf('one'), prefix);
  await publish(exportOf('two'), prefix, ['--delete']);
  expect((await object(prefix, 'carrel.config.js')).text).toBe('// settings of the host');
});

test('--dry-run lists uploads, changes, removals and bytes, and changes nothing', async () => {
  const prefix = newPrefix();
  const empty = await publish(exportOf('one'), prefix, ['--dry-run']);
  expect(empty.stdout).toContain('upload  guide/index.html  12 bytes');
  expect(await objects(prefix)).toEqual([]);
  await publish(exportOf('one', { 'old/index.html': '<p>Old</p>' }), prefix);
  const before = await objects(prefix);
  const { code, stdout } = await publish(exportOf('two', { 'new.html': 'new' }), prefix, ['--dry-run', '--delete']);
  expect(code).toBe(0);
  expect(stdout.trim().split('\n')).toEqual([
    expect.stringMatching(/^change {2}index\.html {2}\d\d bytes$/),
    'upload  new.html  3 bytes',
    'remove  old/index.html',
    expect.stringMatching(/^Would upload 2 of 7 files .*, would remove 1 old\. The target had Docs one\.$/),
  ]);
  expect(await objects(prefix)).toEqual(before);
});

test('a zip is published like its folder', async () => {
  const prefix = newPrefix();
  const { code } = await publish(await archiveOf(whole), prefix);
  expect([code, await objects(prefix)]).toEqual([0, Object.keys(whole).sort()]);
  expect((await object(prefix, 'a/b.txt')).text).toBe(whole['a/b.txt']);
});

test('a prefix may have slashes around it, spaces and umlauts', async () => {
  const prefix = newPrefix();
  expect((await publish(exportOf('one'), `/${prefix}/a b/Größe//`)).code).toBe(0);
  expect(await objects(`${prefix}/a b/Größe`)).toEqual(everyFile);
});

test.each([
  ['s3://exports/a//b', /The prefix "a\/\/b" has a part that is empty/],
  ['s3://exports/a/../b', /has a part that is empty, "\." or "\.\."/],
  ['s3://', /does not name a bucket/],
  ['s3://UPPER/x', /does not name a bucket/],
  ['bucket/docs', /must begin with s3:\/\/, file: or git\+/],
])('%s is refused as a target', async (target, message) => {
  const { code, stderr } = await carrel(['publish', exportOf('one'), target], { env });
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
});

describe('a service that fails', () => {
  test('a throttled upload is repeated', async () => {
    const prefix = newPrefix();
    const { code, requests } = await throughProxy(exportOf('one'), prefix, (line, count) =>
      /PUT.*(guide\.md|carrel\.json)$/.test(line) && count <= 2
        ? { status: count === 1 ? 503 : 429, code: 'SlowDown' }
        : undefined,
    );
    expect([code, await objects(prefix)]).toEqual([0, everyFile]);
    expect(requests.filter((line) => line.endsWith('/guide.md'))).toHaveLength(3);
  });

  test('a request that drops at half of its body is repeated, also in a part of a large file', async () => {
    const prefix = newPrefix();
    const files = { 'big.html': 'x'.repeat(3 * 1024 * 1024), 'large.txt': randomBytes(5 * 1024 * 1024).toString('hex') };
    const { code, requests } = await throughProxy(exportOf('one', files), prefix, (line, count) =>
      /^PUT .*(big\.html|large\.txt)$/.test(line) && count === 1 ? 'drop' : undefined,
    );
    expect(code).toBe(0);
    for (const [path, text] of Object.entries(files)) expect((await object(prefix, path)).text === text).toBe(true);
    expect(requests.filter((line) => line.endsWith('/big.html'))).toHaveLength(2);
    // In two parts, one of them twice.
    expect(requests.filter((line) => line.startsWith('PUT') && line.endsWith('/large.txt'))).toHaveLength(3);
    expect(await object(prefix, 'large.txt')).toMatchObject({
      ContentType: 'text/plain; charset=utf-8',
      CacheControl: 'no-cache',
    });
  });

  test('an answer that is cut at half is read again', async () => {
    const prefix = newPrefix();
    const source = exportOf('one');
    await publish(source, prefix);
    const { code, stdout, requests } = await throughProxy(source, prefix, (line, count) =>
      line.endsWith('/carrel.json') && count <= 2 ? 'cut' : undefined,
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining('is already at')]);
    expect(requests.filter((line) => line.endsWith('/carrel.json'))).toHaveLength(3);
  });

  test('a refused upload names bucket, action and credentials, and leaves the manifest', async () => {
    const prefix = newPrefix();
    await publish(exportOf('one'), prefix);
    const { code, stdout, stderr, requests } = await throughProxy(exportOf('two'), prefix, (line) =>
      line.startsWith('PUT') ? { status: 403, code: 'AccessDenied' } : undefined,
    );
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('Error (TargetDenied): The bucket "exports" at http://127.0.0.1:');
    expect(stderr).toContain('refuses s3:PutObject');
    expect(stderr).toContain('The credentials come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.');
    expect(stderr).not.toMatch(/S3RVER|at .*\.ts/);
    // Refused at the first write, which readers do not see.
    expect(requests.filter((line) => line.startsWith('PUT'))).toHaveLength(1);
    expect((await object(prefix, 'index.html')).text).toContain('one');
    expect(await objects(prefix)).toEqual(everyFile);
  });

  test('wrong credentials, a missing bucket and missing credentials are reported', async () => {
    const run = (target: string, changed: Record<string, string | undefined>) =>
      carrel(['publish', exportOf('one'), target, '--endpoint', server.endpoint], { env: { ...env, ...changed } });
    const wrong = await run('s3://exports/x', { AWS_SECRET_ACCESS_KEY: 'wrong-secret' });
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/TargetDenied.*refuses s3:GetObject for "carrel/)]);
    expect(wrong.stderr).not.toContain('wrong-secret');
    const missing = await run('s3://nowhere/x', {});
    expect([missing.code, missing.stderr]).toEqual([
      1,
      expect.stringContaining('(TargetNotFound): There is no bucket "nowhere"'),
    ]);
    const none = await run('s3://exports/x', {
      AWS_ACCESS_KEY_ID: undefined,
      AWS_SECRET_ACCESS_KEY: undefined,
      AWS_EC2_METADATA_DISABLED: 'true',
      HOME: folderOf({ empty: '' }),
    });
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('There are no credentials for bucket "exports"')]);
  });

  test('a service that is away is reported', async () => {
    const { code, stderr } = await publish(exportOf('one'), 'x', [], 'http://127.0.0.1:9');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/TargetUnavailable.*does not answer: ECONNREFUSED, 10 times\./)]);
  });
});

describe('an interrupted run', () => {
  const isPage = (line: string) => line.startsWith('PUT') && line.endsWith('/index.html');

  test('is continued: files that are there are not uploaded again', async () => {
    const prefix = newPrefix();
    const source = exportOf('one');
    const broken = await throughProxy(source, prefix, (line) =>
      isPage(line) ? { status: 403, code: 'AccessDenied' } : undefined,
    );
    expect(broken.code).toBe(1);
    expect(await objects(prefix)).not.toContain('carrel.json');
    const again = await throughProxy(source, prefix, () => undefined);
    expect(again.code).toBe(0);
    expect(uploaded(again.requests).sort()).toEqual(['carrel.json', 'carrel.publish.json', 'guide/index.html', 'index.html']);
    expect(await objects(prefix)).toEqual(everyFile);
  });

  test('leaves no page of it behind when the previous export is published again', async () => {
    const prefix = newPrefix();
    await publish(exportOf('one'), prefix);
    const broken = await throughProxy(exportOf('two'), prefix, (line) =>
      line.startsWith('PUT') && line.endsWith('/carrel.json') ? { status: 403, code: 'AccessDenied' } : undefined,
    );
    expect([broken.code, (await object(prefix, 'index.html')).text]).toEqual([1, expect.stringContaining('two')]);
    expect((await publish(exportOf('one'), prefix)).code).toBe(0);
    expect((await object(prefix, 'index.html')).text).toContain('one');
    expect(await objects(prefix)).toEqual(everyFile);
  });

  test('ends at a signal, and says how to continue', async () => {
    const prefix = newPrefix();
    const held = new Promise<void>((resolve) => {
      // The first page is never answered.
      void startS3Proxy(server.endpoint, (line) => {
        if (!isPage(line)) return undefined;
        resolve();
        return 'hold';
      }).then(({ endpoint }) => {
        running = startCarrel(['publish', exportOf('one'), `s3://exports/${prefix}`, '--endpoint', endpoint], { env });
      });
    });
    let running!: ReturnType<typeof startCarrel>;
    await held;
    running.child.kill('SIGTERM');
    const { code, stderr } = await running.ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining('Error (Stopped): Publishing was stopped.')]);
    expect(await objects(prefix)).not.toContain('carrel.json');
    expect(await objects(prefix)).toContain('_carrel/reader.1a2b3c4d.js');
  });
});

describe('what must not be published', () => {
  test.each([
    ['of another program', '{"name":"carrel"}', /carrel\.json at s3:\/\/exports\/\w+\/ cannot be read by this version of Carrel/],
    ['that is not JSON', '<html>', /carrel\.json at s3:\/\/exports\/\w+\/ is not JSON/],
    [
      'with paths that lead out of it',
      filesOf('x')['carrel.json']!.replace('"guide.md"', '"../../other/guide.md"'),
      /must have paths inside the export/,
    ],
  ])('a target with a carrel.json %s stays unchanged', async (_what, text, message) => {
    const prefix = newPrefix();
    await put(prefix, 'carrel.json', text);
    const { code, stderr } = await publish(exportOf('one'), prefix, ['--delete']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
    expect(stderr).toContain('Error (TargetNotExport)');
    expect(await objects(prefix)).toEqual(['carrel.json']);
  });

  test('an export with a file of the name that publishing uses is refused', async () => {
    const { code, stderr } = await publish(exportOf('one', { 'carrel.publish.json': '{}' }), newPrefix());
    expect([code, stderr]).toEqual([1, expect.stringMatching(/BundleUnsafe.*"carrel\.publish\.json"/)]);
  });

  test('an export that was changed is not published', async () => {
    const prefix = newPrefix();
    const changed = exportOf('one');
    writeFileSync(join(changed, 'guide.md'), '# Changed');
    const broken = exportOf('one');
    writeFileSync(join(broken, 'carrel.json'), '{"format":1,');
    const partial = exportOf('one');
    rmSync(join(partial, 'index.html'));
    const messages = [
      /bundle-file-changed: The file "guide\.md"/,
      /ManifestInvalid.*not JSON/,
      /bundle-file-missing.*"index\.html"/,
    ];
    for (const [index, source] of [changed, broken, partial].entries()) {
      const { code, stdout, stderr } = await publish(source, prefix);
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(messages[index]!)]);
    }
    expect(await objects(prefix)).toEqual([]);
  });
});
