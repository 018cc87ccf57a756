import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import layers from './layers.json' with { type: 'json' };

/**
 * Folders (and single files) from the lowest to the highest, with what they hold. A file imports, types included, from its own folder and from
 * what stands above it here. The tables of CONTRIBUTING.md are made of this list (reference-pages.ts).
 */
export const levels: Record<string, string> = layers;
const names = Object.keys(levels);

/** What a package of ours may import from npm; any package where it is not listed. */
const packages: Record<string, string[]> = { 'integration/search': ['minisearch'] };

/** Imports against the levels, one line each. */
export function wrongImports(root: string): string[] {
  return ['src', 'server', 'integration']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        posix.join(folder, name.replaceAll('\\', '/')),
      ),
    )
    .filter((file) => /\.(ts|astro|mjs)$/.test(file) && !/(^|\/)(build|dist|node_modules|manual|deploy)\//.test(file))
    .sort()
    .flatMap((file) => wrongIn(file, readFileSync(join(root, file), 'utf8')));
}

function wrongIn(file: string, text: string): string[] {
  const level = levelOf(file);
  if (level === -1) return [`${file} has no level: add its folder to test/support/layers.json`];
  const allowedPackages = Object.entries(packages).find(([folder]) => file.startsWith(`${folder}/`))?.[1];
  return importsOf(text).flatMap((specifier) => {
    if (!specifier.startsWith('.')) {
      if (!allowedPackages || allowedPackages.includes(specifier)) return [];
      return [`${file} imports "${specifier}", but only ${allowedPackages.join(', ')} is allowed`];
    }
    const target = posix.join(posix.dirname(file), specifier);
    if (!/^(src|server|integration)\//.test(target)) return [];
    if (target.endsWith('package.json') || levelOf(target) <= level) return [];
    return [`${file} imports "${target}", which is on a higher level`];
  });
}

/** The position of the longest listed name that fits a file: the packages run integration, server, src. */
function levelOf(file: string): number {
  const fitting = names.filter((name) => file === name || file.startsWith(`${name}/`));
  return names.indexOf(fitting.sort((a, b) => b.length - a.length)[0] ?? '');
}

function importsOf(text: string): string[] {
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s(?:[^'";]*?\sfrom\s)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g,
  );
  return [...found].map((match) => match[1] ?? match[2] ?? '');
}
