import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSecret } from '../../../server/platform/secrets.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';

const unix = process.platform !== 'win32';

test('a secret that is given is taken, and none is kept', () => {
  const data = temporaryFolder();
  expect(readSecret({ secret: 'x'.repeat(32), data })).toBe('x'.repeat(32));
  expect(existsSync(join(data, 'secret'))).toBe(false);
});

test('the first start makes one that only its owner can read, and the second has the same', () => {
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

test.runIf(unix)('one that everybody can read is refused', () => {
  const data = temporaryFolder();
  readSecret({ data });
  chmodSync(join(data, 'secret'), 0o644);
  expect(() => readSecret({ data })).toThrow(expect.objectContaining({ code: 'SecretReadable' }));
  // Kubernetes gives the files of a volume to the pod's group.
  chmodSync(join(data, 'secret'), 0o660);
  expect(readSecret({ data })).toHaveLength(43);
});

test('one that is too short is refused', () => {
  const data = temporaryFolder();
  writeFileSync(join(data, 'secret'), 'short', { mode: 0o600 });
  expect(() => readSecret({ data })).toThrow(expect.objectContaining({ code: 'SecretInvalid' }));
});

test('a place that cannot be written is told', () => {
  const data = temporaryFolder();
  writeFileSync(join(data, 'file'), '');
  expect(() => readSecret({ data: join(data, 'file') })).toThrow(expect.objectContaining({ code: 'SecretNotKept' }));
});
