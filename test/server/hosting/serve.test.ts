import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { connect } from 'node:net';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serveSite } from '../../../server/hosting/serve.ts';
import { hostileArchive } from '../../integration/output/archives.ts';
import { longPage, makeFolder, manifestOf, smallSite } from './small-site.ts';

test('serves a folder on its own port until it is closed', async () => {
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

test.each(['gzip', 'identity'])('a page that was replaced a moment after it was read is served whole (%s)', async (encoding) => {
  const folder = await makeFolder(smallSite);
  const served = await serveSite({ source: folder, port: 0 });
  const page = async () => (await fetch(`${served.address}guides/install/`, { headers: { 'accept-encoding': encoding } })).text();
  expect(await page()).toBe(longPage);
  let before = longPage;
  for (const next of [`${longPage}<p>More</p>`, longPage.slice(0, -100)]) {
    await writeFile(join(folder, 'guides/install/index.html'), next);
    const seen = await page();
    // What was compressed before may be sent for another second.
    expect(encoding === 'gzip' ? [before, next] : [next]).toContain(seen);
    await expect.poll(page).toBe(next);
    before = next;
  }
  await served.close();
});

test('answers only for hosts that are its own, and says how to allow others', async () => {
  const served = await serveSite({ source: await makeFolder(smallSite), port: 0, allowHosts: ['docs.example.com'] });
  const { port } = new URL(served.address);
  const get = async (host: string, path = '/'): Promise<[number | undefined, string]> => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request({ host: '127.0.0.1', port, path, headers: { host } }, resolve).on('error', reject).end();
    });
    return [response.statusCode, await text(response)];
  };
  for (const host of [`127.0.0.1:${port}`, 'localhost', 'DOCS.example.com:8080', 'docs.web.svc'])
    expect((await get(host))[0], host).toBe(200);
  const refusal =
    'This server does not answer requests for "elsewhere.example.com". Start it with --allow-host elsewhere.example.com';
  expect(await get('elsewhere.example.com:8080')).toEqual([403, expect.stringContaining(refusal)]);
  expect(await get('docs.example.com.elsewhere.example.com', '/guides/install/')).toEqual([
    403,
    expect.not.stringContaining('html'),
  ]);
  // A load balancer checks it by any name.
  expect((await get('elsewhere.example.com', '/.carrel/ready'))[0]).toBe(200);
  await served.close();
});

test('stays inside the folder for a path that no URL parser has normalized', async () => {
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

test('survives requests that no browser would send', async () => {
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
  expect(await send(`GET http://evil.example/../../etc/passwd HTTP/1.1\r\n${host}`)).toContain('403');
  expect(await send(`GET / HTTP/1.1\r\nHost: \r\nConnection: close\r\n\r\n`)).toMatch(/200|400/);
  expect(await send(`TRACE / HTTP/1.1\r\n${host}`)).toContain('405');
  expect(await send(`GET / HTTP/1.1\r\nRange: bytes=${'0-1,'.repeat(500)}0-1\r\n${host}`)).toMatch(/200|206|416/);
  expect(await send(`GET / HTTP/1.1\r\nRange: bytes=99999999999999999999-\r\n${host}`)).toMatch(/200|416/);
  expect((await fetch(served.address)).status).toBe(200);
  await served.close();
});

test('names the port that is in use, and another one to try', async () => {
  const source = await makeFolder(smallSite);
  const first = await serveSite({ source, port: 0 });
  const port = Number(new URL(first.address).port);
  await expect(serveSite({ source, port })).rejects.toMatchObject({
    code: 'CannotListen',
    message: `Another program uses port ${port} of 127.0.0.1.`,
    hint: expect.stringMatching(/use another port, such as \d+/),
  });
  await first.close();
});

test('names a host that does not belong to this machine', async () => {
  const source = await makeFolder(smallSite);
  await expect(serveSite({ source, port: 0, host: '192.0.2.1' })).rejects.toMatchObject({ code: 'CannotListen' });
});

describe('a large entry of a zip', () => {
  const size = 48 * 1024 * 1024;
  const text = 'Tide tables, by the hour. '.repeat(size / 26 + 1).slice(0, size);

  async function serveLarge() {
    const files = { 'index.html': '<p>Home</p>', 'data.csv': text, 'film.mp4': text };
    const entries = Object.entries({ ...files, 'carrel.json': manifestOf('cloud', files) }).map(([name, content]) =>
      name === 'film.mp4' ? { name, text: content, method: 0, data: Buffer.from(content) } : { name, text: content },
    );
    const served = await serveSite({ source: hostileArchive(entries), port: 0 });
    onTestFinished(() => served.close());
    return served.address;
  }

  test('is sent in full, in ranges and for HEAD, each with its length', async () => {
    const address = await serveLarge();
    for (const name of ['data.csv', 'film.mp4']) {
      const head = await fetch(`${address}${name}`, { method: 'HEAD' });
      expect([head.status, head.headers.get('content-length')]).toEqual([200, String(size)]);
      const answer = await fetch(`${address}${name}`);
      expect(
        createHash('sha256')
          .update(Buffer.from(await answer.arrayBuffer()))
          .digest('hex'),
      ).toBe(createHash('sha256').update(text).digest('hex'));
      for (const [range, start, end] of [
        ['bytes=0-9', 0, 10],
        [`bytes=${size / 2}-${size / 2 + 4}`, size / 2, size / 2 + 5],
        ['bytes=-7', size - 7, size],
      ] as const) {
        const part = await fetch(`${address}${name}`, { headers: { range } });
        expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes ${start}-${end - 1}/${size}`]);
        expect(await part.text()).toBe(text.slice(start, end));
      }
      expect((await fetch(`${address}${name}`, { headers: { range: `bytes=${size}-` } })).status).toBe(416);
    }
  });

  test('does not block other requests, and ends when the client disconnects', async () => {
    const address = await serveLarge();
    const readers = await Promise.all(Array.from({ length: 4 }, () => fetch(`${address}data.csv`)));
    const delays = monitorEventLoopDelay({ resolution: 5 });
    delays.enable();
    const downloads = readers.slice(1).map((answer) => answer.arrayBuffer());
    await readers[0]!.body!.cancel();
    for (let turn = 0; turn < 20; turn++) expect(await (await fetch(address)).text()).toBe('<p>Home</p>');
    await Promise.all(downloads);
    delays.disable();
    // Unpacked in one go, one of them takes longer than that.
    expect(delays.percentile(90) / 1e6).toBeLessThan(100);
  });
});
