import { expect, test } from 'vitest';
import { archiveKey, bundleFileName, fileKey, manifestKey, siteFolder } from '../../../server/storage/storage-keys.ts';

const digest = 'ab'.repeat(32);

test('every kind of file of a site has its own key', () => {
  expect(fileKey('docs.test', digest)).toBe(`sites/docs.test/files/${digest}`);
  expect(archiveKey('docs.test', digest)).toBe(`sites/docs.test/archives/${digest}.zip`);
  expect(manifestKey('docs.test', digest)).toBe(`sites/docs.test/manifests/${digest}.json`);
  expect(manifestKey('docs.test', digest, 'carrel.config.js')).toBe(`sites/docs.test/manifests/${digest}.config.js`);
});

test.each(['', '..', '../docs', 'docs/test', 'Docs.test', 'docs\\test', 'docs.test\0', 'docs test', 'docs.test/', '.docs'])(
  'the domain %j has none',
  (domain) => {
    expect(() => siteFolder(domain)).toThrow('is not a domain');
    expect(() => fileKey(domain, digest)).toThrow('is not a domain');
  },
);

test.each(['', '..', digest.toUpperCase(), digest.slice(1), `${digest}0`, `${digest.slice(3)}/..`, `${digest}\n`])(
  'the digest %j has none',
  (sha256) => {
    expect(() => archiveKey('docs.test', sha256)).toThrow('is not a SHA-256 digest');
  },
);

test.each([
  ['v14', 'docs.test-v14.zip'],
  ['2026.11+rc-1', 'docs.test-2026.11+rc-1.zip'],
  ['a "b"/c\r\nX: y', 'docs.test-a-b-c-X-y.zip'],
  ['../../etc', 'docs.test-..-..-etc.zip'],
  ['später', 'docs.test-sp-ter.zip'],
  ['x'.repeat(300), `docs.test-${'x'.repeat(100)}.zip`],
])('the version %j becomes a file name', (version, name) => {
  expect(bundleFileName('docs.test', version)).toBe(name);
});
