import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { fetchBundle, type FetchBundleOptions } from '../../../server/active-exports/fetch-bundle.ts';
import { refuse, send, startBundleServer, type Answer } from './bundle-server.ts';
import { makeFolder } from '../hosting/small-site.ts';

const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => (index * 7919) % 251));

/** Downloads without pauses, to a folder of its own. */
async function setUp(answer: Answer, options: Partial<FetchBundleOptions> = {}) {
  const server = await startBundleServer(answer);
  const folder = await makeFolder({});
  const run = (more: Partial<FetchBundleOptions> = {}) =>
    fetchBundle({ url: server.link, folder, maxBytes: 1e9, waits: [0, 0], ...options, ...more });
  return { server, folder, run, part: join(folder, 'download.part') };
}

/** Answers the requests in turn; the last answer stays. */
function inTurn(...answers: Answer[]): Answer {
  return (request, response) => (answers.length > 1 ? answers.shift()! : answers[0]!)(request, response);
}

test('a bundle is downloaded, and its progress reported', async () => {
  const reported: [number, number | undefined][] = [];
  const { server, run, part } = await setUp(send(bytes));
  const fetched = await run({ onProgress: (...progress) => reported.push(progress) });
  const address = server.link.replace(/\?.*/, '');
  expect(fetched).toEqual({ archive: part, state: { address, validator: '"1"' }, isResumed: false });
  expect(readFileSync(part).equals(bytes)).toBe(true);
  expect(reported.at(-1)).toEqual([bytes.length, bytes.length]);
  expect(readFileSync(join(part, '../download.json'), 'utf8')).not.toContain('SECRET');
});

test('a download resumes after a broken connection', async () => {
  const { server, run, part } = await setUp(inTurn(send(bytes, { breakAfter: 1_000_000 }), send(bytes)));
  expect(await run()).toMatchObject({ isResumed: true });
  expect(readFileSync(part).equals(bytes)).toBe(true);
  expect(server.requests[1]).toMatchObject({ range: expect.stringMatching(/^bytes=[1-9]\d*-$/), condition: '"1"' });
});

test('only attempts that bring nothing count', async () => {
  const { server, run, part } = await setUp(send(bytes, { breakAfter: 500_000 }));
  await run();
  expect(readFileSync(part).equals(bytes)).toBe(true);
  expect(server.requests.length).toBeGreaterThan(4);
});

test('another process resumes a partial download', async () => {
  const { server, run, part } = await setUp(send(bytes, { breakAfter: 1_000_000 }), { waits: [] });
  const stop = new AbortController();
  await expect(run({ signal: stop.signal, onProgress: (done) => done > 300_000 && stop.abort() })).rejects.toThrow(/abort/i);
  const had = readFileSync(part).length;
  expect(had).toBeGreaterThan(0);
  server.answer = send(bytes);
  // A new link to the same object.
  expect(await run({ url: server.link.replace('SECRET', 'OTHER') })).toMatchObject({ isResumed: true });
  expect(server.requests.at(-1)!.range).toBe(`bytes=${had}-`);
  expect(readFileSync(part).equals(bytes)).toBe(true);
});

test('a complete download is checked, not repeated', async () => {
  const { server, run, part } = await setUp(send(bytes));
  await run();
  await run();
  expect(server.requests[1]!.range).toBe(`bytes=${bytes.length - 1}-`);
  expect(readFileSync(part).equals(bytes)).toBe(true);
});

test.each<[string, Answer]>([
  ['has another bundle now', send(bytes.subarray(5), { tag: '"2"' })],
  ['sends the whole bundle for a range request', (_, response) => void response.end(bytes.subarray(5))],
  ['sends another range', inTurn(refuse(206, 'zzz', { 'content-range': 'bytes 0-2/9', etag: '"1"' }), send(bytes.subarray(5)))],
  ['does not have the range', inTurn(refuse(416, '', { 'content-range': 'bytes */9' }), send(bytes.subarray(5)))],
])('a partial download is discarded when the link %s', async (_, later) => {
  const { run, part } = await setUp(inTurn(send(bytes, { breakAfter: 1_000_000 }), later));
  expect(await run()).toMatchObject({ isResumed: false });
  expect(readFileSync(part).equals(bytes.subarray(5))).toBe(true);
});

test.each([
  ['no tag', {}],
  ['a weak tag', { etag: 'W/"1"' }],
])('with %s no partial downloads are combined', async (_, headers: Record<string, string>) => {
  const broken: Answer = (_request, response) => {
    response.writeHead(200, { 'content-length': bytes.length, ...headers });
    response.write(bytes.subarray(0, 1000), () => setImmediate(() => response.destroy()));
  };
  const { server, run, part } = await setUp(inTurn(broken, send(bytes)));
  await run();
  expect(server.requests[1]!.range).toBeUndefined();
  expect(readFileSync(part).equals(bytes)).toBe(true);
});

test('a partial download of another URL, or without its record, is not resumed', async () => {
  const { server, run, folder, part } = await setUp(send(bytes));
  writeFileSync(part, 'xxx');
  await run();
  expect(server.requests[0]!.range).toBeUndefined();
  const note = { address: 'http://other.example/b', validator: '"1"', total: bytes.length };
  writeFileSync(join(folder, 'download.json'), JSON.stringify(note));
  await run();
  expect(server.requests[1]!.range).toBeUndefined();
});

