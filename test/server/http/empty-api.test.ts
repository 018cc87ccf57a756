import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { clientAddress, emptyApi } from '../../../server/http/empty-api.ts';
import { createLog } from '../../../server/platform/log.ts';
import { createMetrics } from '../../../server/platform/metrics.ts';
import { serverOptionsSchema } from '../../../server/platform/options.ts';

test.each([
  ['an error', new Error('inside')],
  ['something else', { message: 'inside' }],
])('%s that a route throws becomes an error response, and is logged', async (_name, thrown) => {
  const lines: string[] = [];
  const written = new Writable({ write: (chunk, _encoding, done) => (lines.push(String(chunk)), done()) });
  const log = createLog('error', written);
  const api = emptyApi({ log, options: serverOptionsSchema.parse({}), metrics: createMetrics(), now: () => 0 });
  api.get('/broken', () => {
    throw thrown;
  });
  const answer = await api.request('/broken');
  expect([answer.status, await answer.json()]).toMatchObject([500, { code: 'InternalError', requestId: expect.any(String) }]);
  expect(lines[0]).toContain('inside');
});

const proxies = ['10.0.0.0/8', '2001:db8:1::/48'];

test.each([
  ['no proxy is trusted by default', '192.0.2.1', '198.51.100.9', [], '192.0.2.1'],
  ['not even on this machine', '127.0.0.1', '198.51.100.9', [], '127.0.0.1'],
  ['the header of a trusted proxy is used', '10.0.0.1', '198.51.100.9', proxies, '198.51.100.9'],
  ['the header of another proxy is not', '192.0.2.1', '198.51.100.9', proxies, '192.0.2.1'],
  ['without a header, it is the address of the socket', '10.0.0.1', undefined, proxies, '10.0.0.1'],
  ['entries that the client added are not read', '10.0.0.1', '127.0.0.1, 198.51.100.9', proxies, '198.51.100.9'],
  ['trusted hops are skipped', '10.0.0.1', '6.6.6.6, 198.51.100.9, 10.0.0.3 ,10.0.0.2', proxies, '198.51.100.9'],
  ['if all hops are trusted, it is the first', '10.0.0.1', '10.0.0.3, 10.0.0.2', proxies, '10.0.0.3'],
  ['a hop that is not an address ends the search', '10.0.0.1', '198.51.100.9, unknown', proxies, '10.0.0.1'],
  ['so does an empty hop', '10.0.0.1', '198.51.100.9, ', proxies, '10.0.0.1'],
  ['IPv4 in IPv6 is IPv4', '::ffff:10.0.0.1', '::ffff:198.51.100.9', proxies, '198.51.100.9'],
  ['IPv6 proxies', '2001:db8:1::5', '2001:DB8:2::7', proxies, '2001:db8:2::7'],
  ['a port is removed', '10.0.0.1', '198.51.100.9:5678', proxies, '198.51.100.9'],
  ['also from IPv6', '10.0.0.1', '[2001:db8:2::7]:5678', proxies, '2001:db8:2::7'],
  ['a zone is removed', 'fe80::1%eth0', undefined, proxies, 'fe80::1'],
  ['no socket, no address', undefined, '198.51.100.9', proxies, ''],
])('%s', (_, socket, forwarded, trusted, expected) => {
  expect(clientAddress(socket, forwarded, trusted)).toBe(expected);
});

test('reads a header of any length up to the first hop that is not trusted', () => {
  expect(clientAddress('10.0.0.1', `${'6.6.6.6, '.repeat(100_000)}198.51.100.9`, proxies)).toBe('198.51.100.9');
});
