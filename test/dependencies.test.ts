import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { dependencyFaults } from './support/dependencies.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
// Loaded by a name put together at run time, by a bundled package, or as the peer of another; of a project's Astro types alone are imported.
const indirect = [/^@iconify-json\//, /^@shikijs\//, /^@fontsource(?:-variable)?\//, /^hono$/, /^astro$/, /^@carrel\/server$/];

test.each(['.', 'integration', 'server'])('the package in %s names what it imports, and nothing else', (folder) => {
  const { missing, unused } = dependencyFaults(root, folder);
  expect(missing.filter((name) => folder !== '.' || name !== 'astro')).toEqual([]);
  expect(unused.filter((name) => !indirect.some((pattern) => pattern.test(name)))).toEqual([]);
});

test('the package that carries the others names the versions that they name', () => {
  const [own, integration, server] = ['.', 'integration', 'server'].map((folder) => manifestIn(folder));
  const named: Record<string, string> = { ...server!.dependencies, ...own!.devDependencies, ...own!.dependencies };
  const shared = Object.entries({ ...integration!.dependencies, ...server!.dependencies }).filter(([name]) => named[name]);
  expect(shared.length).toBeGreaterThan(20);
  expect(shared.filter(([name, version]) => named[name] !== version)).toEqual([]);
  expect(Object.keys(integration!.dependencies).filter((name) => !named[name])).toEqual([]);
});

test('the three packages have one version, and name it', () => {
  const [own, integration, server] = ['.', 'integration', 'server'].map((folder) => manifestIn(folder));
  expect([
    integration!.version,
    server!.version,
    server!.dependencies['@carrel/astro'],
    own!.peerDependencies['@carrel/server'],
  ]).toEqual(Array(4).fill(own!.version));
});

interface Manifest {
  version: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
}
