import { describe, expect, test } from 'vitest';
import { sitePath } from '../../../server/hosting/site-path.ts';

describe('sitePath', () => {
  test.each([
    ['/', ''],
    ['', ''],
    ['/guides/install/', 'guides/install/'],
    ['/guides/a%20b%20%26%20c/', 'guides/a b & c/'],
    ['/%E4%BE%8B/', '例/'],
    ['/100%25/', '100%/'],
    ['/.well-known/x', '.well-known/x'],
    ['/guides/x..y', 'guides/x..y'],
  ])('reads %j as %j', (pathname, path) => {
    expect(sitePath(pathname)).toBe(path);
  });

  test.each([
    '/../secret',
    '/guides/../../secret',
    '/%2e%2e/secret',
    '/..%2fsecret',
    '/guides%2f..%2f..%2fsecret',
    '/..\\secret',
    '/..%5csecret',
    '/index.html%00.png',
    '/%',
    '/%ff',
    '//etc/passwd',
    '/guides//install',
    '/.env',
    '/.git/config',
  ])('refuses %j', (pathname) => {
    expect(sitePath(pathname)).toBeUndefined();
  });
});
