// A site with several exports, whose bundles are requested by what the caller has, and which is served elsewhere.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { existsSync, truncateSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { applyDelta } from '../../../../integration/output/delta.ts';
import type { BundleObject } from '../../../../server/jobs/routes/bundle-routes.ts';
import { serveBundle } from '../../../../server/hosting/serve-bundle.ts';
import type { Job } from '../../../../server/jobs/model/job.ts';
import { removeOldExports } from '../../../../server/jobs/retention.ts';
import { createDeltas } from '../../../../server/jobs/worker/make-delta.ts';
import { archiveKey } from '../../../../server/storage/storage-keys.ts';
import { noise } from '../../hosting/served-bundle.ts';
import { completeJob, makeExport, registerSite, runJob, startJob, type MadeExport } from '../../storage/exports.ts';
import { startS3Server, type S3Server } from '../../storage/s3-server.ts';
import { digestOf, temporaryFolder, useS3Credentials } from '../../storage/storages.ts';
import { openTestServer, type TestServer } from '../../support/services.ts';
import { carrelExport } from '../exporters.ts';
import { gate } from '../../../support/gate.ts';
import { listen } from '../../../support/listen.ts';
import { atFileEnd } from '../../../support/at-file-end.ts';

const film = noise('film', 300_000);
const pageOf = (text: string) => `<!doctype html><title>Home</title><p>${text}</p>`;

