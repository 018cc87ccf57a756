import { request } from 'node:http';
import { expect, test } from 'vitest';
import { serveSite } from '../../../server/sites/serve.ts';
import { longPage, makeFolder, smallSite } from './small-site.ts';

test('serves a folder on a port of its own until it is closed', async () => {
  const served = await serveSite({ source: await makeFolder(smallSite), port: 0, base: 'docs' });
  expect(served.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/docs\/$/);
  const page = await fetch(`${served.address}guides/install`);
  expect(page.url).toBe(`${served.address}guides/install/`);
  expect(await page.text()).toBe(longPage);
  const head = await fetch(`${served.address}guides/install/`, { method: 'HEAD', headers: { 'accept-encoding': 'identity' } });
  expect(head.headers.get('content-length')).toBe(String(longPage.length));
  await served.close();
  await expect(fetch(served.address)).rejects.toThrow();
});

test('stays inside the folder for a path that no URL parser has cleaned', async () => {
  const served = await serveSite({ source: await makeFolder(smallSite), port: 0 });
  const { port } = new URL(served.address);
  for (const path of [
    '/../../../../etc/passwd',
    '/guides/../../etc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/..\\..\\etc\\passwd',
  ]) {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      request({ host: '127.0.0.1', port, path }, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect([400, 404], path).toContain(status);
  }
  await served.close();
});

test('names the port that is taken, and another to try', async () => {
  const source = await makeFolder(smallSite);
  const first = await serveSite({ source, port: 0 });
  const port = Number(new URL(first.address).port);
  await expect(serveSite({ source, port })).rejects.toMatchObject({
    code: 'CannotListen',
    message: `Port ${port} of 127.0.0.1 is taken by another program.`,
    hint: expect.stringContaining(`--port ${port + 1}`),
  });
  await first.close();
});

test('names a host that is not this machine', async () => {
  const source = await makeFolder(smallSite);
  await expect(serveSite({ source, port: 0, host: '192.0.2.1' })).rejects.toMatchObject({ code: 'CannotListen' });
});
