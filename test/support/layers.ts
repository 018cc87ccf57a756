import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/**
 * Folders (and single files) from the lowest to the highest, with what they hold. A file imports, types included, from its own folder and from
 * what stands above it here. The tables of CONTRIBUTING.md are made of this list (reference-pages.ts).
 */
export const levels: Record<string, string> = {
  'integration/errors.ts': 'errors with a code (error-codes.json), which are shown to users',
  'integration/text': 'edits, escaping, encodings, lists, similar names, contrast of colors: text in, text out',
  'integration/texts': 'the texts of readers and answers in all languages, a JSON file each; English is the type',
  'integration/manifest.ts': 'carrel.json: the pages and files of an export',
  'integration/diagnostics.ts': 'problems of docs (problem-kinds.json): one line each, sorted, counted',
  'integration/export-messages.ts': 'the JSON lines by which an exporter tells a server how far it is',
  'integration/urls': 'relative URLs, names of files, and which file a URL means',
  'integration/html': 'a tokenizer, references and loads of a page, selectors, CSS, media types',
  'integration/search': 'the search core: index, shards, query, ranking, excerpts, quotes. It imports only minisearch',
  'integration/page': 'a built page read once: links, loads, sections; rewriting; its Markdown version',
  'integration/reader/shared': "what the scripts in the reader's browser share",
  'integration/reader/core': 'the page itself: theme, menus, copy buttons, highlights',
  'integration/reader/search': 'the search dialog',
  'integration/reader/ask': 'the Ask panel',
  'integration/reader/playground': 'the dialog that sends requests to an API',
  'integration/reader/diagrams': 'diagrams that the export could not draw',
  'integration/reader/analytics': 'consent, providers and events of readers',
  'integration/reader': 'the entries of these scripts',
  'integration/reader-build': "compiling the reader's scripts with Vite",
  'integration/scripts': "module scripts of existing sites as classic ones for file://; a page's own policy",
  'integration/remote': 'what happens to external loads; the limits of every outgoing request (safe-fetch.ts)',
  'integration/output': 'the written folder, incremental exports, zip files, verification',
  'integration/page-settings.ts': 'carrel.config.js: the settings of pages at deploy time',
  'integration/export': 'pages and index → folder; redirects, sitemap, llms.txt, manifest',
  'integration/option-values.ts': 'schemas of single options',
  'integration/options.ts': 'the options of carrel() for Astro',
  'integration/static-site': 'existing sites: reading built HTML, and what the pages of each generator need',
  'integration/astro': 'the Astro integration, `<CarrelSearch />`, the Starlight plugin',
  'integration/index.ts': 'what @carrel/astro exports',

  'server/platform': 'options, API errors (error-codes.json), log, metrics, secrets, child processes',
  'server/database': 'the embedded database or PostgreSQL, migrations, the lock of the data folder',
  'server/http': 'the shell of the API and its description, content negotiation, ranges',
  'server/storage': 'disk and S3, signed links',
  'server/organizations': 'keys, sessions, plans, limits, the audit log',
  'server/members': 'people: invitations, roles, and the ways to sign in',
  'server/sites': 'the registry of sites and their settings',
  'server/sources': 'where docs come from: folder and git',
  'server/jobs/model': 'jobs and exports as rows and as answers',
  'server/jobs/queue': 'the queue, its workers, recovery',
  'server/jobs': 'starting exports, and retention',
  'server/jobs/worker': 'runs the exporter or an Astro build as a process, and stores what it wrote',
  'server/jobs/causes': 'what starts an export: pushes, schedules, previews',
  'server/jobs/routes': 'jobs by HTTP',
  'server/active-exports': 'the export that a site serves, opened once',
  'server/hosting': 'the files of a site, and their security headers',
  'server/assistant/request': 'request → question',
  'server/assistant/model': 'models, with or without tools',
  'server/assistant/retrieve': 'question → ranked sections',
  'server/assistant/answer': 'prompt, answer, citations that exist',
  'server/assistant/threads': 'conversations',
  'server/assistant/stream': 'text → events for chat clients',
  'server/assistant': 'routes of assistant and search; MCP',
  'server/playground': 'requests of the playground through the server',
  'server/webhooks': 'signed messages',
  'server/analytics': 'events of readers, and reports on them',
  'server/services.ts': 'all services, opened once',
  'server/dashboard': 'the dashboard, and /reference',
  'server/health': 'health, doctor, backup',
  'server/routes.ts': 'all routes',
  'server/first-start.ts': 'what the first start creates: organization, keys, first site',
  'server/server.ts': 'the running server',
  'server/index.ts': 'what @carrel/server exports',
  'server/deploy': 'Dockerfile, Compose files, charts, template for GitLab',

  'src/version.ts': 'the version',
  'src/source': 'a docs folder as written, docs.json with its lines, dialects of other generators',
  'src/cache': 'storage of the cache (its keys: render/render-pages.ts)',
  'src/islands': 'components that run: compiling, the process that renders them, their runtime in the browser',
  'src/markdown': 'Markdown and MDX → safe HTML',
  'src/openapi': 'API specifications → pages of operations, channels, schemas',
  'src/import': 'docs.json from the configuration of other generators',
  'src/site': 'navigation and the branch of it that a page carries, pages, versions, languages, redirects',
  'src/theme': 'the compiled Astro theme, and the program that draws diagrams (theme/drawing)',
  'src/components': 'Astro components of the theme',
  'src/layouts': "the theme's page layout",
  'src/pages': "the theme's routes",
  'src/elements': "the theme's scripts",
  'src/styles': "the theme's stylesheets",
  'src/setup': 'installing and building',
  'src/social-cards': 'images of pages for social networks',
  'src/render': 'an opened docs folder: its site, and what renders its pages',
  'src/export': 'exporting a docs folder or built HTML, joining exports; a docs folder in an Astro build',
  'src/signing': 'who made an export and from what: keys and signatures in the format of minisign, provenance, bill of materials',
  'src/publish': 'uploading an export to a bucket, a folder or a branch',
  'src/preview': '`carrel dev`: a docs folder in the browser, and after each change',
  'src/cli': 'a file for each command',
  'src/manual': "Carrel's own docs",
};
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
  const fitting = names.filter((name) => file === name || file.startsWith(`${name}/`));
  return names.indexOf(fitting.sort((a, b) => b.length - a.length)[0] ?? '');
}

function importsOf(text: string): string[] {
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s(?:[^'";]*?\sfrom\s)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g,
  );
  return [...found].map((match) => match[1] ?? match[2] ?? '');
}
