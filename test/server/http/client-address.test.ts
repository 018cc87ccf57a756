import { expect, test } from 'vitest';
import { clientAddress } from '../../../server/http/api.ts';

const proxies = ['10.0.0.0/8', '2001:db8:1::/48'];

test.each([
  ['no proxy is trusted by default', '192.0.2.1', '198.51.100.9', [], '192.0.2.1'],
  ['not even on this machine', '127.0.0.1', '198.51.100.9', [], '127.0.0.1'],
  ['a trusted proxy is believed', '10.0.0.1', '198.51.100.9', proxies, '198.51.100.9'],
  ['one that is not trusted is not', '192.0.2.1', '198.51.100.9', proxies, '192.0.2.1'],
  ['without a header it is the socket', '10.0.0.1', undefined, proxies, '10.0.0.1'],
  ['what the caller wrote himself stands left and is not read', '10.0.0.1', '127.0.0.1, 198.51.100.9', proxies, '198.51.100.9'],
  ['trusted hops are passed', '10.0.0.1', '6.6.6.6, 198.51.100.9, 10.0.0.3 ,10.0.0.2', proxies, '198.51.100.9'],
  ['when all are trusted it is the first', '10.0.0.1', '10.0.0.3, 10.0.0.2', proxies, '10.0.0.3'],
  ['a hop that is no address ends the reading', '10.0.0.1', '198.51.100.9, unknown', proxies, '10.0.0.1'],
  ['nothing between commas too', '10.0.0.1', '198.51.100.9, ', proxies, '10.0.0.1'],
  ['IPv4 in IPv6 is IPv4', '::ffff:10.0.0.1', '::ffff:198.51.100.9', proxies, '198.51.100.9'],
  ['IPv6 proxies', '2001:db8:1::5', '2001:DB8:2::7', proxies, '2001:db8:2::7'],
  ['a port is left out', '10.0.0.1', '198.51.100.9:5678', proxies, '198.51.100.9'],
  ['of IPv6 too', '10.0.0.1', '[2001:db8:2::7]:5678', proxies, '2001:db8:2::7'],
  ['a zone is left out', 'fe80::1%eth0', undefined, proxies, 'fe80::1'],
  ['no socket, no address', undefined, '198.51.100.9', proxies, ''],
])('%s', (_, socket, forwarded, trusted, expected) => {
  expect(clientAddress(socket, forwarded, trusted)).toBe(expected);
});

test('reads a header of any length up to the first hop that is not trusted', () => {
  expect(clientAddress('10.0.0.1', `${'6.6.6.6, '.repeat(100_000)}198.51.100.9`, proxies)).toBe('198.51.100.9');
});
