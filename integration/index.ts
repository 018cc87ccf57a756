import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration, IntegrationResolvedRoute } from 'astro';
import { z } from 'zod';
import { ExportError } from './errors.ts';
import { exportSite, type ExportInput, type ExportReport } from './export/export-site.ts';
import { optionsSchema, type CarrelOptions } from './options.ts';
import { readFolder } from './pages/read-folder.ts';
import { problemLine } from './problem.ts';
import type { Progress } from './progress.ts';

export type { CarrelOptions };

/** Whoever has a build run for it hears of the export while it is made, and what it noticed. */
export interface Listeners {
  onProgress?(progress: Progress): void;
  onReport?(report: ExportReport): void;
}

/**
 * Astro integration: after `astro build`, an export of the site that opens from `file://`, with search, in a folder of its own.
 * Throws a user's error of Astro when an option is wrong or the export cannot be written, which fails the build.
 */
export default function carrel(given: CarrelOptions = {}, { onProgress, onReport }: Listeners = {}): AstroIntegration {
  const parsed = optionsSchema.safeParse(given);
  if (!parsed.success)
    throw new BuildError(
      `@carrel/astro: ${z.prettifyError(parsed.error)}`,
      'Correct the options of carrel() in astro.config.mjs.',
    );
  const options = parsed.data;
  let root: string;
  let site: string | undefined;
  let routes: IntegrationResolvedRoute[] = [];
  return {
    name: '@carrel/astro',
    // Astro passes over it; whoever makes the same export in another place begins with it.
    ...{ given },
    hooks: {
      'astro:config:done': ({ config }) => {
        root = fileURLToPath(config.root);
        site = config.site;
      },
      'astro:routes:resolved': (resolved) => {
        routes = resolved.routes;
      },
      'astro:build:done': async ({ dir, pages, logger }) => {
        const redirects = redirectsOf(routes);
        const stubs = new Set(redirects.map(({ from }) => from));
        const paths = pages
          .map(({ pathname }) => pathname.replace(/\/$/, ''))
          .filter((path) => path !== '404' && !stubs.has(path));
        const folder = readFolder(fileURLToPath(dir), paths, { defaultLanguage: options.language });
        const first = await folder.pages.find(({ path }) => path === (paths.includes('') ? '' : paths[0]))?.build();
        if (!first) throw new BuildError('@carrel/astro: the build has no page.', 'Add a page, then build again.');
        const input: ExportInput = {
          name: options.name ?? first.siteName ?? first.title,
          description: first.siteDescription,
          pages: folder.pages,
          assets: folder.assets,
          redirects,
          home: first.path,
          defaultLanguage: first.language,
          defaultDocsVersion: first.docsVersion,
          notFound: folder.notFound === undefined ? undefined : { html: folder.notFound },
          problems: [],
        };
        try {
          const report = await exportSite(input, {
            out: resolve(root, options.out),
            zip: options.zip && resolve(root, options.zip),
            deployment: options.deployment,
            vendor: options.vendor,
            label: options.label,
            siteUrl: site,
            generator: `carrel/${version()}`,
            environment: process.env,
            onProgress,
          });
          onReport?.(report);
          for (const problem of report.warnings) if (problem.severity !== 'note') logger.warn(problemLine(problem));
          logger.info(`${report.pages} pages and their search index are in ${options.out}/ (version ${report.version})`);
        } catch (error) {
          if (error instanceof ExportError) throw new BuildError(`@carrel/astro: ${error.message}`, error.hint);
          throw error;
        }
      },
    },
  };
}

/** Astro knows its users' errors by this name, and shows the hint. Its own class may not be found from here: it is the project's package. */
class BuildError extends Error {
  override name = 'AstroUserError';
  readonly type = 'AstroUserError';
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

function redirectsOf(routes: IntegrationResolvedRoute[]): { from: string; to: string }[] {
  return routes.flatMap(({ type, pattern, redirect }) => {
    if (type !== 'redirect' || redirect === undefined || pattern.includes('[')) return [];
    return [{ from: pattern.replace(/^\/|\/$/g, ''), to: typeof redirect === 'string' ? redirect : redirect.destination }];
  });
}

function version(): string {
  const file = new URL(import.meta.url.endsWith('.ts') ? './package.json' : '../package.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')).version;
}
