// Exports what Astro has built.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroConfig } from 'astro';
import { buildError } from './build-error.ts';
import { ExportError } from '../errors.ts';
import { EgressError } from '../remote/request-report.ts';
import { exportStaticSite } from '../static-site/export-static-site.ts';
import { exportOwn } from './export-own.ts';
import type { ExportReport } from '../export/export-site.ts';
import type { ExportMessages, Progress } from '../export-messages.ts';
import type { ParsedOptions } from '../options.ts';
import { failedReport, writeReport } from '../output/write-report.ts';
import { languagesOf, ownUrls, redirectsOf, routesOnRequest, type Route } from './routes.ts';

export interface Build {
  /** Folder of the build. */
  root: string;
  /** As Astro names its pages: 'guides/install/'. */
  paths: string[];
  config: AstroConfig;
  routes: Route[];
}

/** Throws a user's error of Astro. */
export async function exportBuild(build: Build, options: ParsedOptions, messages?: ExportMessages): Promise<ExportReport> {
  const file = options.report && resolve(fileURLToPath(build.config.root), options.report);
  try {
    const report = await exportOf(build, options, messages?.progress);
    if (file) writeReport(file, report);
    messages?.report(report);
    return report;
  } catch (error) {
    if (file && error instanceof EgressError) writeReport(file, failedReport(error));
    messages?.error(error);
    throw buildError(error);
  }
}

function exportOf(
  { root, paths, config, routes }: Build,
  { replace, out, zip, report: _report, ...options }: ParsedOptions,
  onProgress?: (progress: Progress) => void,
): Promise<ExportReport> {
  const project = fileURLToPath(config.root);
  checkSite(config.site);
  const target = {
    ...options,
    out: replace ? root : resolve(project, out),
    replacesSite: replace,
    zip: zip && resolve(project, zip),
    generator: `carrel/${version()}`,
    environment: process.env,
    onProgress,
  };
  const order = paths.map((path) => path.replace(/\/$/, ''));
  if (isOwnTheme(root)) return exportOwn({ root, order, site: config.site, redirects: redirectsOf(routes) }, target);
  return exportStaticSite(
    {
      root,
      order,
      base: `/${config.base.replace(/^\/+|\/+$/g, '')}/`.replace('//', '/'),
      site: config.site,
      ownUrls: ownUrls(config.build.assetsPrefix),
      redirects: redirectsOf(routes),
      languages: languagesOf(config.i18n),
      problems: routesOnRequest(routes),
    },
    target,
  );
}

/** Whether the pages are of our own theme, which includes its scripts and search. */
function isOwnTheme(root: string): boolean {
  const folder = join(root, '_carrel');
  return existsSync(folder) && readdirSync(folder).some((name) => /^reader\.\w+\.js$/.test(name));
}

function version(): string {
  const file = new URL(import.meta.url.endsWith('.ts') ? '../package.json' : '../../package.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')).version;
}

/** Astro accepts any URL, and canonical links and the sitemap begin with it. */
function checkSite(site: string | undefined): void {
  if (!/[?#]/.test(site ?? '')) return;
  throw new ExportError(
    'InvalidOptions',
    `"site" is "${site}", with a query or a fragment, but the URLs of all pages begin with it.`,
    'Remove them from the Astro configuration.',
  );
}
