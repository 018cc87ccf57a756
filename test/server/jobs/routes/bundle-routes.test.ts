import { createHmac, randomBytes } from 'node:crypto';
import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { createServer, type Server } from 'node:http';
import { basename, join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Job } from '../../../../server/jobs/model/job.ts';
import { archiveKey } from '../../../../server/storage/storage-keys.ts';
import { makeExport, registerSite, runJob, type MadeExport } from '../../storage/exports.ts';
import { openLinkServer, type LinkServer } from '../../storage/services.ts';
import { digestOf, openS3 } from '../../storage/storages.ts';
import { listen } from '../../../support/listen.ts';

const start = Date.UTC(2026, 10, 21, 12);
let server: LinkServer;
let made: MadeExport;
let job: Job;
let link: URL;
beforeAll(async () => {
  server = await openLinkServer();
  server.clock.now = start;
  await registerSite(server.services, 'docs.test');
  made = await makeExport({ 'index.html': 'home', 'film.mp4': randomBytes(6 * 1024 * 1024) }, 'v 1/"2"');
  job = await runJob(server.services, 'docs.test', made);
  link = await newLink();
});
beforeEach(() => {
  server.clock.now = start;
});

async function newLink(of = job): Promise<URL> {
  const { storage } = server.services;
  const key = archiveKey(of.domain, of.result!.archive.sha256);
  const expires = new Date(server.clock.now + 3_600_000);
  return new URL(await storage.link(key, { jobId: of.id, fileName: 'docs.test-v-1-2-.zip', expires }));
}

async function get(url: URL, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  return server.api.request(url.pathname + url.search, { method, headers });
}

function changed(change: (url: URL) => void): URL {
  const url = new URL(link);
  change(url);
  return url;
}

test('a link downloads the whole archive without a key', async () => {
  expect(`${link.origin}${link.pathname}`).toBe(`http://api.example.com/v1/bundles/${job.id}`);
  expect(Number(link.searchParams.get('expires'))).toBe(start / 1000 + 3600);
  const answer = await get(link);
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/zip',
    'content-length': String(job.result!.archive.sizeBytes),
    'content-disposition': 'attachment; filename="docs.test-v-1-2-.zip"',
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    etag: `"${job.result!.archive.sha256}"`,
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(digestOf(bytes)).toBe(job.result!.archive.sha256);
  expect(bytes.equals(await readFile(made.archive))).toBe(true);
});

test('each call returns another link, even in the same second, and all of them work', async () => {
  const links = await Promise.all([newLink(), newLink(), newLink()]);
  expect(new Set(links.map(String)).size).toBe(3);
  for (const one of links) expect((await get(one)).status).toBe(200);
  const other = new URL(links[0]);
  other.searchParams.set('nonce', links[1].searchParams.get('nonce')!);
  expect((await get(other)).status).toBe(403);
});

test('a link of an earlier version of Carrel, without a nonce, stays valid', async () => {
  const { publicUrl, secrets } = server.services;
  const key = archiveKey(job.domain, job.result!.archive.sha256);
  const expires = new Date(start + 3_600_000);
  const signature = createHmac('sha256', secrets[0])
    .update(JSON.stringify(['bundle', job.id, key, 'docs.test-v-1-2-.zip', expires.getTime() / 1000]))
    .digest('base64url');
  const earlier = new URL(`${publicUrl}/v1/bundles/${job.id}?expires=${expires.getTime() / 1000}&signature=${signature}`);
  expect((await get(earlier)).status).toBe(200);
});

test('HEAD returns the same headers without a body', async () => {
  const [head, whole] = [await get(link, {}, 'HEAD'), await get(link)];
  expect(head.status).toBe(200);
  expect(head.headers.get('content-length')).toBe(whole.headers.get('content-length'));
  expect(head.headers.get('etag')).toBe(whole.headers.get('etag'));
  expect(await head.text()).toBe('');
  await whole.body!.cancel();
});

