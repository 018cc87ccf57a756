import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { unpublished } from './unpublished.ts';

/** Packages that a published package imports without naming them, and those it names without importing them. */
export function dependencyFaults(root: string, folder: string): { missing: string[]; unused: string[] } {
  // The package of the root carries the other two.
  const sources = folder === '.' ? ['src', 'integration', 'server'] : [folder];
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const named = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  // It bundles what it names for development, and what only a server needs comes with @carrel/server.
  const server = JSON.parse(readFileSync(join(root, 'server/package.json'), 'utf8'));
  const elsewhere = folder === '.' ? Object.keys({ ...manifest.devDependencies, ...server.dependencies }) : [];
  const used = new Set<string>();
  for (const file of sources.flatMap((source) => filesBelow(root, source))) {
    const isPublished =
      !/(^|[\\/])(build|dist|node_modules|manual)[\\/]/.test(file) && !developmentOnly.some((start) => file.startsWith(start));
    if (!file.endsWith('.ts') || !isPublished) continue;
    const text = readFileSync(join(root, file), 'utf8');
    for (const name of importedPackages(text)) used.add(name);
    if (/from '(?:\.\.\/)+integration\//.test(text) && folder === 'server') used.add('@carrel/astro');
  }
  return {
    missing: [...used].filter((name) => !named.includes(name) && !elsewhere.includes(name)).sort(),
    unused: named.filter((name) => !used.has(name)).sort(),
  };
}

function filesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`);
}

const developmentOnly = Object.entries(unpublished).flatMap(([folder, paths]) => paths.map((path) => `${folder}/${path}`));

function importedPackages(text: string): string[] {
  const found = text.matchAll(
    /^\s*(?:import|export)\s(?!type\b)[^'";]*?from\s+'([^'.][^']*)'|^\s*import\s+'([^'.][^']*)'|\b(?:import|require\.resolve|resolve)\(\s*'([^'.][^']*)'/gm,
  );
  return [...found]
    .map((match) => match[1] ?? match[2] ?? match[3]!)
    .filter((specifier) => !specifier.startsWith('node:') && !builtinModules.includes(specifier) && /^[@a-z]/.test(specifier))
    .map((specifier) =>
      specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/'),
    );
}
