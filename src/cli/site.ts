import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { deployments } from '../../integration/manifest.ts';
import { ExportError } from '../../integration/errors.ts';
import { siteFeaturesSchema } from '../../integration/page-settings.ts';
import { pushServices, type PushService } from '../../server/jobs/causes/read-push.ts';
import type { DetectionAnswer } from '../../server/jobs/routes/detect-routes.ts';
import type { SiteAnswer } from '../../server/sites/site-routes.ts';
import { shownName } from '../../integration/text/escape.ts';
import { openApiClient, type ApiClient } from './api-client.ts';
import { fileOrText } from './file-or-text.ts';
import { follow, issues } from './job.ts';
import { exportSubcommands } from './site-exports.ts';
import { previewSubcommands } from './site-previews.ts';
import { flag, list, option, text, UsageError, whole, defineCommand, type OptionsOf } from './usage.ts';
import { answerOptions, organizationOption, organizationQuery, print, printList, sitePath, jsonExamples } from './subcommands.ts';

/** Of `site add` and `site set`. */
const settingsOptions = {
  'site-url': option(text.optional(), 'URL', 'Public URL of the site, for canonical links, and from which its pages may ask'),
  deployment: option(text.optional(), 'TYPE', 'cloud, client-hosted or air-gapped (default of a new site: client-hosted)'),
  settings: option(
    fileOrText(z.strictObject({ deployment: z.enum(deployments).optional(), features: siteFeaturesSchema })).optional(),
    'FILE|JSON',
    'Settings of the hosted pages: JSON, or a file of it (default: they stay)',
  ),
  every: option(whole(1, 44_640).optional(), 'MINUTES', 'Look for changes this often, and export them'),
  cron: option(text.optional(), 'FIELDS', 'Look for changes at these times, such as "0 6 * * 1-5"'),
  timezone: option(text.optional(), 'ZONE', 'Time zone of --cron, such as Europe/Paris (default: UTC)'),
  previews: option(
    text.optional(),
    'BRANCHES',
    'Export other branches as previews: all, or branches and patterns such as next,docs/*',
  ),
  'preview-days': option(whole(1, 365).optional(), 'DAYS', 'Remove a preview so long after the last push (default: 14)'),
  'preview-comments': flag('Comment on pull requests with what their branch changes'),
  visibility: option(
    z.enum(['public', 'password', 'members', 'groups'], { error: 'must be public, password, members or groups' }).optional(),
    'WHO',
    'Who may read the hosted site: public, password for those who know it, members of the organization, or groups for some of them (default of a new site: public)',
  ),
  'password-file': option(text.optional(), 'FILE', 'File with the password of --visibility password'),
  groups: option(list.optional(), 'GROUPS', 'Members with one of these groups may read the site, for --visibility groups'),
  audiences: option(
    fileOrText(z.array(z.strictObject({ groups: z.array(z.string()), password: z.string().optional() }))).optional(),
    'FILE|JSON',
    'Readers of groups: a list of { "groups": [...] }, for --visibility password with "password": "..."; [] for none (default: they stay)',
  ),
};

const setOptions = {
  ...settingsOptions,
  'no-schedule': flag('Export only by request and at pushes'),
  'no-previews': flag('Make no previews'),
  'answers-per-day': option(
    z.union([z.literal('unlimited'), whole(0, 1_000_000)]).optional(),
    'NUMBER',
    'Most answers by a model in a day; 0 for none: the docs are quoted, for all callers; or unlimited',
  ),
  ...answerOptions,
};

const addOptions = {
  folder: option(text.optional(), 'PATH', "Folder on the server's machine (requires the scope operator)"),
  git: option(text.optional(), 'URL', 'Repository: https://… or ssh://…, without a password'),
  ref: option(text.optional(), 'REF', 'Branch or tag (default: the default branch)'),
  subfolder: option(text.optional(), 'PATH', 'Folder in the repository that contains the docs'),
  builder: option(
    z.enum(['docs', 'astro', 'html'], { error: 'must be docs, astro or html' }).optional(),
    'BUILDER',
    'docs, astro, which runs the code of the project, or html, whose pages run scripts (both require the scope operator)',
  ),
  trust: z.boolean().optional().meta({ description: 'Run the React components of the docs (requires the scope operator)' }),
  'social-cards': z
    .boolean()
    .optional()
    .meta({ description: 'Draw an image of each page for social networks (requires --site-url)' }),
  ...settingsOptions,
  'no-export': flag('Do not start the first export'),
  ...answerOptions,
};

