import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildStaticSite } from './build-static-site.ts';

test.each([6, 7] as const)(
  'a site is built once with Astro %s, and reused while its inputs are unchanged',
  async (astro) => {
    const [first, second] = await Promise.all([
      buildStaticSite('strict-csp', { astro }),
      buildStaticSite('strict-csp', { astro }),
    ]);
    expect(second).toEqual(first);
    expect(await buildStaticSite('strict-csp', { astro })).toEqual(first);
    expect(existsSync(join(first.dist, 'inventory/index.html'))).toBe(true);
    expect(existsSync(join(first.offline, 'inventory/index.html'))).toBe(true);
    expect(first.output).toContain('@carrel/astro');
  },
  300_000,
);

test('a failed build reports what Astro printed, and leaves no folder behind', async () => {
  const environment = { SITE_FORMAT: 'sideways' };
  const failure = await buildStaticSite('plain-base', { astro: 7, environment }).then(() => '', String);
  const [, folder] = /"plain-base" .* Astro 7 in (.+):\n[^]*build\.format/.exec(failure) ?? [];
  expect(folder).toContain('plain-base');
  expect(existsSync(folder!)).toBe(false);
}, 300_000);
