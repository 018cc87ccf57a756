import { describe, expect, test } from 'vitest';
import { checkFolder, checkRef, gitUrl } from '../../../server/sources/git-url.ts';

describe('a git URL', () => {
  test.each([
    ['https://git.example.com/a/b.git', { protocol: 'https', host: 'git.example.com', port: 443 }],
    ['https://git.example.com:8443/a', { protocol: 'https', host: 'git.example.com', port: 8443 }],
    ['ssh://git@git.example.com/a/b.git', { protocol: 'ssh', host: 'git.example.com', port: 22 }],
    ['ssh://git.example.com:2222/a', { protocol: 'ssh', host: 'git.example.com', port: 2222 }],
    ['https://[2001:db8::1]/a', { protocol: 'https', host: '2001:db8::1', port: 443 }],
    ['HTTPS://Git.Example.com/a', { protocol: 'https', host: 'git.example.com', url: 'https://git.example.com/a' }],
  ])('%s is read', (text, address) => {
    expect(gitUrl(text)).toMatchObject(address);
  });

  test.each([
    'http://git.example.com/a',
    'git://git.example.com/a',
    'file:///etc',
    'ext::sh -c touch',
    'ext::sh',
    '../a',
    '/srv/a.git',
    'a',
    '',
    '-u/x',
    '--upload-pack=touch',
    'git@git.example.com:a/b.git',
    'https://',
    'https:///a',
    'https://git.example.com',
    'https://git.example.com//',
    'https://user:word@git.example.com/a',
    'https://token@git.example.com/a',
    'ssh://git:word@git.example.com/a',
    'ssh://-oProxyCommand=touch/a',
    'ssh://-git@git.example.com/a',
    'ssh://git.example.com`touch`/a',
    "ssh://git.example.com'/a",
    'https://git.example.com/a b',
    'https://git.example.com/a\nb',
    'https://git.example.com/a#b',
    'https://git.example.com/a?b',
    'https://git.example.com\\@10.0.0.1/a',
  ])('%s is refused', (text) => {
    expect(() => gitUrl(text)).toThrow(expect.objectContaining({ code: 'GitAddressInvalid' }));
  });

  test('the error for a refused address does not show the password', () => {
    expect(() => gitUrl('https://user:word@git.example.com/a')).toThrow(
      '"https://***@git.example.com/a" must not contain a user',
    );
  });
});

test.each(['main', 'v1.2', 'release/3.x', 'größe', '0123456789abcdef', 'feature-1', 'a@b'])('%s may be a branch', (ref) => {
  expect(checkRef(ref)).toBe(ref);
});

test.each([
  '',
  '-main',
  '--upload-pack=x',
  '+main',
  'a:b',
  'a b',
  'a..b',
  'a~1',
  'a^',
  'a*',
  'a?',
  'a[',
  '@',
  'a@{1}',
  'a.lock',
  '/a',
  'a/',
  'a//b',
  'a.',
  '.a',
  'a/.b',
  'a\nb',
  'a\\b',
])('"%s" cannot be a branch', (ref) => {
  expect(() => checkRef(ref)).toThrow(expect.objectContaining({ code: 'GitRefInvalid' }));
});

test.each([
  ['', ''],
  ['./docs/', 'docs'],
  ['docs//guides', 'docs/guides'],
])('the folder "%s" is "%s"', (folder, path) => {
  expect(checkFolder(folder)).toBe(path);
});

test.each(['/', '-docs', '..', 'docs/../..', 'a\\b', 'a\0b', '.git', '.git/hooks', '.GIT'])(
  '"%s" cannot be a folder',
  (folder) => {
    expect(() => checkFolder(folder)).toThrow(expect.objectContaining({ code: 'GitFolderInvalid' }));
  },
);