/** `carrel site …`: how they are used. */
export const subcommands = {
  add: defineCommand({
    usage: 'site add DOMAIN --folder PATH | --git URL',
    summary: 'Register a site and wait for its first export, or replace the settings of a site.',
    examples: [
      ['site add my-docs --folder ./docs', 'A folder of the server'],
      ['site add my-docs --git https://github.com/example/docs --subfolder docs', 'A folder of a repository'],
      ['site add my-docs --git https://github.com/example/docs --ref next --no-export', 'A branch, without its first export'],
    ],
    options: addOptions,
    async run({ words: [domain], options }) {
      const { trust, deployment, settings, organization, json } = options;
      const { 'site-url': siteUrl, 'social-cards': socialCards } = options;
      const client = openApiClient(process.env);
      const body = {
        ...(await content(client, sourceOf(options), options)),
        trust,
        siteUrl,
        socialCards,
        deployment,
        schedule: scheduleOf(options),
        previews: previewsOf(options),
        settings,
        ...readersOf(options),
      };
      const site = await client.json<SiteAnswer>('PUT', sitePath(domain!, organization), { body });
      // A key can export only the sites of its own organization.
      if (site.activeJob === null && organization === undefined && !options['no-export']) {
        site.activeJob = await exportFirst(client, site.domain);
      }
      return show(site, json);
    },
  }),
  list: defineCommand({
    usage: 'site list',
    summary: 'List sites and the sources of their docs.',
    examples: jsonExamples('site list', 'All sites'),
    options: answerOptions,
    async run({ options: { organization, json } }) {
      const { sites } = await openApiClient(process.env).json<{ sites: SiteAnswer[] }>(
        'GET',
        `/v1/sites${organizationQuery(organization)}`,
      );
      const head = ['DOMAIN', 'BUILDER', 'ACTIVE JOB', 'SOURCE'];
      printList(sites, json, head, (site) => [site.domain, site.builder, site.activeJob ?? 'none', sourceText(site)]);
    },
  }),
  show: defineCommand({
    usage: 'site show DOMAIN',
    summary: 'Show the settings of a site.',
    examples: jsonExamples('site show my-docs', 'Source, URL and active job'),
    options: answerOptions,
    async run({ words: [domain], options: { organization, json } }) {
      return show(await openApiClient(process.env).json<SiteAnswer>('GET', sitePath(domain!, organization)), json);
    },
  }),
  set: defineCommand({
    usage: 'site set DOMAIN',
    summary: 'Change settings of a site. What is not given stays; the URL and the deployment take effect with the next export.',
    examples: [
      ['site set my-docs --every 60', 'Another schedule'],
      ['site set my-docs --settings \'{ "features": { "assistant": { "mode": "quotes" } } }\'', 'Pages quote the docs'],
      ['site set my-docs --answers-per-day 500', 'A budget for the model'],
      ['site set my-docs --visibility password --password-file password.txt', 'Only for readers who know the password'],
    ],
    options: setOptions,
    async run({ words: [domain], options }) {
      const { settings, deployment, organization, json, 'site-url': siteUrl, 'answers-per-day': answers } = options;
      const { 'no-schedule': noSchedule, 'no-previews': noPreviews } = options;
      const [schedule, previews] = [scheduleOf(options), previewsOf(options)];
      if (noSchedule && schedule) throw new UsageError('--no-schedule excludes --every and --cron.', 'Pass one of them.');
      if (noPreviews && previews) throw new UsageError('--no-previews excludes --previews.', 'Pass one of them.');
      const body = {
        ...{ settings, siteUrl, deployment },
        assistant: answers === undefined ? undefined : { answersPerDay: answers === 'unlimited' ? null : answers },
        schedule: noSchedule ? null : schedule,
        previews: noPreviews ? null : previews,
        ...readersOf(options),
      };
      if (Object.values(body).every((value) => value === undefined))
        throw new UsageError('Missing option: nothing to change.', '`carrel site set --help` lists what can be changed.');
      return show(await openApiClient(process.env).json<SiteAnswer>('PATCH', sitePath(domain!, organization), { body }), json);
    },
  }),
  hook: defineCommand({
    usage: 'site hook DOMAIN SERVICE',
    summary: `Export a site at each push to its repository: prints what to enter at the service, ${pushServices.join(', ')}.`,
    examples: [
      ['site hook my-docs github', 'URL and secret for the webhook settings of GitHub'],
      ['site hook my-docs gitlab --remove', 'Stop reacting to pushes'],
    ],
    options: { remove: flag('Remove the hook'), ...answerOptions },
    async run({ words: [domain, service], options: { remove, organization, json } }) {
      const client = openApiClient(process.env);
      const path = sitePath(domain!, organization, 'hooks', service!);
      if (remove) {
        await client.request('DELETE', path);
        console.log(`Pushes from ${service} no longer export ${domain}.`);
        return 0;
      }
      const hook = await client.json<{ service: PushService; url: string; secret: string }>('PUT', path);
      print(hook, json, hookText(hook));
    },
  }),
  prove: defineCommand({
    usage: 'site prove DOMAIN',
    summary: 'Serve a site whose domain the DNS proves: the record is in what `site show` prints.',
    examples: [['site prove docs.example.com', 'After the TXT record was added']],
    options: answerOptions,
    async run({ words: [domain], options: { organization, json } }) {
      const path = sitePath(domain!, organization, 'proof');
      const site = await openApiClient(process.env).json<SiteAnswer>('POST', path);
      print(site, json, `${site.domain} is proven, and served at ${site.address}`);
    },
  }),
  ...exportSubcommands,
  ...previewSubcommands,
  remove: defineCommand({
    usage: 'site remove DOMAIN',
    summary: 'Remove a site: the server stops serving it. Its docs and the records of its jobs stay.',
    examples: [['site remove my-docs', 'Stop serving the site']],
    options: { organization: organizationOption },
    async run({ words: [domain], options: { organization } }) {
      await openApiClient(process.env).request('DELETE', sitePath(domain!, organization));
      console.log(`Removed the site ${domain}.`);
    },
  }),
};

