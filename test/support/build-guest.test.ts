import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildGuest } from './build-guest.ts';

test.each([6, 7] as const)(
  'a site is built once with Astro %s, and given again while nothing changed',
  async (astro) => {
    const [first, second] = await Promise.all([buildGuest('i18n', { astro }), buildGuest('i18n', { astro })]);
    expect(second).toEqual(first);
    expect(await buildGuest('i18n', { astro })).toEqual(first);
    expect(existsSync(join(first.dist, 'ja/pots/index.html'))).toBe(true);
    expect(existsSync(join(first.offline, 'ja/pots/index.html'))).toBe(true);
    expect(first.output).toContain('@carrel/astro');
  },
  300_000,
);

test('a build that fails tells what Astro said, and leaves nothing behind', async () => {
  const environment = { GUEST_FORMAT: 'sideways' };
  await expect(buildGuest('plain-base', { astro: 7, environment })).rejects.toThrow(/"plain-base" .* Astro 7:[^]*build\.format/);
  expect(
    readdirSync(join(import.meta.dirname, '../astro-7/.sites')).filter((name) => name.startsWith('fresh-plain-base')),
  ).toEqual([]);
}, 300_000);
