import { resolve } from 'node:path';
import { z } from 'zod';
import type { SiteAnswer } from '../../server/sites/site-routes.ts';
import { openApiClient } from './api-client.ts';
import { commandName } from './command-name.ts';
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
  organization: organizationOption,
  json: jsonOption,
});

/** `carrel site …`: how they are used. */
export const subcommands = {
  add: subcommand({
    usage: 'site add DOMAIN --folder PATH | --git URL',
    summary: 'Register a site, or change all that is known of it.',
    wordNames: ['a domain'],
    options: addOptions,
    async run({ words: [domain], options }) {
      const { builder, deployment, organization, json } = options;
      const body = { source: sourceOf(options), builder, siteUrl: options['site-url'], deployment };
      const site = await openApiClient(process.env).json<SiteAnswer>('PUT', sitePath(domain!, organization), { body });
      show(site, json);
      if (site.activeJob === null && organization === undefined && !json)
        console.error(`\nTo export it: ${commandName(process.env)} export-remote ${site.domain} --out ${site.domain}.zip`);
      return 0;
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
      ['Served at', site.address],
    ];
    console.log(lines.map(([name, value]) => `${`${name}:`.padEnd(14)}${value}`).join('\n'));
  }
  return 0;
}

function sourceText({ source }: SiteAnswer): string {
  if (source.type === 'folder') return source.path;
  return `${source.url}${source.ref ? ` @ ${source.ref}` : ''}${source.folder ? ` in ${source.folder}` : ''}`;
}