/** The source and its builder. Of a repository that is exported right away, the server finds what the options leave open. */
async function content(
  client: ApiClient,
  source: SiteAnswer['source'],
  { builder, organization, 'no-export': isOnlyRegistered }: OptionsOf<typeof addOptions>,
): Promise<{ source: SiteAnswer['source']; builder?: SiteAnswer['builder'] }> {
  if (source.type !== 'git' || source.folder !== undefined || builder !== undefined || isOnlyRegistered)
    return { source, builder };
  const path = `/v1/detect${organizationQuery(organization)}`;
  const found = await client.json<DetectionAnswer>('POST', path, { body: { source } });
  if (found.builder === null)
    throw new ExportError('DocsNotFound', found.message, 'Pass --subfolder with the folder of the docs, or --builder.');
  console.error(found.message);
  return { source: found.folder === '' ? source : { ...source, folder: found.folder }, builder: found.builder };
}

/** Starts the first export of a site, waits for it and returns its job. */
async function exportFirst(client: ApiClient, domain: string): Promise<string> {
  const { jobId, problems } = await follow(client, { domain });
  const { errors, warnings } = problems ?? { errors: 0, warnings: 0 };
  if (errors + warnings > 0)
    console.error(`Issues found: ${issues({ problems })}. The dashboard lists them: ${client.url}/dashboard`);
  return jobId;
}

function sourceOf({ folder, git, ref, subfolder }: OptionsOf<typeof addOptions>): SiteAnswer['source'] {
  const wrong = (message: string) => new UsageError(message, 'Pass either --folder PATH or --git URL.');
  if (folder !== undefined && git !== undefined) throw wrong('--folder and --git are mutually exclusive.');
  if (git !== undefined) return { type: 'git', url: git, ref, folder: subfolder };
  if (folder === undefined) throw wrong('Missing option: --folder or --git');
  if (ref !== undefined || subfolder !== undefined) throw wrong('--ref and --subfolder require --git.');
  return { type: 'folder', path: resolve(folder) };
}

type Settings = z.infer<z.ZodObject<typeof settingsOptions>>;

