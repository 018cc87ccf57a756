import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { verifyBundle } from '../../../integration/output/open-bundle.ts';
import { followJob, startJob, type ServerProcess } from '../../support/server-process.ts';
import { s3Credentials, startS3Server } from '../storage/s3-server.ts';
import { firstExport, place, startServer } from './places.ts';
import { stallingProxy } from './stalling-proxy.ts';

const domain = 'docs.example.com';

/** A server on a bucket behind a proxy, its site exported once and changed since. */
async function exportedOnce() {
  const s3 = await startS3Server();
  onTestFinished(() => s3.end());
  const proxy = await stallingProxy(s3.endpoint);
  const { root, data, docs } = place();
  const bucket = { ...s3Credentials, CARREL_S3_BUCKET: s3.bucket, CARREL_S3_ENDPOINT: proxy.address };
  const start = () => startServer(data, { ...bucket, QUICK_EXPORT: '0', SITE: domain, DOCS: docs });
  const server = await start();
  await firstExport(server);
  writeFileSync(join(docs, 'README.md'), '# The second edition\n\nAll is new.\n');
  return { root, s3, proxy, server, start };
}

function page(server: ServerProcess, path = ''): Promise<Response> {
  return fetch(`${server.sites}/sites/${domain}/${path}`);
}

async function expectSecondEdition(server: ServerProcess, jobId: string, root: string): Promise<void> {
  expect(await followJob(server, jobId)).toMatchObject({ status: 'completed', progress: 100, error: null });
  const answer = await server.request('POST', `/v1/static-export/jobs/${jobId}/bundle`);
  const { bundleUrl } = (await answer.json()) as { bundleUrl: string };
  const file = join(root, 'bundle.zip');
  writeFileSync(file, Buffer.from(await (await fetch(bundleUrl)).arrayBuffer()));
  expect(await verifyBundle(file)).toEqual([]);
  expect(await (await page(server)).text()).toContain('The second edition');
}

test('a bucket that goes while an export is being kept, and comes back', async () => {
  const { root, s3, proxy, server } = await exportedOnce();
  const before = await (await page(server)).text();
  const upload = proxy.stallAtUpload();
  const jobId = await startJob(server, { domain });
  await upload;
  await s3.stop();
  proxy.goOn();

  expect(await (await page(server)).text()).toBe(before);
  // What was never read before cannot be served now, and says so.
  const other = await page(server, '03-parts/');
  expect([other.status, other.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await other.text()).toContain('storage');
  expect((await fetch(`${server.address}/readyz`)).status).toBe(503);
  expect((await (await server.request('GET', `/v1/static-export/jobs/${jobId}`)).json()).status).toBe('running');

  await s3.start();
  await expectSecondEdition(server, jobId, root);
  expect((await page(server, '03-parts/')).status).toBe(200);
});

test('a server killed while it keeps an export', async () => {
  const { root, proxy, server, start } = await exportedOnce();
  const before = await (await page(server)).text();
  const upload = proxy.stallAtUpload();
  const jobId = await startJob(server, { domain });
  await upload;
  await server.kill();
  proxy.goOn();

  const again = await start();
  expect([before, expect.stringContaining('The second edition')]).toContainEqual(await (await page(again)).text());
  await expectSecondEdition(again, jobId, root);
});
