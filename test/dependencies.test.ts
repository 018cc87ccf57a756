import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { dependencyFaults } from './support/dependencies.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
// Loaded by a name put together at run time, or as the peer of another; of a project's Astro types alone are imported.
const indirect = [/^@iconify-json\//, /^hono$/, /^astro$/];

test.each(['.', 'integration', 'server'])('the package in %s names what it imports, and nothing else', (folder) => {
  const { missing, unused } = dependencyFaults(root, folder);
  expect(missing.filter((name) => folder !== '.' || name !== 'astro')).toEqual([]);
  expect(unused.filter((name) => !indirect.some((pattern) => pattern.test(name)))).toEqual([]);
});

test('the package that carries the others names the versions that they name', () => {
  const [own, ...others] = ['.', 'integration', 'server'].map((folder) => {
    return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).dependencies as Record<string, string>;
  });
  const carried = Object.assign({}, ...others) as Record<string, string>;
  delete carried['@carrel/astro'];
  expect(Object.keys(carried).length).toBeGreaterThan(20);
  expect(own).toMatchObject(carried);
});
