import { createServer, type RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { guardedRequest, publicAddresses } from '../../../server/platform/public-addresses.ts';
import { close, listen } from '../../support/listen.ts';

test.each([
  ['loopback', '127.0.0.1'],
  ['loopback, far in its range', '127.255.255.254'],
  ['loopback by name', 'localhost'],
  ['loopback as one number', '2130706433'],
  ['loopback in hexadecimal', '0x7f.1'],
  ['IPv6 loopback', '::1'],
  ['IPv6 loopback in brackets', '[::1]'],
  ['a private network', '10.1.2.3'],
  ['another private network', '172.31.0.1'],
  ['a third private network', '192.168.0.1'],
  ['link-local, with the metadata of a cloud', '169.254.169.254'],
  ['IPv6 link-local', 'fe80::1'],
  ['IPv6 unique local, with the metadata of a cloud', 'fd00:ec2::254'],
  ['a carrier-grade NAT', '100.64.0.1'],
  ['multicast', '224.0.0.1'],
  ['IPv6 multicast', 'ff02::1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '0.0.0.0'],
  ['IPv6 unspecified', '::'],
  ['reserved', '240.0.0.1'],
  ['benchmarking', '198.18.0.1'],
  ['loopback mapped into IPv6', '::ffff:127.0.0.1'],
  ['loopback in the old IPv4-compatible form', '::7f00:1'],
  ['a private address behind NAT64', '64:ff9b::10.0.0.1'],
  ['a local NAT64', '64:ff9b:1::808:808'],
  ['a private address by 6to4', '2002:0a00:0001::1'],
  ['Teredo', '2001:0:1::1'],
  ['documentation', '2001:db8::1'],
])('%s is refused: %s', async (_name, host) => {
  await expect(publicAddresses(host, [])).rejects.toMatchObject({
    status: 400,
    code: 'AddressPrivate',
    message: expect.stringContaining(`"${host}"`),
  });
});

test.each([['8.8.8.8'], ['2606:4700:4700::1111'], ['64:ff9b::808:808'], ['2002:808:808::1'], ['::ffff:808:808']])(
  'accepts the public address %s',
  async (host) => {
    expect(await publicAddresses(host, [])).toHaveLength(1);
  },
);

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['127.0.0.1', '127.0.0.0/8'],
  ['::1', '[::1]'],
  ['[::1]', '::1/128'],
  ['localhost', 'LOCALHOST'],
  ['localhost', '127.0.0.0/8,::1'],
  ['::ffff:10.0.0.7', '10.0.0.0/24'],
])('accepts %s when %s is allowed', async (host, allowed) => {
  expect((await publicAddresses(host, allowed.split(','))).length).toBeGreaterThan(0);
});

test.each(['10.0.0.1', '10.0.0.0/16', 'intern.test', 'not a host', '::/0', '10.66051', '0xa.1.2.3', '167838211'])(
  '10.1.2.3 is refused when %s is allowed',
  async (allowed) => {
    await expect(publicAddresses('10.1.2.3', [allowed])).rejects.toMatchObject({ code: 'AddressPrivate' });
  },
);

test('names a host that does not exist', async () => {
  await expect(publicAddresses('nowhere.invalid', [])).rejects.toMatchObject({ status: 400, code: 'HostUnknown' });
});

const post = (url: string, allowed = ['127.0.0.0/8', '::1'], milliseconds = 10_000) =>
  guardedRequest({ url, headers: { 'content-type': 'application/json' }, body: '{"name":"Rés"}', allowed, milliseconds });

test('sends the whole body, and returns the status of the response', async () => {
  let received = '';
  const url = await receiver(async (request, response) => {
    for await (const chunk of request.setEncoding('utf8')) received += chunk;
    response.writeHead(202).end('noted');
  });
  expect(await post(url)).toEqual({ status: 202, excerpt: 'noted' });
  expect(await post(url.replace('127.0.0.1', 'localhost'))).toMatchObject({ status: 202 });
  expect(received).toBe('{"name":"Rés"}'.repeat(2));
});

test('does not connect to a private address', async () => {
  let calls = 0;
  const url = await receiver((_request, response) => {
    calls += 1;
    response.end();
  });
  await expect(post(url, [])).rejects.toMatchObject({ code: 'AddressPrivate' });
  await expect(post(url.replace('127.0.0.1', 'localhost'), [])).rejects.toMatchObject({ code: 'AddressPrivate' });
  expect(calls).toBe(0);
});

test('does not follow a redirect', async () => {
  let calls = 0;
  const inside = await receiver((_request, response) => {
    calls += 1;
    response.end();
  });
  const url = await receiver((_request, response) => response.writeHead(307, { location: inside }).end());
  expect(await post(url)).toMatchObject({ status: 307 });
  expect(calls).toBe(0);
});

test('reads an endless response only up to the limit', async () => {
  const { promise: wasCut, resolve: cut } = Promise.withResolvers<void>();
  const url = await receiver((_request, response) => {
    const write = () => {
      while (!response.destroyed && response.write(Buffer.alloc(16 * 1024)));
    };
    response.on('drain', write).on('close', cut);
    write();
  });
  expect(await post(url)).toEqual({ status: 200, excerpt: '\uFFFD'.repeat(500) });
  await wasCut;
});

test.each<[string, RequestListener]>([
  ['an answer that never begins', () => {}],
  ['an answer that never ends', (_request, response) => void response.writeHead(200).write('a')],
])('%s fails after the time limit', async (_name, listener) => {
  const url = await receiver(listener);
  await expect(post(url, ['127.0.0.1'], 200)).rejects.toThrow('There was no complete response in time.');
});

test('a closed port is an error', async () => {
  await expect(post('http://127.0.0.1:1/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

async function receiver(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(() => close(server));
  return `http://127.0.0.1:${await listen(server)}/hook`;
}
