// The subcommands of `carrel site` for the history of a site.
import { ExportError } from '../../integration/errors.ts';
import type { SiteAudienceAnswer, SiteExportAnswer } from '../../server/jobs/routes/export-routes.ts';
import { openApiClient, type ApiClient } from './api-client.ts';
import { answerOptions, sitePath, print, printList } from './subcommands.ts';
import { flag, defineCommand } from './usage.ts';

export const exportSubcommands = {
  exports: defineCommand({
    usage: 'site exports DOMAIN',
    summary: 'List the stored exports of a site, latest first.',
    examples: [['site exports my-docs', 'Which exports there are, and which one is served']],
    options: answerOptions,
    async run({ words: [domain], options: { organization, json } }) {
      const exports = await storedExports(openApiClient(process.env), domain!, organization);
      printList(exports, json, ['JOB', 'VERSION', 'COMMIT', 'PAGES', 'KB', 'CREATED', 'READERS', 'STATE'], (stored) => [
        stored.jobId,
        stored.version,
        stored.commit?.slice(0, 12) ?? '',
        ...sizeOf(stored),
        stored.createdAt,
        stored.groups?.join(', ') ?? 'all',
        stateOf(stored),
      ]);
    },
  }),
  audiences: defineCommand({
    usage: 'site audiences DOMAIN',
    summary: 'List the audiences of a site: the export that the readers of each see, and how its last job went.',
    examples: [['site audiences my-docs', 'Pages and dates, and exports that failed']],
    options: answerOptions,
    async run({ words: [domain], options: { organization, json } }) {
      const path = sitePath(domain!, organization, 'audiences');
      const { audiences } = await openApiClient(process.env).json<{ audiences: SiteAudienceAnswer[] }>('GET', path);
      printList(audiences, json, ['GROUPS', 'PAGES', 'KB', 'EXPORTED', 'LAST JOB'], (audience) => [
        audience.groups.join(', '),
        ...(audience.export ? sizeOf(audience.export) : ['as all', '']),
        audience.export?.createdAt ?? '',
        audience.lastJob ? [audience.lastJob.status, audience.lastJob.error ?? []].flat().join(': ') : 'none',
      ]);
    },
  }),
  rollback: defineCommand({
    usage: 'site rollback DOMAIN [JOB]',
    summary:
      'Serve an earlier export, by default the one before the active one. The next export replaces it, unless it is pinned.',
    examples: [
      ['site rollback my-docs', 'Serve the export before the active one'],
      ['site rollback my-docs se_0123456789abcdef --pin', 'Serve this export, whatever is exported later'],
      ['site rollback my-docs --unpin', 'Let the next export replace the pinned one'],
    ],
    options: {
      pin: flag('Serve it until it is unpinned'),
      unpin: flag('Unpin the active export, and serve it until the next export'),
      ...answerOptions,
    },
    async run({ words: [domain, job], options: { pin, unpin, organization, json } }) {
      const client = openApiClient(process.env);
      const path = (jobId: string, action: string) => sitePath(domain!, organization, 'exports', jobId, action);
      const exports = await storedExports(client, domain!, organization);
      if (unpin) {
        const pinned = job ?? exports.find((stored) => stored.pinned)?.jobId;
        if (pinned === undefined) throw noExportError(domain!, 'serves no pinned export');
        await client.request('DELETE', path(pinned, 'pin'));
        console.log(`Unpinned ${pinned}: the next export of ${domain} replaces it.`);
        return 0;
      }
      const jobId = job ?? before(exports)?.jobId;
      if (jobId === undefined) throw noExportError(domain!, 'has no stored export before the active one');
      const [method, action] = pin ? ['PUT', 'pin'] : ['POST', 'activate'];
      const served = await client.json<SiteExportAnswer>(method, path(jobId, action));
      const until = pin ? 'until it is unpinned' : 'until the next export completes';
      print(served, json, `${domain} serves ${jobId} (${served.version}) ${until}.`);
    },
  }),
};

/** Pages and kilobytes. */
function sizeOf({ pages, bytes }: SiteExportAnswer): [string, string] {
  return [String(pages), String(Math.ceil(bytes / 1000))];
}

/** The newest export of the whole site that is older than the active one. */
function before(exports: SiteExportAnswer[]): SiteExportAnswer | undefined {
  const active = exports.findIndex((stored) => stored.active);
  return active < 0 ? undefined : exports.slice(active + 1).find((stored) => !stored.partial);
}

function noExportError(domain: string, what: string): ExportError {
  return new ExportError('ExportNotStored', `"${domain}" ${what}.`, 'List the stored exports with `site exports`.');
}

async function storedExports(client: ApiClient, domain: string, organization: string | undefined): Promise<SiteExportAnswer[]> {
  const path = sitePath(domain, organization, 'exports');
  return (await client.json<{ exports: SiteExportAnswer[] }>('GET', path)).exports;
}

function stateOf({ active, pinned, partial }: SiteExportAnswer): string {
  if (pinned) return 'active, pinned';
  if (active) return 'active';
  return partial ? 'partial' : '';
}