function scheduleOf({ every, cron, timezone }: Settings): SiteAnswer['schedule'] {
  if (every !== undefined && cron !== undefined)
    throw new UsageError('--every and --cron are mutually exclusive.', 'Pass one of them, or none to export only on request.');
  if (timezone !== undefined && cron === undefined)
    throw new UsageError('--timezone requires --cron.', 'Add --cron "0 6 * * *", or remove --timezone.');
  if (every !== undefined) return { everyMinutes: every };
  return cron === undefined ? undefined : { cron, timezone };
}

function previewsOf({ previews, 'preview-days': days, 'preview-comments': comment }: Settings): object | undefined {
  if (previews !== undefined)
    return { branches: previews === 'all' ? 'all' : previews.split(',').map((one) => one.trim()), days, comment };
  if (days === undefined && !comment) return undefined;
  const option = comment ? '--preview-comments' : '--preview-days';
  throw new UsageError(`${option} requires --previews.`, `Add --previews all, or remove ${option}.`);
}

/** A password file without a visibility changes the password. */
function readersOf({ visibility, groups, audiences, 'password-file': file }: Settings): object {
  if (file === undefined) return { visibility: groups && visibility === undefined ? 'groups' : visibility, groups, audiences };
  if (visibility !== undefined && visibility !== 'password')
    throw new UsageError(`--password-file excludes --visibility ${visibility}.`, 'Pass one of them.');
  return { visibility: 'password', password: passwordIn(file), audiences };
}

function passwordIn(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch {
    throw new UsageError(`The file "${file}" of --password-file cannot be read.`, 'Name a text file that contains the password.');
  }
}

/** Prints every field of the answer by its name, for a person or a program. */
function show(site: SiteAnswer, json: boolean): void {
  // `settings` repeats `deployment` and `features`.
  const { settings: _, ...fields } = site;
  const texts: { [field: string]: string | undefined } = {
    source: sourceText(site),
    schedule: site.schedule && scheduleText(site.schedule),
    previews: site.previews && previewsText(site.previews),
    proof: site.proof && `missing: add the TXT record "${site.proof.value}" at ${site.proof.name}, then run carrel site prove`,
    activeJob: site.activeJob ?? 'none: not exported yet',
    address: site.activeJob === null ? `${site.address} (after the first export)` : site.address,
  };
  const lines = Object.entries(fields).map(([name, value]) => {
    const text = texts[name] ?? (typeof value === 'string' ? value : JSON.stringify(value));
    return `${`${name}:`.padEnd(14)}${shownName(text)}`;
  });
  print(site, json, lines.join('\n'));
}

function scheduleText({ everyMinutes, cron, timezone }: NonNullable<SiteAnswer['schedule']>): string {
  return cron === undefined ? `every ${everyMinutes} min` : `at "${cron}" (${timezone})`;
}

function previewsText({ branches, days, most, comment }: NonNullable<SiteAnswer['previews']>): string {
  const which = branches === 'all' ? 'all branches' : branches.join(', ');
  return `${which}; at most ${most}, for ${days} days after the last push${comment ? '; with comments on pull requests' : ''}`;
}

function sourceText({ source }: SiteAnswer): string {
  if (source.type === 'folder') return source.path;
  return `${source.url}${source.ref ? ` @ ${source.ref}` : ''}${source.folder ? ` in ${source.folder}` : ''}`;
}

/** Where each service asks for the secret. */
const hookSettings: Record<PushService, string> = {
  github:
    'Repository → Settings → Webhooks → Add webhook: content type application/json, just the push event (for comments on pull requests, also "Pull requests")',
  gitlab:
    'Project → Settings → Webhooks (or, for all projects, Admin → System hooks) → Add new webhook: the secret is the secret token; trigger push events (for comments on merge requests, also merge request events)',
  gitea: 'Repository → Settings → Webhooks → Add webhook → Gitea: POST application/json, push events',
  bitbucket: 'Repository settings → Webhooks → Add webhook: repository push',
  'bitbucket-data-center':
    'Repository settings → Webhooks → Create webhook: repository push; the test of the connection sends no secret',
  generic:
    'POST to the URL with the header "Authorization: Bearer SECRET" and the body { "branch": "main" }; without a body, any push exports',
};

function hookText({ service, url, secret }: { service: PushService; url: string; secret: string }): string {
  return [`URL:     ${url}`, `Secret:  ${secret}`, '', hookSettings[service], 'The secret is shown only once.'].join('\n');
}
