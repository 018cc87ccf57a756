import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroConfig, AstroIntegration, HookParameters, IntegrationResolvedRoute } from 'astro';
import { z } from 'zod';
import { checkPlaces, type Places } from './check-places.ts';
import { ExportError } from './errors.ts';
import { exportFinished } from './export-finished.ts';
import { exportOwn } from './export-own.ts';
import type { ExportReport } from './export/export-site.ts';
import { optionsSchema, type CarrelOptions, type ReadOptions } from './options.ts';
import { checkRules } from './pages/content-rules.ts';
import { problemLines } from './problem.ts';
import type { Progress } from './progress.ts';
import { languagesOf, ownAddresses, redirectsOf, routesOnRequest } from './routes.ts';
import { runLast } from './run-last.ts';

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
  const options = readOptions(given);
  let config: AstroConfig;
  let routes: IntegrationResolvedRoute[] = [];
  const integration = runLast('@carrel/astro', {
    onConfig(done) {
      config = done.config;
      try {
        checkPlaces(placesOf(done, options));
      } catch (error) {
        throw buildError(error);
      }
    },
    onRoutes: (resolved) => void (routes = resolved.routes),
    async onBuilt({ dir, pages, logger }) {
      const build = { root: fileURLToPath(dir), paths: pages.map(({ pathname }) => pathname), config, routes };
      const report = await exportBuild(build, options, onProgress).catch((error) => {
        throw buildError(error);
      });
      onReport?.(report);
      for (const line of problemLines(report.warnings.filter(({ severity }) => severity !== 'note'))) logger.warn(line);
      const place = options.replace ? 'place of the site' : `${options.out}/`;
      logger.info(`${report.pages} pages and their search index are in ${place} (version ${report.version})`);
    },
  });
  // Astro passes over it; whoever makes the same export in another place begins with it.
  return { ...integration, ...{ given } };
}

/** The folders that Astro writes to and reads from, and where the export goes. */
function placesOf({ config, buildOutput }: HookParameters<'astro:config:done'>, { out, replace, zip }: ReadOptions): Places {
  const project = fileURLToPath(config.root);
  const site = fileURLToPath(buildOutput === 'server' ? config.build.client : config.outDir);
  return {
    out: replace ? site : resolve(project, out),
    replacesSite: replace,
    zip: zip && resolve(project, zip),
    site,
    project,
    sources: [fileURLToPath(config.srcDir), fileURLToPath(new URL('pages', config.srcDir)), fileURLToPath(config.publicDir)],
  };
}

interface Build {
  /** Folder of what was built. */
  root: string;
  /** As Astro names its pages: 'guides/install/'. */
  paths: string[];
  config: AstroConfig;
  routes: IntegrationResolvedRoute[];
}

async function exportBuild(
  { root, paths, config, routes }: Build,
  { replace, out, zip, ...options }: ReadOptions,
  onProgress?: (progress: Progress) => void,
): Promise<ExportReport> {
  const project = fileURLToPath(config.root);
  const place = {
    ...options,
    out: replace ? root : resolve(project, out),
    replacesSite: replace,
    zip: zip && resolve(project, zip),
    generator: `carrel/${version()}`,
    environment: process.env,
    onProgress,
  };
  const order = paths.map((path) => path.replace(/\/$/, ''));
  if (isOwnTheme(root)) return exportOwn({ root, order, site: config.site, redirects: redirectsOf(routes) }, place);
  return exportFinished(
    {
      root,
      order,
      base: `/${config.base.replace(/^\/+|\/+$/g, '')}/`.replace('//', '/'),
      site: config.site,
      ownAddresses: ownAddresses(config.build.assetsPrefix),
      redirects: redirectsOf(routes),
      languages: languagesOf(config.i18n),
      problems: routesOnRequest(routes),
    },
    place,
  );
}

/** Whether pages are those of our own theme, which has its scripts and its search in them. */
function isOwnTheme(root: string): boolean {
  const folder = join(root, '_carrel');
  return existsSync(folder) && readdirSync(folder).some((name) => /^reader\.\w+\.js$/.test(name));
}

function readOptions(given: CarrelOptions): ReadOptions {
  const parsed = optionsSchema.safeParse(given);
  if (parsed.success) {
    const { content = [], ignore } = parsed.data;
    // Told before the build, which may take minutes.
    try {
      checkRules({ select: content, ignore });
    } catch (error) {
      throw buildError(error);
    }
    return parsed.data;
  }
  throw new BuildError(`@carrel/astro: ${z.prettifyError(parsed.error)}`, 'Correct the options of carrel() in astro.config.mjs.');
}

function buildError(error: unknown): unknown {
  return error instanceof ExportError ? new BuildError(`@carrel/astro: ${error.message}`, error.hint) : error;
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

function version(): string {
  const file = new URL(import.meta.url.endsWith('.ts') ? './package.json' : '../package.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')).version;
}
