import { expect, test } from 'vitest';
import { openTestServer } from '../support/services.ts';
import { makeExport, registerSite, runJob } from './exports.ts';
import { digestOf } from './storages.ts';

test('the link in a bundle response downloads its bundle, and a new one works after it expired', async () => {
  const { services, api, request, clock } = await openTestServer({ linkSeconds: 60 });
  await registerSite(services, 'docs.test');
  const job = await runJob(services, 'docs.test', await makeExport({ 'index.html': 'home' }, 'v1'));
  const follow = (url: string) => api.request(url.replace(services.publicUrl, ''));
  const ask = async () => {
    const answer = await request('POST', `/v1/static-export/jobs/${job.id}/bundle`);
    expect(answer.status).toBe(200);
    return (await answer.json()) as { bundleUrl: string; sha256: string; expiresAt: string };
  };
  const first = await ask();
  const bundle = await follow(first.bundleUrl);
  expect(bundle.headers.get('content-disposition')).toBe('attachment; filename="docs.test-v1.zip"');
  expect(digestOf(Buffer.from(await bundle.arrayBuffer()))).toBe(first.sha256);

  clock.now = Date.parse(first.expiresAt);
  expect((await follow(first.bundleUrl)).status).toBe(403);
  expect((await follow((await ask()).bundleUrl)).status).toBe(200);
});
