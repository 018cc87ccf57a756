import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { dependencyFaults } from './support/dependencies.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
// Loaded by a name put together at run time, or as the peer of another; of a project's Astro types alone are imported.
const indirect = [/^@iconify-json\//, /^hono$/, /^astro$/];

test.each(['.', 'integration', 'server'])('the package in %s names what it imports, and nothing else', (folder) => {
  const { missing, unused } = dependencyFaults(root, folder);
  expect(missing).toEqual([]);
  expect(unused.filter((name) => !indirect.some((pattern) => pattern.test(name)))).toEqual([]);
});
