import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/**
 * Folders (and single files) from the lowest level to the highest, a level a line. A file imports, types included, from its own
 * folder and from what stands to its left or above it.
 */
const levels = [
  [
    'integration/errors.ts',
    'integration/text',
    'integration/texts',
    'integration/manifest.ts',
    'integration/diagnostics.ts',
    'integration/export-messages.ts',
  ],
  ['integration/urls', 'integration/html', 'integration/search'],
  [
    'integration/page',
    'integration/reader/shared',
    'integration/reader/core',
    'integration/reader/search',
    'integration/reader/ask',
    'integration/reader/playground',
    'integration/reader/diagrams',
    'integration/reader/analytics',
    'integration/reader',
  ],
  ['integration/reader-build', 'integration/scripts', 'integration/remote', 'integration/output'],
  ['integration/page-settings.ts'],
  ['integration/export'],
  ['integration/option-values.ts', 'integration/options.ts', 'integration/static-site'],
  ['integration/astro', 'integration/index.ts'],

  ['server/platform', 'server/database'],
  ['server/http', 'server/storage'],
  ['server/organizations', 'server/sites', 'server/sources'],
  [
    'server/jobs/model',
    'server/jobs/queue',
    'server/jobs',
    'server/jobs/worker',
    'server/jobs/causes',
    'server/jobs/routes',
    'server/active-exports',
  ],
  [
    'server/hosting',
    'server/assistant/request',
    'server/assistant/model',
    'server/assistant/retrieve',
    'server/assistant/answer',
    'server/assistant/threads',
    'server/assistant/stream',
    'server/assistant',
    'server/playground',
    'server/webhooks',
    'server/analytics',
  ],
  ['server/services.ts', 'server/dashboard', 'server/health', 'server/routes.ts'],
  ['server/first-start.ts', 'server/server.ts', 'server/index.ts'],

  ['src/version.ts', 'src/source', 'src/cache'],
  ['src/islands'],
  ['src/markdown', 'src/openapi'],
  ['src/import'],
  ['src/site'],
  ['src/theme', 'src/components', 'src/layouts', 'src/pages', 'src/elements', 'src/setup'],
  ['src/social-cards'],
  ['src/render'],
  ['src/export'],
  ['src/publish'],
  ['src/preview', 'src/cli'],
].flat();

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
  if (level === -1) return [`${file} has no level: add its folder to test/support/layers.ts`];
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
  const fitting = levels.filter((name) => file === name || file.startsWith(`${name}/`));
  return levels.indexOf(fitting.sort((a, b) => b.length - a.length)[0] ?? '');
}

function importsOf(text: string): string[] {
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s(?:[^'";]*?\sfrom\s)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g,
  );
  return [...found].map((match) => match[1] ?? match[2] ?? '');
}
