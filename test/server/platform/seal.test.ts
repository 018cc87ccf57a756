import { expect, test } from 'vitest';
import { seal, unseal } from '../../../server/platform/secrets.ts';

const secret = 'a secret of a server, 32 characters';

test('what was sealed opens again, and twice the same is not seen to be the same', () => {
  const sealed = seal('whsec_äöü', 'wh_1', secret);
  expect(unseal(sealed, 'wh_1', secret)).toBe('whsec_äöü');
  expect(sealed).not.toContain('whsec');
  expect(seal('whsec_äöü', 'wh_1', secret)).not.toBe(sealed);
});

test('it opens neither with another secret, nor in another place, nor after a change', () => {
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