test('serves ranges, so that a download can be resumed', async () => {
  const all = await readFile(made.archive);
  const etag = `"${job.result!.archive.sha256}"`;
  const part = async (headers: Record<string, string>) => {
    const answer = await get(link, headers);
    return { status: answer.status, range: answer.headers.get('content-range'), bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  const size = all.length;
  const half = { status: 206, range: `bytes 1000-${size - 1}/${size}`, bytes: all.subarray(1000) };
  expect(await part({ range: 'bytes=1000-' })).toEqual(half);
  expect(await part({ range: 'bytes=1000-', 'if-range': etag })).toEqual(half);
  expect(await part({ range: 'bytes=-4' })).toMatchObject({ status: 206, bytes: all.subarray(-4) });
  expect(await part({ range: 'bytes=0-0' })).toMatchObject({ status: 206, bytes: all.subarray(0, 1) });
  // The client's part is of another archive: the whole one then.
  expect(await part({ range: 'bytes=1000-', 'if-range': '"other"' })).toMatchObject({ status: 200, range: null });
  expect(await part({ range: 'bytes=zero-' })).toMatchObject({ status: 200 });
  expect(await part({ range: `bytes=${size}-` })).toEqual({ status: 416, range: `bytes */${size}`, bytes: Buffer.from('') });
});

test('responds with 304 if the caller has the archive', async () => {
  const etag = `"${job.result!.archive.sha256}"`;
  expect((await get(link, { 'if-none-match': `"other", W/${etag}` })).status).toBe(304);
  expect((await get(link, { 'if-none-match': '*' })).status).toBe(304);
  const other = await get(link, { 'if-none-match': '"other"' });
  expect(other.status).toBe(200);
  await other.body!.cancel();
});

test('a link expires at the given time, and a new one works', async () => {
  server.clock.now = start + 3_600_000 - 1;
  expect((await get(link, {}, 'HEAD')).status).toBe(200);
  server.clock.now = start + 3_600_000;
  const dead = await get(link);
  expect(dead.status).toBe(403);
  expect(await dead.json()).toEqual({
    error: `This link expired at 2026-11-21T13:00:00.000Z. The bundle still exists: request a new link with POST /v1/static-export/jobs/${job.id}/bundle and an admin key.`,
    code: 'LinkExpired',
    requestId: expect.any(String),
  });
  expect((await get(await newLink(), {}, 'HEAD')).status).toBe(200);
  // The clock was set back: the first link is good again, as the clock alone decides.
  server.clock.now = start - 86_400_000;
  expect((await get(link, {}, 'HEAD')).status).toBe(200);
});

test.each<[string, (url: URL) => void]>([
  ['a later expiry', (url) => url.searchParams.set('expires', '4000000000')],
  ['another spelling of its expiry', (url) => url.searchParams.set('expires', `0${url.searchParams.get('expires')}`)],
  ['no expiry', (url) => url.searchParams.delete('expires')],
  ['an expiry that is no number', (url) => url.searchParams.set('expires', 'never')],
  ['an expiry beyond all time', (url) => url.searchParams.set('expires', '9'.repeat(40))],
  ['no signature', (url) => url.searchParams.delete('signature')],
  ['an empty signature', (url) => url.searchParams.set('signature', '')],
  ['another signature', (url) => url.searchParams.set('signature', 'A'.repeat(43))],
  ['a longer signature', (url) => url.searchParams.set('signature', `${url.searchParams.get('signature')}AAAA`)],
  ['padding', (url) => url.searchParams.set('signature', `${url.searchParams.get('signature')}=`)],
  ['another job', (url) => (url.pathname = '/v1/bundles/se_0123456789abcdef')],
  ['a malformed job', (url) => (url.pathname = '/v1/bundles/..%2f..%2fetc')],
])('a link with %s is refused', async (_what, change) => {
  const answer = await get(changed(change));
  expect(answer.status).toBe(403);
  expect(await answer.json()).toMatchObject({ code: 'LinkInvalid', error: expect.stringContaining('Use the whole URL') });
});

test('the signature of one job does not work for another', async () => {
  const other = await runJob(server.services, 'docs.test', await makeExport({ 'index.html': 'other' }));
  const answer = await get(changed((url) => (url.pathname = `/v1/bundles/${other.id}`)));
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([403, 'LinkInvalid']);
});

test('the link of a removed export says so, also after it expired', async () => {
  const { services, clock } = server;
  const old = await runJob(services, 'docs.test', await makeExport({ 'index.html': 'old' }, 'v-1-2-'));
  const removed = await newLink(old);
  await services.storage.remove([archiveKey('docs.test', old.result!.archive.sha256)]);
  const gone = await get(removed);
  expect([gone.status, ((await gone.json()) as { code: string }).code]).toEqual([410, 'ExportExpired']);
  await services.jobs.expire(old.id);
  clock.now += 7_200_000;
  expect((await get(removed)).status).toBe(410);
});

test('other methods are refused', async () => {
  for (const method of ['POST', 'PUT', 'DELETE']) expect([404, 405]).toContain((await get(link, {}, method)).status);
});

test('a storage that serves its own links has no such route', async () => {
  const { api } = await openLinkServer({ storage: await openS3({ endpoint: 'http://127.0.0.1:9', bucket: 'exports' }) });
  expect((await api.request(`/v1/bundles/${job.id}`)).status).toBe(404);
});

// Linux tells which files a process has open.
test.runIf(process.platform === 'linux')('a client that disconnects, or reads nothing, leaves no file open', async () => {
  const data = basename(server.services.options.data);
  const openArchives = async () => {
    const names = await readdir('/proc/self/fd');
    const targets = await Promise.all(names.map((name) => readlink(join('/proc/self/fd', name)).catch(() => '')));
    return targets.filter((target) => target.includes(data) && target.includes('/archives/')).length;
  };
  const http: Server = createServer(getRequestListener(server.api.fetch));
  const port = await listen(http);
  onTestFinished(() => void http.close());

  const socket = connect(port, '127.0.0.1', () => socket.write(`GET ${link.pathname}${link.search} HTTP/1.1\r\nHost: x\r\n\r\n`));
  await new Promise((resolve) => socket.once('data', () => resolve(socket.pause())));
  expect(await openArchives()).toBe(1);
  socket.destroy();
  await expect.poll(openArchives).toBe(0);
  await fetch(`http://127.0.0.1:${port}${link.pathname}${link.search}`, { method: 'HEAD' });
  await expect.poll(openArchives).toBe(0);
  await rm(made.folder, { recursive: true });
});
