// Exports an Astro project by its own `astro build`, with `@carrel/astro` set up for the job. This runs the project's code with the
// permissions of the worker, so it is only for sites for which an operator allowed it.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { CarrelOptions } from '../../../integration/options.ts';
import { JobError } from '../../platform/errors.ts';
import { runEnvironment, createLines, runProcess } from '../../platform/run-process.ts';
import { isWhole } from '../model/job.ts';
import { failure, outputOf, runExporter, type ExportToRun, type MadeExport } from './run-export.ts';

/** Builds the project and returns its export. Rejects as `runExport` does. */
export async function buildAstro(run: ExportToRun): Promise<MadeExport> {
  const { source: project, folder, log, request, settings } = run;
  if (!isWhole(request) || request.formats)
    throw new JobError(
      'NotForAstro',
      'An Astro project is exported as a whole: start the job without "paths", "language", "groups" and "formats".',
    );
  const astro = await installedAstro(run);
  const config = join(folder, 'astro.config.mjs');
  const { folder: out, archive } = outputOf(folder);
  const options: CarrelOptions = {
    out,
    replace: false,
    zip: run.signing ? undefined : archive,
    deployment: settings.deployment,
    label: request.version,
  };
  await mkdir(join(folder, 'archive'), { recursive: true });
  await writeFile(
    config,
    astroConfig({
      project: configOf(project),
      integration: import.meta.resolve('../../../integration/index.ts'),
      messages: import.meta.resolve('../../../integration/export-messages.ts'),
      options,
      site: settings.siteUrl?.replace(/[?#].*$/s, ''),
      outDir: join(folder, 'temporary', 'pages'),
      cacheDir: join(folder, 'temporary', 'cache'),
    }),
  );

  run.onProgress({ stage: 'read', done: 1, total: 1 });
  let pages = 0;
  // Astro does not report how many pages there will be: the number rises, but the percentage waits for their export.
  const lines = createLines((line) => {
    if (/[├└]─ \S*\.html/.test(line)) run.onProgress({ stage: 'render', done: ++pages, total: Number.MAX_SAFE_INTEGER });
  });
  return runExporter(run, {
    name: 'The Astro build',
    command: process.execPath,
    // Astro resolves the configuration from the project's folder.
    args: [astro, 'build', '--root', project, '--config', relative(project, config)],
    folder: project,
    environment: { ...runEnvironment(folder), ASTRO_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' },
    onOutput(text) {
      log.write(text);
      lines.push(text);
    },
  });
}

interface AstroConfigInput {
  /** URL of the project's own configuration file. */
  project?: string;
  /** URL of `@carrel/astro`. */
  integration: string;
  /** URL of its module that writes messages to a descriptor. */
  messages: string;
  /** The options of the job; the project's other options still apply. */
  options: CarrelOptions;
  site?: string;
  outDir: string;
  cacheDir: string;
}

/** The project's own Astro configuration with the export of the job, which sends its messages to descriptor 3. */
function astroConfig({ project, integration, messages, options, site, outDir, cacheDir }: AstroConfigInput): string {
  const text = JSON.stringify;
  return `${project === undefined ? 'const project = {};' : `import project from ${text(project)};`}
import carrel from ${text(integration)};
import { exportMessages } from ${text(messages)};

const integrations = [project.integrations ?? []].flat(Infinity).filter(Boolean);
const own = integrations.find(({ name }) => name === '@carrel/astro');

export default {
  ...project,
  ...${text({ outDir, cacheDir, site })},
  // The project's own export would be a second one; its options still apply.
  integrations: [...integrations.filter((one) => one !== own), carrel({ ...own?.given, ...${text(options)} }, exportMessages(3))],
};
`;
}

/** The project's own Astro. Installs the project's packages first if there are none. */
async function installedAstro(run: ExportToRun): Promise<string> {
  const { source: project, log } = run;
  if (!existsSync(join(project, 'package.json')))
    throw new JobError(
      'NotAstro',
      `There is no package.json in ${log.clean(project)}, so it is not an Astro project. Correct the site's source or its builder.`,
    );
  const found = findAstro(project);
  if (found !== undefined) return found;
  if (existsSync(join(project, 'node_modules')))
    throw new JobError(
      'AstroMissing',
      'The project has packages installed, but Astro is not among them. Add "astro" to its dependencies.',
    );
  const command = existsSync(join(project, 'package-lock.json')) ? 'ci' : 'install';
  log.say(`The project has no node_modules: npm ${command} installs what it needs.`);
  const ended = await runProcess({
    command: 'npm',
    args: [command, '--no-audit', '--no-fund', '--no-update-notifier'],
    folder: project,
    environment: { ...runEnvironment(run.folder), npm_config_cache: join(run.cache, 'npm') },
    limits: run.limits,
    onOutput: log.write,
    signal: run.signal,
  });
  if (ended.code !== 0) throw failure(`npm ${command}`, ended, log);
  const installed = findAstro(project);
  if (installed === undefined)
    throw new JobError('AstroMissing', 'Astro is not among the dependencies of the project. Add "astro" to its package.json.');
  return installed;
}

// Resolved from the project; the server does not depend on Astro.
const astroPackage = 'astro/package.json';
const packageSchema = z.object({ bin: z.union([z.string(), z.object({ astro: z.string() })]) });

function findAstro(project: string): string | undefined {
  try {
    const file = createRequire(join(project, 'package.json')).resolve(astroPackage);
    const { bin } = packageSchema.parse(createRequire(file)(file));
    return join(file, '..', typeof bin === 'string' ? bin : bin.astro);
  } catch {
    return undefined;
  }
}

function configOf(project: string): string | undefined {
  const names = ['mjs', 'js', 'ts', 'mts'].map((extension) => join(project, `astro.config.${extension}`));
  const file = names.find((name) => existsSync(name));
  return file && pathToFileURL(file).href;
}