// What a bucket does differently is the download: it comes from the bucket, and of what was removed there is nothing.
describe.each(['disk', 's3'] as const)('%s', (kind) => {
  let s3: S3Server | undefined;
  let server: TestServer;
  let origin: string;
  /** Bytes of bundles that the API itself sent. */
  let sent = 0;
  useS3Credentials();
  beforeAll(async () => {
    const http = createServer(
      getRequestListener(async (request) => {
        const response = await server.api.fetch(request);
        if (request.url.includes('/v1/bundles/')) sent += Number(response.headers.get('content-length'));
        return response;
      }),
    );
    atFileEnd(() => void http.close());
    origin = `http://127.0.0.1:${await listen(http)}`;
    s3 = kind === 's3' ? await startS3Server() : undefined;
    server = await openTestServer({ publicUrl: origin, keepExports: 2, s3Bucket: s3?.bucket, s3Endpoint: s3?.endpoint });
  });
  afterAll(() => s3?.end());

  let sites = 0;
  /** A site of its own with exports one after another: the same film, and a page of which each has another text. */
  async function siteOf(texts: string[], domain = `docs-${++sites}.test`) {
    await registerSite(server.services, domain);
    const made: MadeExport[] = [];
    const jobs: Job[] = [];
    for (const [at, text] of texts.entries()) {
      made.push(await makeExport({ 'index.html': pageOf(text), 'film.txt': film }, `v${at + 1}`));
      server.clock.now += 1001;
      jobs.push(await runJob(server.services, domain, made[at]!));
    }
    return { domain, made, jobs };
  }

  const since = ({ result }: Job) => result!.manifest;
  async function link(job: Job, query: string): Promise<BundleObject> {
    const answer = await server.request('POST', `/v1/static-export/jobs/${job.id}/bundle${query}`);
    expect(answer.status).toBe(200);
    return (await answer.json()) as BundleObject;
  }
  /** The link to a delta; on a busy machine, the first answers are whole bundles while it is made. */
  async function deltaLink(job: Job, from: Job): Promise<BundleObject> {
    for (;;) {
      const { deltas } = (await server.services.jobs.get(job.id))!.result!;
      const answer = await link(job, `?since=${since(from)}`);
      if (answer.deltaFrom !== undefined) return answer;
      expect(deltas?.[since(from)]).toBeUndefined();
    }
  }
  const isWhole = async (job: Job, query: string) => {
    const answer = await link(job, query);
    return answer.deltaFrom === undefined && answer.sha256 === job.result!.archive.sha256;
  };

  test('a link to a delta is to what makes the export of the earlier one, byte for byte, and it is made once', async () => {
    const { domain, made, jobs } = await siteOf(['one', 'two']);
    const [older, newer] = jobs as [Job, Job];
    const answer = await deltaLink(newer, older);
    expect(answer).toMatchObject({ jobId: newer.id, version: 'v2', manifest: since(newer), deltaFrom: 'v1' });
    expect(answer.sizeBytes).toBeLessThan(3000);
    const response = await fetch(answer.bundleUrl);
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${domain}-v2-delta.zip"`);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([bytes.length, digestOf(bytes)]).toEqual([answer.sizeBytes, answer.sha256]);
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'delta.zip'), bytes);
    await applyDelta(made[0]!.folder, join(folder, 'delta.zip'), join(folder, 'out'), { zip: join(folder, 'made.zip') });
    expect(digestOf(await readFile(join(folder, 'made.zip')))).toBe(newer.result!.archive.sha256);

    // Without this archive, it could not be made again.
    await server.services.storage.remove([archiveKey(domain, older.result!.archive.sha256)]);
    expect(await deltaLink(newer, older)).toMatchObject({ sha256: answer.sha256, deltaFrom: 'v1' });
    expect(await isWhole(newer, '')).toBe(true);
    expect(await readdir(join(server.services.options.data, 'work'))).toEqual([]);
    if (kind === 's3') return;
    const changed = new URL(answer.bundleUrl);
    for (const value of [newer.result!.archive.sha256, '../x', '']) {
      changed.searchParams.set('delta', value);
      expect((await fetch(changed)).status).toBe(403);
    }
    changed.searchParams.delete('delta');
    expect((await fetch(changed)).status).toBe(403);
  });

  test('retention removes a delta with either of its exports', async () => {
    const { domain, jobs } = await siteOf(['one', 'two', 'three']);
    const { services } = server;
    const [first, second, third] = jobs as [Job, Job, Job];
    const answers = [await deltaLink(second, first), await deltaLink(third, first), await deltaLink(third, second)];
    const stored = () =>
      Promise.all(answers.map(async ({ sha256 }) => (await services.storage.get(archiveKey(domain, sha256))) !== undefined));
    expect(await stored()).toEqual([true, true, true]);
    await removeOldExports(services, domain);
    expect(await stored()).toEqual([false, false, true]);
    expect(Object.keys((await services.jobs.get(third.id))!.result!.deltas!)).toEqual([since(second)]);
    expect((await fetch(answers[1]!.bundleUrl)).status).toBe(kind === 'disk' ? 410 : 404);
    expect((await fetch(answers[2]!.bundleUrl)).status).toBe(200);
    expect(await isWhole(third, `?since=${since(first)}`)).toBe(true);
  });

  describe('carrel serve', () => {
    async function serving() {
      const { domain, jobs } = await siteOf(['one', 'two']);
      const keep = join(await temporaryFolder(), 'keep');
      const lines: string[] = [];
      const source = { api: origin, of: { domain }, key: server.adminKey };
      const activate = async ({ id }: Job) => {
        expect((await server.request('POST', `/v1/sites/${domain}/exports/${id}/activate`)).status).toBe(200);
        // Sites are cached for a second.
        server.clock.now += 1001;
      };
      /** What a start serves, how many bytes of bundles the API sent for it, and what was said. */
      const start = async (): Promise<{ page: string; bytes: number; said: string }> => {
        lines.length = 0;
        const before = sent;
        const write = (line: string) => void lines.push(line);
        const served = await serveBundle({ refresh: source, keep, port: 0, waits: [0], now: Date.now, say: write, warn: write });
        const page = await (await fetch(served.address)).text();
        await served.close();
        return { page, bytes: sent - before, said: lines.join('\n') };
      };
      const [older, newer] = jobs as [Job, Job];
      await activate(older);
      expect(await start()).toMatchObject({ page: pageOf('one') });
      const delta = await deltaLink(newer, older);
      await activate(newer);
      const folder = async () => {
        const { folder: name } = JSON.parse(await readFile(join(keep, 'kept.json'), 'utf8')) as { folder: string };
        return join(keep, 'sites', name);
      };
      return { domain, source, keep, start, older, newer, delta, folder, activate };
    }

    test('after a restart, a newer export is downloaded as a delta', async () => {
      const { start, delta } = await serving();
      expect(await start()).toMatchObject({
        page: pageOf('two'),
        bytes: kind === 'disk' ? delta.sizeBytes : 0,
        said: expect.stringContaining('Downloading what has changed in the bundle'),
      });
    });
    if (kind === 's3') return;

    test('a newer export is downloaded as a delta, once, also when a process is killed in between', async () => {
      const { start, delta, source, keep, domain } = await serving();
      const { command, args } = carrelExport;
      const options = ['--refresh-url', source.api, '--refresh-domain', domain, '--keep', keep, '--port', '0'];
      const child = spawn(command, [...args, 'serve', ...options], { env: { ...process.env, CARREL_BUNDLE_KEY: source.key } });
      onTestFinished(() => void child.kill('SIGKILL'));
      const ended = new Promise((resolve) => child.once('exit', resolve));
      let said = '';
      for await (const text of child.stdout.setEncoding('utf8')) if (/what has changed/.test((said += text as string))) break;
      child.kill('SIGKILL');
      await ended;
      expect(said).toContain('Downloading what has changed in the bundle');
      const second = await start();
      expect(second.page).toBe(pageOf('two'));
      expect(second.bytes).toBeLessThanOrEqual(delta.sizeBytes);
      expect(await start()).toMatchObject({
        page: pageOf('two'),
        bytes: 0,
        said: expect.stringMatching(/is current: Docs, version v2/),
      });
    });

    test('without an intact copy, the whole bundle is downloaded', async () => {
      const { start, newer, folder } = await serving();
      truncateSync(join(await folder(), 'film.txt'), 3);
      expect(await start()).toMatchObject({ page: pageOf('two'), bytes: newer.result!.archive.sizeBytes });
    });

    test('a delta that cannot be applied is replaced by the whole bundle', async () => {
      const { start, newer, delta, domain, keep } = await serving();
      const { storage } = server.services;
      const key = archiveKey(domain, delta.sha256);
      await storage.remove([key]);
      const file = join(await temporaryFolder(), 'other.zip');
      await writeFile(file, 'This is not a zip.');
      await storage.put(key, file);
      const first = await start();
      expect(first.page).toBe(pageOf('two'));
      expect(first.said).toMatch(/rejected[\s\S]* Downloading the whole bundle instead\./);
      expect(first.bytes).toBe(newer.result!.archive.sizeBytes + 18);
      expect(existsSync(join(keep, 'download.part'))).toBe(false);
    });
  });
  if (kind === 's3') return;

  test('any other export has the whole bundle: unknown, the same, removed, of another site, organization or audience', async () => {
    const { domain, jobs } = await siteOf(['one', 'two', 'three', 'four']);
    const [first, , , newest] = jobs as [Job, Job, Job, Job];
    await removeOldExports(server.services, domain);
    const other = await siteOf(['of another site']);
    await registerSite(server.services, 'other.test', 'other');
    const foreign = await runJob(server.services, 'other.test', await makeExport({ 'index.html': 'theirs' }), 'other');
    server.clock.now += 1001;
    const partners = await server.services.jobs.create({ organization: 'default', domain, request: { groups: ['partner'] } });
    const secret = await makeExport({ 'index.html': pageOf('for partners'), 'film.txt': film }, 'p');
    await completeJob(server.services, await startJob(server.services, partners.id), secret);
    const forPartners = (await server.services.jobs.get(partners.id))!;
    const unknown = { result: { manifest: 'f'.repeat(64) } } as Job;
    for (const from of [unknown, newest, first, other.jobs[0]!, foreign, forPartners])
      expect(await isWhole(newest, `?since=${since(from)}`)).toBe(true);
    expect(await isWhole(forPartners, `?since=${since(newest)}`)).toBe(true);
    expect((await server.services.jobs.get(newest.id))!.result!.deltas).toBeUndefined();

    const path = `/v1/static-export/jobs/${newest.id}/bundle?since=${since(jobs[2]!)}`;
    expect((await server.request('POST', path, undefined, await server.keyOf('other'))).status).toBe(404);
    expect((await server.request('POST', path, undefined, await server.keyOf('default', ['read']))).status).toBe(403);
    for (const label of ['v3', 'F'.repeat(64)])
      expect((await server.request('POST', path.replace(/=.*/, `=${label}`))).status).toBe(400);
  });

  test('a delta that is not much smaller is not sent, nor made again', async () => {
    const { jobs } = await siteOf([noise('a', 400_000), noise('b', 400_000)]);
    const [older, newer] = jobs as [Job, Job];
    await expect
      .poll(async () => {
        expect(await isWhole(newer, `?since=${since(older)}`)).toBe(true);
        return (await server.services.jobs.get(newer.id))!.result!.deltas;
      })
      .toEqual({ [since(older)]: null });
  });

  test('two are made at a time; meanwhile, others get the whole bundle', async () => {
    const made = await Promise.all([1, 2, 3, 4].map(() => siteOf(['one', 'two'])));
    const { jobs } = server.services;
    const { opened: allAsk, open } = gate();
    let asking = 0;
    // What comes after one is made would be made, too.
    const stored: typeof jobs.stored = async (domain) => {
      const exports = await jobs.stored(domain);
      if (++asking === made.length) open();
      await allAsk;
      return exports;
    };
    const deltas = createDeltas({ ...server.services, jobs: { ...jobs, stored }, exporter: carrelExport });
    const begun = await Promise.all(made.map(({ jobs: [older, newer] }) => deltas.find(newer!, since(older!))));
    expect(begun.filter(Boolean).length).toBeLessThanOrEqual(2);
    const all = () => Promise.all(made.map(async ({ jobs: [, newer] }) => (await jobs.get(newer!.id))!.result!.deltas));
    await expect.poll(async () => (await all()).filter(Boolean).length).toBe(2);
  });
});