test('the known bundle is not downloaded again', async () => {
  const { server, run, folder } = await setUp(send(bytes));
  const address = server.link.replace(/\?.*/, '');
  expect(await run({ known: { address, validator: '"1"' } })).toBe('unchanged');
  expect(readdirSync(folder)).toEqual([]);
  expect(await run({ known: { address, validator: '"0"' } })).toMatchObject({ isResumed: false });
  expect(await run({ known: { address: 'http://127.0.0.1/x', validator: '"1"' } })).not.toBe('unchanged');
});

test('a compressed response is decompressed', async () => {
  const packed = gzipSync(bytes);
  const headers = { 'content-encoding': 'gzip', 'content-length': String(packed.length), etag: '"1"' };
  const { run, part } = await setUp((_, response) => void response.writeHead(200, headers).end(packed));
  await run();
  expect(readFileSync(part).equals(bytes)).toBe(true);
});

describe('a dead link', () => {
  const s3 =
    '<Error><Code>AccessDenied</Code><Message>Request has expired</Message><AWSAccessKeyId>AKIA</AWSAccessKeyId></Error>';
  test.each([
    [
      403,
      '{"error":"The link has expired. Ask for a new one.","code":"LinkExpired"}',
      '(The link has expired. Ask for a new one.)',
    ],
    [403, s3, '(AccessDenied)'],
    [404, 'no such thing', '404.'],
    [410, '', '410.'],
    [401, '{"error":"no \\u001b[31m ?signature=SECRET"}', '401'],
  ])('%i %s', async (status, text, reason) => {
    const { server, run, folder } = await setUp(refuse(status, text));
    const error = await run().catch((thrown: Error) => thrown);
    expect(error).toMatchObject({
      code: 'BundleLinkDead',
      hint: expect.stringContaining('POST /v1/static-export/jobs/{jobId}/bundle'),
    });
    expect((error as Error).message).toContain(`${server.link.replace(/\?.*/, '')} answered ${status}`);
    expect((error as Error).message).toContain(reason);
    expect(JSON.stringify(error) + (error as Error).message).not.toMatch(/SECRET|AKIA|\u001b/);
    expect(server.requests).toHaveLength(1);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a bundle that cannot be downloaded', () => {
  test.each<[string, Answer, RegExp, number]>([
    ['a temporary error', refuse(503), /answered 503/, 3],
    ['another status', refuse(400), /answered 400/, 1],
    ['a range that was not requested', refuse(206), /answered 206/, 3],
    [
      'connections that break at once',
      (_, response) => void response.destroy(),
      /127\.0\.0\.1.*other side closed|ECONNRESET|socket hang up/,
      3,
    ],
    ['a redirect loop', refuse(302, '', { location: '/v1/bundles/se_1' }), /redirects more than five times/, 6],
    ['a redirect to a file', refuse(302, '', { location: 'file:///etc/passwd' }), /file: is not fetched/, 1],
    ['a redirect with a password', refuse(302, '', { location: 'http://a:b@127.0.0.1/' }), /user name or a password/, 1],
  ])('%s', async (_, answer, message, requests) => {
    const { server, run } = await setUp(answer);
    const error = (await run().catch((thrown: Error) => thrown)) as Error;
    expect(error).toMatchObject({ code: 'BundleNotFetched' });
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain('SECRET');
    expect(server.requests).toHaveLength(requests);
  });

  test('no server', async () => {
    const { server, run } = await setUp(send(bytes));
    await server.close();
    await expect(run()).rejects.toMatchObject({ code: 'BundleNotFetched', message: expect.stringContaining('ECONNREFUSED') });
  });

  test('a server that falls silent', async () => {
    const { run } = await setUp((_, response) => void response.writeHead(200, { 'content-length': 10 }).write('x'), {
      silence: 50,
      waits: [],
    });
    await expect(run()).rejects.toMatchObject({
      code: 'BundleNotFetched',
      message: expect.stringContaining('no data for 0.05 seconds'),
    });
  });

  test('a server that never responds', async () => {
    const { run } = await setUp(() => {}, { silence: 50, waits: [] });
    await expect(run()).rejects.toMatchObject({ code: 'BundleNotFetched', message: expect.stringContaining('no data for') });
  });

  test('a redirect is followed', async () => {
    const { run, part } = await setUp(inTurn(refuse(307, '', { location: '/elsewhere' }), send(bytes)));
    await run();
    expect(readFileSync(part).equals(bytes)).toBe(true);
  });

  test.each<[string, Answer]>([
    ['has its length in the headers', send(bytes)],
    ['has no length', (_, response) => void response.end(bytes)],
    ['never ends', (_, response) => endless(response)],
  ])('a bundle that is too large and %s', async (_, answer) => {
    const { server, run, part } = await setUp(answer, { maxBytes: 2_000_000 });
    await expect(run()).rejects.toMatchObject({ code: 'BundleTooLarge' });
    expect(server.requests).toHaveLength(1);
    expect(existsSync(part)).toBe(false);
  });

  test('a folder that cannot be written to', async () => {
    const { run, folder } = await setUp(send(bytes));
    writeFileSync(join(folder, 'file'), '');
    await expect(run({ folder: join(folder, 'file') })).rejects.toMatchObject({ code: 'OutputNotWritable' });
  });
});

function endless(response: Parameters<Answer>[1]): void {
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(16_384)));
  };
  response.on('drain', more);
  more();
}
