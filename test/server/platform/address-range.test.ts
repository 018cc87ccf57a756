import { describe, expect, test } from 'vitest';
import { isInside, parseAddress, parseRange } from '../../../server/platform/address-range.ts';

const inside = (address: string, ...ranges: string[]) =>
  isInside(
    address,
    ranges.map((range) => parseRange(range)!),
  );

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
])('%s is in %s: %s', (address, range, expected) => {
  expect(inside(address, range)).toBe(expected);
});

test('any of several ranges will do, and none lets nobody in', () => {
  expect(inside('2001:db8::1', '192.0.2.0/24', '2001:db8::/32')).toBe(true);
  expect(inside('192.0.2.1')).toBe(false);
});

describe('what is no address and no range', () => {
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

test('an address is written one way', () => {
  expect(parseAddress('::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(parseAddress('2001:0DB8::0001')).toBe('2001:db8::1');
  expect(parseAddress('nobody')).toBeUndefined();
});
