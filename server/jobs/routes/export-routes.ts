// The history of a site: its stored exports, which one is served, and what differs between two of them.
import { z } from '@hono/zod-openapi';
import { comparePages, compareProblems } from '../../../integration/output/compare-exports.ts';
import { siteOfPath } from '../../sites/site-access.ts';
import type { Database } from '../../database/database.ts';
import { jsonAnswer, namedObject } from '../../http/error-answers.ts';
import { domainSchema } from '../../http/field-schemas.ts';
import { ApiError } from '../../platform/errors.ts';
import type { ServerOptions } from '../../platform/options.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { ownSite, siteUnknownError } from '../../sites/site-routes.ts';
import type { Sites } from '../../sites/sites.ts';
import { exportPath } from '../../storage/export-link.ts';
import { readManifest } from '../../storage/read-manifest.ts';
import type { Storage } from '../../storage/storage.ts';
import { activateExport, activeExport, pinExport, unpinExport, type Activation } from '../model/active-export.ts';
import { isWhole, jobStatuses, type Job } from '../model/job.ts';
import { problemSchema, warningsOf } from '../model/job-report.ts';
import type { Jobs } from '../model/jobs.ts';
import { exportExpiredError, resultOf } from './bundle-routes.ts';
import { organizationRoutesOf, type AdminRouteParts } from '../../organizations/admin-route.ts';

const count = z.int().min(0);
const exportSchema = namedObject('SiteExport', {
  jobId: z.string().openapi({ example: 'se_0123456789abcdef' }),
  version: z.string().openapi({ description: 'Export version.', example: 'v14' }),
  commit: z.string().nullable().openapi({ description: 'Commit of a git source.' }),
  pages: count,
  problems: z.object({ errors: count, warnings: count, notes: count }).nullable(),
  partial: z.boolean().openapi({
    description: 'Whether it lacks pages or languages, or is for some readers, so that it never becomes what everybody sees.',
  }),
  groups: z.array(z.string()).nullable().openapi({ description: 'The groups of readers whom it is for; null for everybody.' }),
  bytes: count.openapi({ description: 'Unpacked size.' }),
  active: z.boolean().openapi({ description: 'Whether the site serves it.' }),
  pinned: z.boolean().openapi({ description: 'Whether it stays active when a newer job completes.' }),
  createdAt: z.iso.datetime(),
});

export type SiteExportAnswer = z.infer<typeof exportSchema>;

const audienceSchema = namedObject('SiteAudience', {
  groups: z.array(z.string()),
  export: exportSchema.nullable().openapi({
    description: 'The export that its readers see; null while they see what everybody may see.',
  }),
  lastJob: z
    .object({
      jobId: z.string().openapi({ example: 'se_0123456789abcdef' }),
      status: z.enum(jobStatuses),
      error: z.string().nullable().openapi({ description: 'Why it failed.' }),
      createdAt: z.iso.datetime(),
    })
    .nullable()
    .openapi({ description: 'The last job of the site for it; null before the first one.' }),
});

export type SiteAudienceAnswer = z.infer<typeof audienceSchema>;

const linkSchema = namedObject('ExportLink', {
  url: z.url().openapi({ description: 'Opens the export in a browser; anyone who has it needs no key.' }),
  expiresAt: z.iso.datetime().openapi({ description: 'When the URL stops working.' }),
});

export type ExportLinkAnswer = z.infer<typeof linkSchema>;

const pagesSchema = z.array(z.object({ path: z.string(), title: z.string() }));
const differenceSchema = namedObject('ExportDifference', {
  pages: z.object({ added: pagesSchema, changed: pagesSchema, removed: pagesSchema }),
  warnings: z
    .object({ added: z.array(problemSchema), removed: z.array(problemSchema) })
    .nullable()
    .openapi({ description: 'Issues in one of the two reports; null when a report is missing. Moved lines do not count.' }),
});

export type ExportDifferenceAnswer = z.infer<typeof differenceSchema>;

interface ExportRouteParts extends AdminRouteParts {
  database: Database;
  sites: Pick<Sites, 'get'>;
  jobs: Jobs;
  storage: Storage;
  options: Pick<ServerOptions, 'linkSeconds'>;
  secrets: Secrets;
}

const route = organizationRoutesOf<ExportRouteParts>('Sites');

