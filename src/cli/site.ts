import { resolve } from 'node:path';
import { z } from 'zod';
import { ExportError } from '../../integration/errors.ts';
import type { JobObject } from '../../server/jobs/model/job-object.ts';
import { siteFeaturesSchema } from '../../integration/page-settings.ts';
import type { SiteAnswer } from '../../server/sites/site-routes.ts';
import { openApiClient, type ApiClient } from './api-client.ts';
import { fileOrText } from './file-or-text.ts';
import { commandName, flag, option, text, UsageError } from './usage.ts';
import { jobPrinter } from './progress.ts';
import { runJob } from './run-job.ts';
import { jsonOption, organizationOption, organizationQuery, runSubcommand, subcommand, table } from './subcommands.ts';

const shown = z.strictObject({ organization: organizationOption, json: jsonOption });
const addOptions = z.strictObject({
  folder: option(text.optional(), 'PATH', "Folder on the server's machine (requires the scope operator)"),
  git: option(text.optional(), 'URL', 'Repository: https://… or ssh://…, without a password'),
  ref: option(text.optional(), 'REF', 'Branch or tag (default: the default branch)'),
  subfolder: option(text.optional(), 'PATH', 'Folder in the repository that contains the docs'),
  builder: option(
    z.enum(['docs', 'astro'], { error: 'must be docs or astro' }).optional(),
    'BUILDER',
    'docs, or astro, which runs the code of the project (requires the scope operator)',
  ),
  trust: z.boolean().optional().meta({ description: 'Run the React components of the docs (requires the scope operator)' }),
  'site-url': option(text.optional(), 'URL', 'Public URL of the site, for canonical links'),
  'social-cards': z
    .boolean()
    .optional()
    .meta({ description: 'Draw an image of each page for social networks (requires --site-url)' }),
  deployment: option(text.optional(), 'TYPE', 'cloud, client-hosted or air-gapped (default: client-hosted)'),
  settings: option(
    fileOrText(z.strictObject({ features: siteFeaturesSchema })).optional(),
    'FILE|JSON',
    'Settings of the hosted pages: JSON, or a file of it (default: they stay)',
  ),
  'no-export': flag('Do not start the first export'),
  organization: organizationOption,
  json: jsonOption,
});

/** `carrel site …`: how they are used. */
export const subcommands = {
  add: subcommand({
    usage: 'site add DOMAIN --folder PATH | --git URL',
    summary: 'Register a site and wait for its first export, or replace the settings of a site.',
    words: [1, 1],
    examples: [
      ['site add my-docs --folder ./docs', 'A folder of the server'],
      ['site add my-docs --git https://github.com/example/docs --subfolder docs', 'A folder of a repository'],
      ['site add my-docs --git https://github.com/example/docs --ref next --no-export', 'A branch, without its first export'],
    ],
    options: addOptions,
    async run({ words: [domain], options }) {
      const { builder, trust, deployment, settings, organization, json } = options;
      const { 'site-url': siteUrl, 'social-cards': socialCards } = options;
      const body = { source: sourceOf(options), builder, trust, siteUrl, socialCards, deployment, ...settings };
      const client = openApiClient(process.env);
      const site = await client.json<SiteAnswer>('PUT', sitePath(domain!, organization), { body });
      // A key can export only the sites of its own organization.
      if (site.activeJob === null && organization === undefined && !options['no-export']) {
        site.activeJob = await exportFirst(client, site.domain);
      }
      return show(site, json);
    },
  }),
  list: subcommand({
    usage: 'site list',
    summary: 'List sites and the sources of their docs.',
    words: [0, 0],
    examples: [
      ['site list', 'All sites'],
      ['site list --json', 'For a program'],
    ],
    options: shown,
    async run({ options: { organization, json } }) {
      const { sites } = await openApiClient(process.env).json<{ sites: SiteAnswer[] }>(
        'GET',
        `/v1/sites${organizationQuery(organization)}`,
      );
      const rows = sites.map((site) => [site.domain, site.builder, site.activeJob ?? 'none', sourceText(site)]);
      console.log(json ? JSON.stringify(sites, null, 2) : table(['DOMAIN', 'BUILDER', 'ACTIVE JOB', 'SOURCE'], rows));
      return 0;
    },
  }),
  show: subcommand({
    usage: 'site show DOMAIN',
    summary: 'Show the settings of a site.',
    words: [1, 1],
    examples: [
      ['site show my-docs', 'Source, URL and active job'],
      ['site show my-docs --json', 'For a program'],
    ],
    options: shown,
    async run({ words: [domain], options: { organization, json } }) {
      return show(await openApiClient(process.env).json<SiteAnswer>('GET', sitePath(domain!, organization)), json);
    },
  }),
  remove: subcommand({
    usage: 'site remove DOMAIN',
    summary: 'Remove a site: the server stops serving it. Its docs and the records of its jobs stay.',
    words: [1, 1],
    examples: [['site remove my-docs', 'Stop serving the site']],
    options: z.strictObject({ organization: organizationOption }),
    async run({ words: [domain], options: { organization } }) {
      await openApiClient(process.env).request('DELETE', sitePath(domain!, organization));
      console.log(`Removed the site ${domain}.`);
      return 0;
    },
  }),
};

