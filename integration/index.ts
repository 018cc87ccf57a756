import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroConfig, AstroIntegration, HookParameters } from 'astro';
import { withAstroErrors } from './astro/build-error.ts';
import { checkOutputPaths, type OutputPaths } from './astro/check-output-paths.ts';
import type { CarrelOptions, ParsedOptions } from './options.ts';
import type { ExportMessages } from './export-messages.ts';
import { firstProblems, problemLine, type Problem } from './diagnostics.ts';
import { readOptions } from './astro/read-options.ts';
import { routesOfBuild, type Route } from './astro/routes.ts';
import { runLast } from './astro/run-last.ts';

export type { CarrelOptions };

/**
 * Astro integration: after `astro build`, an export of the site that opens from `file://`, with search, in a folder of its own.
 * Throws a user's error of Astro when an option is wrong or the export cannot be written, which fails the build.
 */
export default function carrel(given: CarrelOptions = {}, messages?: ExportMessages): AstroIntegration {
  // Options are checked before the build, which may take minutes.
  const options = withAstroErrors(() => readOptions(given));
  let config: AstroConfig;
  let routes: Route[] | undefined;
  const integration = runLast('@carrel/astro', {
    onConfig(done) {
      config = done.config;
      const others = othersThan(integration, done.config.integrations).map((other) => outputPathsOf(done, other));
      withAstroErrors(() => checkOutputPaths(outputPathsOf(done, options), others));
    },
    onRoutes: (resolved) => void (routes = resolved.routes),
    async onBuilt(built) {
      const { dir, pages, logger } = built;
      const paths = pages.map(({ pathname }) => pathname);
      const build = { root: fileURLToPath(dir), paths, config, routes: routes ?? routesOfBuild(built, config.output) };
      const report = await loadExport().exportBuild(build, options, messages);
      print(
        report.warnings.filter(({ severity }) => severity !== 'note'),
        (line) => logger.warn(line),
      );
      // For pages that are always online, these are not warnings, but the log still has a line about them.
      print(report.warnings.filter(isRemoteNote), (line) => logger.info(line));
      const where = options.replace ? 'place of the site' : `${options.out}/`;
      const made = report.pages === 1 ? '1 page and its' : `${report.pages} pages and their`;
      logger.info(`${made} search index are in ${where} (version ${report.version})`);
    },
  });
  optionsByHook.set(integration.hooks['astro:config:setup']!, options);
  // Astro ignores the folder; the next export starts from it.
  return { ...integration, ...{ given } };
}

function print(problems: Problem[], write: (line: string) => void): void {
  const { first, others } = firstProblems(problems);
  for (const problem of first) write(problemLine(problem));
  if (others) write(`${others}.`);
}

function isRemoteNote({ severity, kind }: Problem): boolean {
  return severity === 'note' && (kind === 'remote-load' || kind === 'remote-not-vendored');
}

// The hook identifies it, since Astro copies only the properties of an integration that it knows.
const optionsByHook = new WeakMap<object, ParsedOptions>();

/** Options of other calls of this function in the same list. */
function othersThan(own: AstroIntegration, integrations: AstroIntegration[]): ParsedOptions[] {
  return integrations.flatMap(({ hooks }) => {
    const setup = hooks['astro:config:setup'];
    const options = setup && setup !== own.hooks['astro:config:setup'] ? optionsByHook.get(setup) : undefined;
    return options ? [options] : [];
  });
}

/**
 * Always loaded by Node: a linked package that an `astro.config.ts` imports is run by Vite, whose runner is closed when the build ends, and
 * then refuses every `import()`. It is also loaded only when a build needs it.
 */
function loadExport(): typeof import('./astro/export-build.ts') {
  const require = createRequire(import.meta.url);
  return require(import.meta.url.endsWith('.ts') ? './astro/export-build.ts' : './astro/export-build.js');
}

/** The folders that Astro writes to and reads from, and where the export goes. */
function outputPathsOf(
  { config, buildOutput }: HookParameters<'astro:config:done'>,
  { out, replace, zip, report }: ParsedOptions,
): OutputPaths {
  const project = fileURLToPath(config.root);
  // Astro 4 has it only in its configuration.
  const hasServer = (buildOutput ?? config.output) !== 'static';
  const site = fileURLToPath(hasServer ? config.build.client : config.outDir);
  return {
    out: replace ? site : resolve(project, out),
    replacesSite: replace,
    zip: zip && resolve(project, zip),
    report: report && resolve(project, report),
    site,
    project,
    sources: [fileURLToPath(config.srcDir), fileURLToPath(new URL('pages', config.srcDir)), fileURLToPath(config.publicDir)],
  };
}
