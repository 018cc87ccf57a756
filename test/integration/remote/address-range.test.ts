import { describe, expect, test } from 'vitest';
import { isInside, parseAddress, parseRange } from '../../../integration/remote/address-range.ts';

test.each([
  ['192.0.2.7', '192.0.2.7', true],
  ['192.0.2.8', '192.0.2.7', false],
  ['192.0.2.200', '192.0.2.0/24', true],
  ['192.0.3.1', '192.0.2.0/24', false],
  ['192.0.2.200', '192.0.2.9/24', true],
  ['2001:db8::1', '2001:db8::/32', true],
  ['2001:db9::1', '2001:db8::/32', false],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1', true],
  ['::ffff:192.0.2.7', '192.0.2.0/24', true],
  ['192.0.2.7', '::ffff:192.0.2.0/120', true],
  ['192.0.3.7', '::ffff:192.0.2.0/120', false],
  ['192.0.2.7', '::ffff:192.0.2.7', true],
  ['192.0.2.7', '2001:db8::/32', false],
  ['::c000:207', '192.0.2.7', false],
  ['fe80::1%eth0', 'fe80::/10', true],
  ['', '192.0.2.0/24', false],
  ['unknown', '192.0.2.0/24', false],
  ['127.0.0.1', '127.1', false],
  ['127.0.0.1', '0x7f000001', false],
  ['::ffff:192.0.2.7', '::/0', false],
])('%s is in %s: %s', (address, range, expected) => {
  expect(isInside(address, [range])).toBe(expected);
});

test('accepts any of several ranges, and no address without a range', () => {
  expect(isInside('2001:db8::1', ['192.0.2.0/24', '2001:db8::/32'])).toBe(true);
  expect(isInside('192.0.2.1', [])).toBe(false);
});

describe('neither an address nor a range', () => {
  test.each([
    '',
    ' ',
    'localhost',
    '127.1',
    '010.0.0.1',
    '0x7f000001',
    '2130706433',
    '192.0.2.256',
    '192.0.2.0/33',
    '192.0.2.0/-1',
    '192.0.2.0/',
    '192.0.2.0/24/1',
    '2001:db8::/129',
    'fe80::1%eth0',
    '192.0.2.1, 192.0.2.2',
    'https://192.0.2.1',
  ])('%j', (text) => {
    expect(parseRange(text)).toBeUndefined();
  });
});

test.each(['0.0.0.0/0', '::/0', '::ffff:0.0.0.0/96', '192.0.2.1/0'])('%s has no bits: it is every address', (text) => {
  expect(parseRange(text)?.bits).toBe(0);
});

test('writes an address in its shortest form', () => {
  expect(parseAddress('::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(parseAddress('2001:0DB8::0001')).toBe('2001:db8::1');
  expect(parseAddress('nobody')).toBeUndefined();
});