const jobId = z.string().openapi({ example: 'se_0123456789abcdef' });
const params = z.object({ domain: domainSchema.openapi({ example: 'docs.example.com' }), jobId });
const answer = jsonAnswer('The export.', exportSchema);

const listSiteExports = route('get /v1/sites/{domain}/exports', {
  summary: 'List exports of a site',
  description: 'The stored exports, newest first. Older ones are removed, except the active one.',
  scope: 'read',
  params: params.pick({ domain: true }),
  answers: { 200: jsonAnswer('The stored exports.', namedObject('SiteExports', { exports: z.array(exportSchema) })) },
  async handle({ parts, organization, params: { domain } }) {
    return { exports: await storedExports(parts, domain, organization) };
  },
});

const listSiteAudiences = route('get /v1/sites/{domain}/audiences', {
  summary: 'List audiences of a site',
  description: 'The groups of readers for whom the site is exported as well, with the export that each sees and its last job.',
  scope: 'read',
  params: params.pick({ domain: true }),
  answers: {
    200: jsonAnswer('The audiences.', namedObject('SiteAudiences', { audiences: z.array(audienceSchema) })),
  },
  async handle({ parts, organization, params: { domain } }) {
    const { settings, activeJob: whole } = await ownSite(parts, domain, organization);
    const audiences = (settings.audiences ?? []).map(async ({ groups }) => {
      const audience = { organization, domain, groups };
      const served = whole === null ? undefined : await parts.jobs.latestFor({ ...audience, whole });
      const job = served === undefined ? undefined : await parts.jobs.get(served);
      const last = await parts.jobs.lastFor(audience);
      return {
        groups,
        export: job ? exportAnswer(job, undefined) : null,
        lastJob: last
          ? { jobId: last.id, status: last.status, error: last.error, createdAt: last.createdAt.toISOString() }
          : null,
      };
    });
    return { audiences: await Promise.all(audiences) };
  },
});

const activateSiteExport = route('post /v1/sites/{domain}/exports/{jobId}/activate', {
  summary: 'Serve another export',
  description:
    'Rolls a site back or forward to a stored export. A job that completes later replaces it, unless it is pinned. Takes no body.',
  scope: 'write',
  siteOf: siteOfPath,
  audit: 'export.activate',
  params,
  answers: { 200: answer },
  errors: [409, 410, 413, 415],
  handle: ({ parts, organization, params }) => choose(parts, activateExport, { ...params, organization }),
});

const pinSiteExport = route('put /v1/sites/{domain}/exports/{jobId}/pin', {
  summary: 'Pin an export',
  description: 'The site serves this export until it is unpinned, whatever is exported later. Takes no body.',
  scope: 'write',
  siteOf: siteOfPath,
  audit: 'export.pin',
  params,
  answers: { 200: answer },
  errors: [409, 410, 413, 415],
  handle: ({ parts, organization, params }) => choose(parts, pinExport, { ...params, organization }),
});

const unpinSiteExport = route('delete /v1/sites/{domain}/exports/{jobId}/pin', {
  summary: 'Unpin an export',
  description: 'It stays active until the next job completes.',
  scope: 'write',
  siteOf: siteOfPath,
  audit: 'export.unpin',
  params,
  answers: { 204: { description: 'Unpinned.' } },
  async handle({ parts, organization, params: { domain, jobId } }) {
    await ownExport(parts, domain, organization, jobId);
    if (await unpinExport(parts.database, { domain, organization, jobId })) return;
    throw new ApiError('ExportNotPinned', `The export "${jobId}" is not pinned. GET /v1/sites/${domain}/exports says which is.`);
  },
});

const linkSiteExport = route('post /v1/sites/{domain}/exports/{jobId}/link', {
  summary: 'Link to an export',
  description:
    'A URL that opens a stored export on the port of the sites for an hour (the limit `linkSeconds`), whether or not the site serves it. Its panel quotes the docs. Takes no body.',
  scope: 'write',
  siteOf: siteOfPath,
  audit: 'export.link',
  params,
  answers: { 200: jsonAnswer('The link.', linkSchema) },
  errors: [409, 410, 413, 415],
  async handle({ parts, organization, params: { domain, jobId } }) {
    resultOf(await ownExport(parts, domain, organization, jobId));
    // Links carry whole seconds.
    const expires = new Date((Math.floor(parts.now() / 1000) + parts.options.linkSeconds) * 1000);
    const url = parts.sitesUrl + exportPath(parts.secrets, jobId, expires);
    return { url, expiresAt: expires.toISOString() };
  },
});

