import { expect, test } from 'vitest';
import { sameText } from '../../../server/platform/secrets.ts';
import { hashOfSecret, kindOfSecret, newSecret } from '../../../server/organizations/keys.ts';

test('a key is its prefix and 32 bytes in base62, always of the same length', () => {
  expect(newSecret('admin', new Uint8Array(32))).toBe(`svc_${'0'.repeat(43)}`);
  const most = newSecret('assistant', new Uint8Array(32).fill(255));
  expect(most).toMatch(/^svc_dsc_[0-9A-Za-z]{43}$/);
  expect(newSecret('admin', new Uint8Array(32).fill(1))).not.toBe(newSecret('admin', new Uint8Array(32).fill(2)));
});

test('all of the 32 bytes are in a key', () => {
  const random = Uint8Array.from({ length: 32 }, (_, at) => at * 7 + 1);
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const number = newSecret('admin', random)
    .slice('svc_'.length)
    .split('')
    .reduce((sum, digit) => sum * 62n + BigInt(digits.indexOf(digit)), 0n);
  expect(number.toString(16).padStart(64, '0')).toBe(Buffer.from(random).toString('hex'));
});

test('the longer prefix is tried first', () => {
  expect(kindOfSecret(newSecret('admin', new Uint8Array(32).fill(7)))).toBe('admin');
  expect(kindOfSecret(newSecret('assistant', new Uint8Array(32).fill(7)))).toBe('assistant');
});

test.each([
  '',
  'svc_',
  'svc_dsc_',
  `svc_${'a'.repeat(42)}`,
  `svc_${'a'.repeat(44)}`,
  `svc_dsc_${'a'.repeat(39)}`,
  `sk_${'a'.repeat(43)}`,
  `SVC_${'a'.repeat(43)}`,
  `svc_${'-'.repeat(43)}`,
  `svc_${'a'.repeat(43)}\n`,
])('%j is not a key', (text) => {
  expect(kindOfSecret(text)).toBeUndefined();
});

test('compares whole texts', () => {
  const hash = hashOfSecret('svc_a');
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(sameText(hash, hashOfSecret('svc_a'))).toBe(true);
  expect(sameText(hash, hashOfSecret('svc_b'))).toBe(false);
  expect(sameText(hash, hash.slice(1))).toBe(false);
});
