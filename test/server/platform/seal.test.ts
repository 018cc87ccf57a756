import { expect, test } from 'vitest';
import { seal, unseal } from '../../../server/platform/secrets.ts';

const secret = 'a secret of a server, 32 characters';

test('decrypts what it encrypted, and never encrypts the same text in the same way', () => {
  const sealed = seal('whsec_äöü', 'wh_1', secret);
  expect(unseal(sealed, 'wh_1', secret)).toBe('whsec_äöü');
  expect(sealed).not.toContain('whsec');
  expect(seal('whsec_äöü', 'wh_1', secret)).not.toBe(sealed);
});

test('decrypts neither with another secret, nor for another name, nor after a change', () => {
  const sealed = seal('whsec_text', 'wh_1', secret);
  expect(() => unseal(sealed, 'wh_1', `${secret}!`)).toThrow();
  expect(() => unseal(sealed, 'wh_2', secret)).toThrow();
  const bytes = Buffer.from(sealed, 'base64url');
  expect(bytes.length).toBeGreaterThan(20);
  for (const place of bytes.keys()) {
    const changed = Buffer.from(bytes);
    changed[place]! ^= 1;
    expect(() => unseal(changed.toString('base64url'), 'wh_1', secret)).toThrow();
  }
});
