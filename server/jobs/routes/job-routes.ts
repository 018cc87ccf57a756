// Routes that start, list, show and cancel export jobs, and link to their bundles.
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { checkPlan, type SiteOfRequest } from '../../organizations/authenticate.ts';
import type { Api } from '../../http/api.ts';
import { jsonAnswer, jsonBody, namedObject } from '../../http/error-answers.ts';
import { domainSchema } from '../../http/field-schemas.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Job, JobRequest } from '../model/job.ts';
import { jobObject, jobObjectSchema } from '../model/job-object.ts';
import { bundleQuery, bundleSchema, linkBundle } from './bundle-routes.ts';
import { addJobFollowRoutes } from './follow-routes.ts';
import { auditTarget, jobParams, jobsPath, ownJob, jobListQuery, newJobHeaders, newJobSchema } from './request-schemas.ts';
import { createHash } from 'node:crypto';
import type { ServerOptions } from '../../platform/options.ts';
import { siteUnknownError } from '../../sites/site-routes.ts';
import { siteOf, type Sites } from '../../sites/sites.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Jobs } from '../model/jobs.ts';
import type { Deltas } from '../worker/make-delta.ts';
import type { Queue } from '../queue/queue.ts';
import { createRequestCheck, type CheckRequest } from './check-request.ts';
import { adminRoutesOf, type AdminRouteParts } from '../../organizations/admin-route.ts';
import { addRoutes } from '../../http/route.ts';
import { startExport } from '../start-export.ts';

interface JobRouteParts extends AdminRouteParts {
  sites: Sites;
  jobs: Jobs;
  queue: Queue;
  storage: Storage;
  deltas: Deltas;
  options: ServerOptions;
  metrics: Metrics;
  checkRequest: CheckRequest;
}

const route = adminRoutesOf<JobRouteParts>('Static export');

export function addJobRoutes(api: Api, parts: Omit<JobRouteParts, 'checkRequest'>): void {
  addRoutes(
    api,
    { ...parts, checkRequest: createRequestCheck(parts) },
    { startStaticExportJob, listStaticExportJobs, getStaticExportJob, generateStaticExportBundle, cancelStaticExportJob },
  );
  addJobFollowRoutes(api, parts);
}

/** Before the body is validated. */
const siteOfBody: SiteOfRequest = async ({ req }) => {
  const body = (await req.json().catch(() => undefined)) as { domain?: unknown } | null | undefined;
  return domainSchema.safeParse(body?.domain).data;
};

const siteOfJob: SiteOfRequest<JobRouteParts> = async ({ req }, { jobs, sites }) => {
  const job = await jobs.get(req.param('jobId') ?? '');
  return job && ((await sites.get(job.domain))?.previewOf ?? job.domain);
};

const startStaticExportJob = route('post /v1/static-export/jobs', {
  summary: 'Start an export',
  description:
    'Queues a job and responds immediately. A site runs one job at a time; later ones wait. The newest completed job of a whole site is served.',
  scope: 'write',
  siteOf: siteOfBody,
  audit: 'job.start',
  headers: newJobHeaders,
  body: jsonBody(newJobSchema),
  answers: {
    202: {
      ...jsonAnswer(
        'The queued job, or the one that an earlier request with the same `Idempotency-Key` started.',
        jobObjectSchema,
      ),
      headers: z.object({ location: z.string().openapi({ description: 'URL of the job.' }) }),
    },
  },
  errors: [404, 409, 429],
  async handle({ parts, context, key, organization, headers, body: { domain, ...request } }) {
    const { publicUrl, sites, sitesUrl } = parts;
    await checkPlan(parts, key);
    const site = await siteOf(sites, { domain, organization });
    if (!site) throw siteUnknownError(domain);
    await parts.checkRequest(site, request);
    const repeatKey = headers['idempotency-key'];
    const idempotency = repeatKey === undefined ? undefined : { key: repeatKey, requestHash: digest(domain, request) };
    const wanted = { ...request, startedBy: key.name };
    const job = await startExport(parts, { organization, domain, request: wanted, idempotency });
    context.set('target', auditTarget(job));
    return context.json(jobObject(job, sitesUrl), 202, { location: `${publicUrl}${jobsPath}/${job.id}` });
  },
});

