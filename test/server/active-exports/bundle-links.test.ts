// The links that the API really gives: of its own disk, and of a bucket.
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Job } from '../../../server/jobs/model/job.ts';
import { archiveKey, bundleFileName } from '../../../server/storage/storage-keys.ts';
import type { Storage } from '../../../server/storage/storage.ts';
import { serveBundle } from '../../../server/hosting/serve-bundle.ts';
import { makeExport, registerSite, runJob } from '../storage/exports.ts';
import { startS3Server, type S3Server } from '../storage/s3-server.ts';
import { openLinkServer, type LinkServer } from '../storage/services.ts';
import { openS3, useS3Credentials } from '../storage/storages.ts';
import { makeFolder } from '../hosting/small-site.ts';
import { listen } from '../../support/listen.ts';

const made = await makeExport({ 'index.html': '<p>Home</p>', 'a/b.txt': 'b'.repeat(10_000) }, '1.0');

async function setUp() {
  const keep = join(await makeFolder({}), 'keep');
  const lines: string[] = [];
  const warnings: string[] = [];
  const home = async (url: string) => {
    lines.length = warnings.length = 0;
    const say = (line: string) => void lines.push(line);
    const warn = (line: string) => void warnings.push(line);
    const served = await serveBundle({ url, keep, port: 0, waits: [], now: Date.now, say, warn });
    onTestFinished(() => served.close());
    return (await fetch(served.address)).text();
  };
  return { home, lines, warnings };
}

const expiresIn = (seconds: number, now: number) => new Date(now + seconds * 1000);

describe('a link to the server', () => {
  let server: LinkServer;
  let http: Server;
  let port: number;
  let job: Job;
  beforeAll(async () => {
    server = await openLinkServer();
    await registerSite(server.services, 'docs.test');
    job = await runJob(server.services, 'docs.test', made);
    http = createServer(getRequestListener((request) => server.api.fetch(request)));
    port = await listen(http);
  });
  afterAll(() => void http.close());

  async function newLink(): Promise<string> {
    const key = archiveKey(job.domain, job.result!.archive.sha256);
    const about = {
      jobId: job.id,
      fileName: bundleFileName(job.domain, job.result!.version),
      expires: expiresIn(3600, server.clock.now),
    };
    const link = new URL(await server.services.storage.link(key, about));
    return `http://127.0.0.1:${port}${link.pathname}${link.search}`;
  }

  test('is served, expires, and a new one links to the same bundle', async () => {
    const { home, lines, warnings } = await setUp();
    const link = await newLink();
    expect(await home(link)).toBe('<p>Home</p>');
    server.clock.now += 7_200_000;
    expect(await home(link)).toBe('<p>Home</p>');
    expect(warnings[0]).toMatch(/^The link to the bundle is dead: http:\S+\/v1\/bundles\/se_\w+ answered 403 \(.*expired.*\)\./);
    expect(warnings[0]).not.toContain('signature=');
    expect(await home(await newLink())).toBe('<p>Home</p>');
    expect(warnings).toEqual([]);
    expect(lines.at(-1)).toMatch(/^The stored bundle is current: /);
  });
});

describe('a link to a bucket', () => {
  let server: S3Server;
  let storage: Storage;
  useS3Credentials();
  beforeAll(async () => {
    server = await startS3Server();
    storage = await openS3(server);
    await storage.put('docs.zip', made.archive);
  });
  afterAll(() => server.end());

  const newLink = () => storage.link('docs.zip', { jobId: 'se_1', fileName: 'docs.zip', expires: expiresIn(3600, Date.now()) });

  test('is served, does not work when it was changed, and a new one links to the same bundle', async () => {
    const { home, lines, warnings } = await setUp();
    expect(await home(await newLink())).toBe('<p>Home</p>');
    const changed = (await newLink()).replace(/(X-Amz-Signature=)./, '$1_');
    expect(await home(changed)).toBe('<p>Home</p>');
    expect(warnings[0]).toMatch(/answered 403 \(SignatureDoesNotMatch\)/);
    expect(warnings[0]).not.toContain('X-Amz');
    expect(await home(await newLink())).toBe('<p>Home</p>');
    expect(lines.at(-1)).toMatch(/^The stored bundle is current: /);
  });
});
