import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSecret, seal, unseal } from '../../../server/platform/secrets.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';

const unix = process.platform !== 'win32';

test('uses the secret in the options, and stores none', () => {
  const data = temporaryFolder();
  expect(readSecret({ secret: 'x'.repeat(32), data })).toBe('x'.repeat(32));
  expect(existsSync(join(data, 'secret'))).toBe(false);
});

test('the first start creates one that only its owner can read, and the second uses it', () => {
  const data = join(temporaryFolder(), 'data');
  const secret = readSecret({ data });
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(readSecret({ data })).toBe(secret);
  expect(!unix || (statSync(join(data, 'secret')).mode & 0o777) === 0o600).toBe(true);
  expect(readdirSync(data)).toEqual(['secret']);
});

test('two folders have two secrets', () => {
  expect(readSecret({ data: temporaryFolder() })).not.toBe(readSecret({ data: temporaryFolder() }));
});

test.runIf(unix)('rejects a secret that everyone can read', () => {
  const data = temporaryFolder();
  readSecret({ data });
  chmodSync(join(data, 'secret'), 0o644);
  expect(() => readSecret({ data })).toThrow(expect.objectContaining({ code: 'SecretReadable' }));
  // Kubernetes gives the files of a volume to the pod's group.
  chmodSync(join(data, 'secret'), 0o660);
  expect(readSecret({ data })).toHaveLength(43);
});

test('rejects a secret that is too short', () => {
  const data = temporaryFolder();
  writeFileSync(join(data, 'secret'), 'short', { mode: 0o600 });
  expect(() => readSecret({ data })).toThrow(expect.objectContaining({ code: 'SecretInvalid' }));
});

test('reports a folder that cannot be written to', () => {
  const data = temporaryFolder();
  writeFileSync(join(data, 'file'), '');
  expect(() => readSecret({ data: join(data, 'file') })).toThrow(expect.objectContaining({ code: 'SecretNotKept' }));
});

const serverSecret = 'a secret of a server, 32 characters';

test('decrypts what it encrypted, and never encrypts the same text in the same way', () => {
  const sealed = seal('whsec_äöü', 'wh_1', serverSecret);
  expect(unseal(sealed, 'wh_1', serverSecret)).toBe('whsec_äöü');
  expect(sealed).not.toContain('whsec');
  expect(seal('whsec_äöü', 'wh_1', serverSecret)).not.toBe(sealed);
});

test('decrypts neither with another secret, nor for another name, nor after a change', () => {
  const sealed = seal('whsec_text', 'wh_1', serverSecret);
  expect(() => unseal(sealed, 'wh_1', `${serverSecret}!`)).toThrow();
  expect(() => unseal(sealed, 'wh_2', serverSecret)).toThrow();
  const bytes = Buffer.from(sealed, 'base64url');
  expect(bytes.length).toBeGreaterThan(20);
  for (const place of bytes.keys()) {
    const changed = Buffer.from(bytes);
    changed[place]! ^= 1;
    expect(() => unseal(changed.toString('base64url'), 'wh_1', serverSecret)).toThrow();
  }
});