export const run = (args: string[]): Promise<number> => runSubcommand('site', subcommands, args);

/** Starts the first export of a site, waits for it and returns its job. A signal ends the waiting; the export continues. */
async function exportFirst(client: ApiClient, domain: string): Promise<string> {
  const stop = new AbortController();
  let job: JobObject | undefined;
  const onSignal = (): void =>
    stop.abort(
      new ExportError(
        'Stopped',
        `The site "${domain}" is registered, and its first export${job ? ` (${job.jobId})` : ''} continues on the server.`,
        `Follow it at ${client.url}/dashboard, or run: ${commandName(process.env)} site show ${domain}`,
      ),
    );
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  const printer = jobPrinter(process.stderr);
  try {
    for await (job of runJob(client, { domain }, stop.signal)) printer.job(job);
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    printer.end();
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
  const { errors, warnings } = job?.problems ?? { errors: 0, warnings: 0 };
  if (errors + warnings > 0)
    console.error(
      `Issues found: ${errors} ${errors === 1 ? 'error' : 'errors'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}. The dashboard lists them: ${client.url}/dashboard`,
    );
  return job!.jobId;
}

function sourceOf({ folder, git, ref, subfolder }: z.infer<typeof addOptions>): SiteAnswer['source'] {
  const wrong = (message: string) => new UsageError(message, 'Pass either --folder PATH or --git URL.');
  if (folder !== undefined && git !== undefined) throw wrong('--folder and --git are mutually exclusive.');
  if (git !== undefined) return { type: 'git', url: git, ref, folder: subfolder };
  if (folder === undefined) throw wrong('Missing option: --folder or --git');
  if (ref !== undefined || subfolder !== undefined) throw wrong('--ref and --subfolder require --git.');
  return { type: 'folder', path: resolve(folder) };
}

function sitePath(domain: string, organization: string | undefined): string {
  return `/v1/sites/${encodeURIComponent(domain)}${organizationQuery(organization)}`;
}

function show(site: SiteAnswer, json: boolean): number {
  if (json) console.log(JSON.stringify(site, null, 2));
  else {
    const lines = [
      ['Domain', site.domain],
      ['Organization', site.organization],
      ['Source', sourceText(site)],
      ['Builder', site.builder],
      ...(site.trust ? [['Components', 'trusted: they run']] : []),
      ['Deployment', site.deployment],
      ['Public URL', site.siteUrl ?? 'not set'],
      ...(site.features ? [['Features', JSON.stringify(site.features)]] : []),
      ['Active job', site.activeJob ?? 'none: not exported yet'],
      ['Served at', site.activeJob === null ? `${site.address} (after the first export)` : site.address],
    ];
    console.log(lines.map(([name, value]) => `${`${name}:`.padEnd(14)}${value}`).join('\n'));
  }
  return 0;
}

function sourceText({ source }: SiteAnswer): string {
  if (source.type === 'folder') return source.path;
  return `${source.url}${source.ref ? ` @ ${source.ref}` : ''}${source.folder ? ` in ${source.folder}` : ''}`;
}