const compareSiteExports = route('get /v1/sites/{domain}/exports/{jobId}/diff/{otherJobId}', {
  summary: 'Compare two exports',
  description: 'The pages and issues that the second export adds, changes and removes, compared with the first.',
  scope: 'read',
  params: params.extend({ otherJobId: jobId }),
  answers: { 200: jsonAnswer('What differs.', differenceSchema) },
  errors: [409, 410],
  async handle({ parts, organization, params: { domain, jobId, otherJobId } }) {
    const before = await ownExport(parts, domain, organization, jobId);
    const after = await ownExport(parts, domain, organization, otherJobId);
    const pages = comparePages(await manifestOf(parts, before), await manifestOf(parts, after));
    const [old, current] = [await warningsOf(parts.jobs, before), await warningsOf(parts.jobs, after)];
    return { pages, warnings: old && current ? compareProblems(old, current) : null };
  },
});

export const exportRoutes = {
  listSiteExports,
  listSiteAudiences,
  activateSiteExport,
  pinSiteExport,
  unpinSiteExport,
  linkSiteExport,
  compareSiteExports,
};

async function choose(
  parts: ExportRouteParts,
  change: typeof activateExport,
  { domain, jobId, organization }: { domain: string; jobId: string; organization: string },
): Promise<SiteExportAnswer> {
  const job = await ownExport(parts, domain, organization, jobId);
  resultOf(job);
  if (!isWhole(job.request))
    throw new ApiError(
      'ExportPartial',
      `The export "${jobId}" has only some of the pages or languages of "${domain}", or is only for some readers, so it can't be served. Choose an export of the whole site for everybody.`,
    );
  const activation = await change(parts.database, { domain, organization, jobId });
  if (activation !== 'activated') throw refusal(activation, domain, job);
  return (await storedExports(parts, domain, organization)).find((stored) => stored.jobId === jobId)!;
}

async function storedExports(
  { database, jobs }: ExportRouteParts,
  domain: string,
  organization: string,
): Promise<SiteExportAnswer[]> {
  const site = await database.query('select domain from carrel.sites where domain = $1 and organization = $2', [
    domain,
    organization,
  ]);
  if (site.length === 0) throw siteUnknownError(domain);
  const current = await activeExport(database, domain);
  const stored = (await jobs.stored(domain)).filter((job) => job.organization === organization);
  return stored.map((job) => exportAnswer(job, current));
}

/** A job of the site. Throws `ApiError` 404 `SiteUnknown`, `JobUnknown`. */
async function ownExport({ jobs }: ExportRouteParts, domain: string, organization: string, id: string): Promise<Job> {
  const job = await jobs.get(id);
  if (job?.domain === domain && job.organization === organization) return job;
  throw new ApiError('JobUnknown', `"${domain}" has no export "${id.slice(0, 60)}". GET /v1/sites/${domain}/exports lists them.`);
}

async function manifestOf({ storage }: ExportRouteParts, job: Job) {
  const manifest = await readManifest(storage, job.domain, resultOf(job).manifest);
  if (manifest) return manifest;
  throw exportExpiredError(job);
}

function refusal(activation: Exclude<Activation, 'activated'>, domain: string, job: Job): ApiError {
  if (activation === 'expired') return exportExpiredError(job);
  if (activation === 'unknown') return siteUnknownError(domain);
  return new ApiError(
    'SitePinned',
    `"${domain}" serves a pinned export. Unpin it first (DELETE /v1/sites/${domain}/exports/{jobId}/pin), or pin this one instead.`,
  );
}

function exportAnswer(
  { id, result, request, createdAt }: Job,
  current: { activeJob: string | null; isPinned: boolean } | undefined,
): SiteExportAnswer {
  const active = current?.activeJob === id;
  return {
    jobId: id,
    version: result?.version ?? '',
    commit: result?.commit ?? null,
    pages: result?.pages ?? 0,
    problems: result?.problems ?? null,
    partial: !isWhole(request),
    groups: request.groups ?? null,
    bytes: result?.bytes ?? 0,
    active,
    pinned: active && current.isPinned,
    createdAt: createdAt.toISOString(),
  };
}