const page = namedObject('Jobs', {
  jobs: z.array(jobObjectSchema),
  cursor: z.string().optional().openapi({ description: 'Requests the next page; absent on the last one.' }),
});
const listStaticExportJobs = route('get /v1/static-export/jobs', {
  summary: 'List jobs',
  description: 'The jobs of the organization, latest first.',
  scope: 'read',
  query: jobListQuery,
  answers: { 200: jsonAnswer('Jobs of the organization, newest first.', page) },
  errors: [400],
  async handle({ parts, organization, query: { latest, ...filter } }) {
    const { jobs, cursor } = await parts.jobs.list({ organization, ...filter, isLatest: latest === 'true' });
    return { jobs: jobs.map((job) => jobObject(job, parts.sitesUrl)), cursor };
  },
});

const getStaticExportJob = route('get /v1/static-export/jobs/{jobId}', {
  summary: 'Status of a job',
  description:
    'The state of a job, its progress, and its result when it is completed. To follow it without polling, read its events.',
  scope: 'read',
  params: jobParams,
  answers: { 200: jsonAnswer('The job.', jobObjectSchema) },
  errors: [404],
  handle: async ({ parts, context }) => jobObject(await ownJob(parts.jobs, context), parts.sitesUrl),
});

const generateStaticExportBundle = route('post /v1/static-export/jobs/{jobId}/bundle', {
  summary: 'Link to the bundle of a completed job',
  description:
    'Only signs a link, so call it again when a link has expired. With `since`, the link is to a delta if one is much smaller; the first such call makes it. Takes no body.',
  scope: 'write',
  siteOf: siteOfJob,
  audit: 'bundle.link',
  params: jobParams,
  query: bundleQuery,
  answers: { 200: jsonAnswer('A new link.', bundleSchema) },
  errors: [400, 404, 409, 410, 413, 415],
  async handle({ parts, context, query }) {
    await checkNoBody(context);
    return await linkBundle(parts, await ownJob(parts.jobs, context), query);
  },
});

const cancelStaticExportJob = route('post /v1/static-export/jobs/{jobId}/cancel', {
  summary: 'Cancel a job',
  description: 'A queued job never starts, and a running one stops. Canceling a canceled job changes nothing. Takes no body.',
  scope: 'write',
  siteOf: siteOfJob,
  audit: 'job.cancel',
  params: jobParams,
  answers: { 200: jsonAnswer('The canceled job.', jobObjectSchema) },
  errors: [400, 404, 409, 413, 415],
  async handle({ parts, context }) {
    const { jobs, sitesUrl } = parts;
    await checkNoBody(context);
    const { id } = await ownJob(jobs, context);
    const canceled = await jobs.cancel(id);
    if (canceled) await removeWaiting(parts, canceled);
    const job = canceled ?? (await ownJob(jobs, context));
    if (job.status === 'canceled') return jobObject(job, sitesUrl);
    throw new ApiError('JobFinished', `The job "${id}" is already ${job.status}; only a queued or running job can be canceled.`);
  },
});

async function removeWaiting({ metrics, queue, log }: JobRouteParts, canceled: Job): Promise<void> {
  // A running job notices the change itself, and is counted where it ends.
  if (canceled.startedAt) return;
  metrics.jobs.inc({ status: 'canceled' });
  await queue
    .remove(canceled.id)
    .catch((error: unknown) => log.warn({ err: error, job: canceled.id }, 'a canceled job could not be removed from the queue'));
}

/** Also accepts `{}`, which some clients send with every POST. */
async function checkNoBody(context: Context): Promise<void> {
  const body = (await context.req.text()).trim();
  if (body === '' || /^\{\s*\}$/.test(body)) return;
  throw new ApiError('BodyNotExpected', 'This request takes no body. Send it without one.');
}

function digest(domain: string, { version, language, paths, groups, formats }: JobRequest): string {
  return createHash('sha256')
    .update(
      JSON.stringify([
        domain,
        version ?? null,
        language ?? null,
        paths ?? null,
        ...(groups ? [groups] : []),
        ...(formats ? [{ formats }] : []),
      ]),
    )
    .digest('hex');
}
