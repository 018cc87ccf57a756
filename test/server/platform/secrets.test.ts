import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  forgetPrevious,
  hasPrevious,
  readSecrets,
  renewSecret,
  seal,
  storedSecrets,
  unseal,
  type Secrets,
} from '../../../server/platform/secrets.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';

const unix = process.platform !== 'win32';

test('uses the secret in the options, and stores none', () => {
  const data = temporaryFolder();
  expect(readSecrets({ secret: 'x'.repeat(32), data })).toEqual(['x'.repeat(32)]);
  expect(existsSync(join(data, 'secret'))).toBe(false);
});

test('the first start creates one that only its owner can read, and the second uses it', () => {
  const data = join(temporaryFolder(), 'data');
  const [secret] = readSecrets({ data });
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(readSecrets({ data })).toEqual([secret]);
  expect(!unix || (statSync(join(data, 'secret')).mode & 0o777) === 0o600).toBe(true);
  expect(readdirSync(data)).toEqual(['secret']);
});

test('two folders have two secrets', () => {
  expect(readSecrets({ data: temporaryFolder() })).not.toEqual(readSecrets({ data: temporaryFolder() }));
});

test.runIf(unix)('rejects a secret that everyone can read', () => {
  const data = temporaryFolder();
  readSecrets({ data });
  chmodSync(join(data, 'secret'), 0o644);
  expect(() => readSecrets({ data })).toThrow(expect.objectContaining({ code: 'SecretReadable' }));
  // Kubernetes gives the files of a volume to the pod's group.
  chmodSync(join(data, 'secret'), 0o660);
  expect(readSecrets({ data })[0]).toHaveLength(43);
});

test('rejects a secret that is too short', () => {
  const data = temporaryFolder();
  writeFileSync(join(data, 'secret'), 'short', { mode: 0o600 });
  expect(() => readSecrets({ data })).toThrow(expect.objectContaining({ code: 'SecretInvalid' }));
});

test('reports a folder that cannot be written to', () => {
  const data = temporaryFolder();
  writeFileSync(join(data, 'file'), '');
  expect(() => readSecrets({ data: join(data, 'file') })).toThrow(expect.objectContaining({ code: 'SecretNotKept' }));
});

test('accepts the secret of before beside the current one, wherever that is from', () => {
  const data = temporaryFolder();
  const [current, secretPrevious] = ['x'.repeat(32), 'y'.repeat(32)];
  expect(readSecrets({ secret: current, secretPrevious, data })).toEqual([current, secretPrevious]);
  expect(readSecrets({ secret: current, secretPrevious: current, data })).toEqual([current]);
  expect(storedSecrets({ data })).toEqual([]);
  const [made] = readSecrets({ data });
  expect(readSecrets({ secretPrevious, data })).toEqual([made, secretPrevious]);
});

test('a new secret replaces the one in the data folder, which stays until it is forgotten', () => {
  const data = temporaryFolder();
  const secrets = readSecrets({ data });
  const [old] = secrets;
  expect(hasPrevious({ data })).toBe(false);
  renewSecret(secrets, { data });
  expect(secrets).toEqual([expect.stringMatching(/^[\w-]{43}$/), old]);
  expect(readSecrets({ data })).toEqual(secrets);
  expect(readdirSync(data).sort()).toEqual(['secret', 'secret.previous']);
  expect(!unix || (statSync(join(data, 'secret.previous')).mode & 0o777) === 0o600).toBe(true);
  // A process that is killed between the two files has not changed the first one.
  writeFileSync(join(data, 'secret'), old);
  expect(readSecrets({ data })).toEqual([old]);
  forgetPrevious(secrets, { data });
  expect(secrets).toEqual([old]);
  expect(hasPrevious({ data })).toBe(false);
});

const serverSecret: Secrets = ['a secret of a server, 32 characters'];

test('decrypts what it encrypted, and never encrypts the same text in the same way', () => {
  const sealed = seal('whsec_äöü', 'wh_1', serverSecret);
  expect(unseal(sealed, 'wh_1', serverSecret)).toBe('whsec_äöü');
  expect(sealed).not.toContain('whsec');
  expect(seal('whsec_äöü', 'wh_1', serverSecret)).not.toBe(sealed);
});

test('decrypts neither with another secret, nor for another name, nor after a change', () => {
  const sealed = seal('whsec_text', 'wh_1', serverSecret);
  expect(() => unseal(sealed, 'wh_1', [`${serverSecret[0]}!`])).toThrow();
  expect(() => unseal(sealed, 'wh_2', serverSecret)).toThrow();
  const bytes = Buffer.from(sealed, 'base64url');
  expect(bytes.length).toBeGreaterThan(20);
  for (const place of bytes.keys()) {
    const changed = Buffer.from(bytes);
    changed[place]! ^= 1;
    expect(() => unseal(changed.toString('base64url'), 'wh_1', serverSecret)).toThrow();
  }
});
