import { resolve } from 'node:path';
import { z } from 'zod';
import { ExportError } from '../../integration/errors.ts';
import type { JobObject } from '../../server/jobs/model/object.ts';
import type { SiteAnswer } from '../../server/sites/site-routes.ts';
import { openApiClient, type ApiClient } from './api-client.ts';
import { commandName } from './command-name.ts';
import { jobPrinter } from './job-printer.ts';
import { runJob } from './run-job.ts';
import { jsonOption, organizationOption, organizationQuery, runSubcommand, subcommand, table } from './subcommands.ts';
import { UsageError } from './usage.ts';

const text = z.string().min(1, { error: 'must not be empty' }).optional();
const shown = z.strictObject({ organization: organizationOption, json: jsonOption });
const addOptions = z.strictObject({
  folder: text.meta({ takes: 'PATH', description: 'Folder on the machine of the server; asks for the scope operator' }),
  git: text.meta({ takes: 'URL', description: 'Repository: https://… or ssh://…, without a password' }),
  ref: text.meta({ takes: 'REF', description: 'Branch or tag (default: what the repository says)' }),
  subfolder: text.meta({ takes: 'PATH', description: 'Folder of the repository that holds the docs' }),
  builder: z
    .enum(['docs', 'astro'], { error: 'must be docs or astro' })
    .optional()
    .meta({ takes: 'BUILDER', description: 'docs, or astro, which runs the code of the project and asks for operator' }),
  'site-url': text.meta({ takes: 'URL', description: 'Address the site will have, for canonical links' }),
  deployment: text.meta({ takes: 'TYPE', description: 'cloud, client-hosted or air-gapped (default: client-hosted)' }),
  'no-export': z.boolean().default(false).meta({ description: 'Do not start the first export' }),
  organization: organizationOption,
  json: jsonOption,
});

/** `carrel site …`: how they are used. */
export const subcommands = {
  add: subcommand({
    usage: 'site add DOMAIN --folder PATH | --git URL',
    summary: 'Register a site and wait for its first export, or change all that is known of it.',
    wordNames: ['a domain'],
    options: addOptions,
    async run({ words: [domain], options }) {
      const { builder, deployment, organization, json } = options;
      const body = { source: sourceOf(options), builder, siteUrl: options['site-url'], deployment };
      const client = openApiClient(process.env);
      const site = await client.json<SiteAnswer>('PUT', sitePath(domain!, organization), { body });
      // A key exports the sites of its own organization only.
      if (site.activeJob === null && organization === undefined && !options['no-export']) {
        site.activeJob = await exportFirst(client, site.domain);
      }
      return show(site, json);
    },
  }),
  list: subcommand({
    usage: 'site list',
    summary: 'List sites and where their docs come from.',
    wordNames: [],
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
    summary: 'Tell all that is known of a site.',
    wordNames: ['a domain'],
    options: shown,
    async run({ words: [domain], options: { organization, json } }) {
      return show(await openApiClient(process.env).json<SiteAnswer>('GET', sitePath(domain!, organization)), json);
    },
  }),
  remove: subcommand({
    usage: 'site remove DOMAIN',
    summary: 'Remove a site: it is served no more. Its docs and the records of its jobs stay.',
    wordNames: ['a domain'],
    options: z.strictObject({ organization: organizationOption }),
    async run({ words: [domain], options: { organization } }) {
      await openApiClient(process.env).request('DELETE', sitePath(domain!, organization));
      console.log(`The site ${domain} is removed.`);
      return 0;
    },
  }),
};

export const run = (args: string[]): Promise<number> => runSubcommand('site', subcommands, args);

/** Starts the first export of a site, waits for it and gives its job. A signal ends the waiting; the export continues. */
async function exportFirst(client: ApiClient, domain: string): Promise<string> {
  const stop = new AbortController();
  let job: JobObject | undefined;
  const onSignal = (): void =>
    stop.abort(
      new ExportError(
        'Stopped',
        `The site "${domain}" is registered, and its first export${job ? ` (${job.jobId})` : ''} continues on the server.`,
        `Watch it at ${client.url}/dashboard, or type: ${commandName(process.env)} site show ${domain}`,
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
    console.error(`Issues found: ${errors} errors, ${warnings} warnings. The dashboard lists them: ${client.url}/dashboard`);
  return job!.jobId;
}

function sourceOf({ folder, git, ref, subfolder }: z.infer<typeof addOptions>): SiteAnswer['source'] {
  const wrong = (message: string) =>
    new UsageError(message, 'Give one of --folder PATH and --git URL; --ref and --subfolder go with --git.');
  if (folder !== undefined && git !== undefined) throw wrong('--folder and --git are both there.');
  if (git !== undefined) return { type: 'git', url: git, ref, folder: subfolder };
  if (folder === undefined) throw wrong('Where the docs come from is missing.');
  if (ref !== undefined || subfolder !== undefined) throw wrong('--ref and --subfolder are for repositories.');
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
      ['Deployment', site.deployment],
      ['Site address', site.siteUrl ?? 'unknown'],
      ['Active job', site.activeJob ?? 'none: nothing has been exported yet'],
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
