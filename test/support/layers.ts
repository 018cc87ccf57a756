import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** What each folder may import, by the longest folder name that fits a file. Packages: any, except where `packages` lists them. */
const layers: Record<string, { folders: string[]; packages?: string[] }> = {
  src: { folders: ['src', 'server', 'integration'] },
  server: { folders: ['server', 'integration'] },
  integration: { folders: ['integration'] },
  'integration/search': { folders: ['integration/search'], packages: ['minisearch'] },
};

/** Imports against the arrows src → server → integration → integration/search, one line each. */
export function wrongImports(root: string): string[] {
  return Object.keys(layers)
    .filter((layer) => !layer.includes('/'))
    .flatMap((layer) =>
      readdirSync(join(root, layer), { recursive: true, encoding: 'utf8' }).map((name) =>
        posix.join(layer, name.replaceAll('\\', '/')),
      ),
    )
    .filter((file) => /\.(ts|astro|mjs)$/.test(file) && !/(^|\/)(build|dist|node_modules)\//.test(file))
    .sort()
    .flatMap((file) => wrongIn(file, readFileSync(join(root, file), 'utf8')));
}

function wrongIn(file: string, text: string): string[] {
  const layer = Object.keys(layers)
    .filter((name) => file.startsWith(`${name}/`))
    .sort((a, b) => b.length - a.length)[0]!;
  const { folders, packages } = layers[layer]!;
  return importsOf(text)
    .filter((specifier) => {
      if (!specifier.startsWith('.')) return packages !== undefined && !packages.includes(specifier);
      const target = posix.join(posix.dirname(file), specifier);
      return !target.endsWith('package.json') && !folders.some((folder) => target.startsWith(`${folder}/`));
    })
    .map(
      (specifier) =>
        `${file} imports "${specifier}", but ${layer} may import only ${[...folders, ...(packages ?? ['packages'])].join(', ')}`,
    );
}

function importsOf(text: string): string[] {
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s(?:[^'";]*?\sfrom\s)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g,
  );
  return [...found].map((match) => match[1] ?? match[2]!);
}
