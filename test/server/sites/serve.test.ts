import { request } from 'node:http';
import { connect } from 'node:net';
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

test('outlives requests that no browser would send', async () => {
  const served = await serveSite({ source: await makeFolder(smallSite), port: 0 });
  const { port } = new URL(served.address);
  const send = (head: string) =>
    new Promise<string>((resolve) => {
      const socket = connect({ host: '127.0.0.1', port: Number(port) }, () => socket.write(head));
      let answer = '';
      socket.on('data', (bytes) => (answer += String(bytes))).on('error', () => {});
      // A refusal may close the connection before it is read: then there is no answer.
      socket.on('close', () => resolve(answer.split('\r\n')[0]!));
    });
  const host = 'Host: 127.0.0.1\r\nConnection: close\r\n\r\n';
  expect(await send(`GET / HTTP/1.1\r\nX-Long: ${'x'.repeat(100_000)}\r\n${host}`)).toMatch(/431|^$/);
  expect(await send(`GET /${'%41'.repeat(4_000)} HTTP/1.1\r\n${host}`)).toContain('404');
  expect(await send(`GET /a\0b HTTP/1.1\r\n${host}`)).toContain('400');
  expect(await send(`GET http://evil.example/../../etc/passwd HTTP/1.1\r\n${host}`)).toMatch(/400|404/);
  expect(await send(`GET / HTTP/1.1\r\nHost: \r\nConnection: close\r\n\r\n`)).toMatch(/200|400/);
  expect(await send(`TRACE / HTTP/1.1\r\n${host}`)).toContain('405');
  expect(await send(`GET / HTTP/1.1\r\nRange: bytes=${'0-1,'.repeat(500)}0-1\r\n${host}`)).toMatch(/200|206|416/);
  expect(await send(`GET / HTTP/1.1\r\nRange: bytes=99999999999999999999-\r\n${host}`)).toMatch(/200|416/);
  expect((await fetch(served.address)).status).toBe(200);
  await served.close();
});

test('names the port that is taken, and another to try', async () => {
  const source = await makeFolder(smallSite);
  const first = await serveSite({ source, port: 0 });
  const port = Number(new URL(first.address).port);
  await expect(serveSite({ source, port })).rejects.toMatchObject({
    code: 'CannotListen',
    message: `Port ${port} of 127.0.0.1 is taken by another program.`,
    hint: expect.stringMatching(/choose another port, such as \d+/),
  });
  await first.close();
});

test('names a host that is not this machine', async () => {
  const source = await makeFolder(smallSite);
  await expect(serveSite({ source, port: 0, host: '192.0.2.1' })).rejects.toMatchObject({ code: 'CannotListen' });
});
