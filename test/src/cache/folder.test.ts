import { homedir } from 'node:os';
import { expect, test } from 'vitest';
import { defaultCacheFolder } from '../../../src/cache/folder.ts';

test.each([
  [{ XDG_CACHE_HOME: '/x' }, 'linux', '/x/carrel'],
  [{ LOCALAPPDATA: '/local' }, 'win32', '/local/carrel/cache'],
  [{ LOCALAPPDATA: '/local' }, 'linux', `${homedir()}/.cache/carrel`],
] as const)('finds the cache folder in %o on %s', (environment, platform, expected) => {
  expect(defaultCacheFolder(environment, platform)).toBe(expected);
});
