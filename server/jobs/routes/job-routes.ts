// Routes that start, list, show and cancel export jobs, and link to their bundles.
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { audited, type AuditParts } from '../../organizations/audit-routes.ts';
import { adminKey, checkPlan, type AccessParts } from '../../organizations/authenticate.ts';
import type { Api } from '../../http/api.ts';
import { errorAnswers, jsonAnswer, jsonBody } from '../../http/error-answers.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Job, JobRequest } from '../model/job.ts';
import { jobObject, jobObjectSchema } from '../model/job-object.ts';
import { bundleSchema, linkBundle } from './bundle-routes.ts';
import { addJobFollowRoutes } from './follow-routes.ts';
import { auditTarget, jobParams, jobsPath, ownJob, jobListQuery, newJobHeaders, newJobSchema } from './request-schemas.ts';
import { createHash } from 'node:crypto';
import type { Organizations } from '../../organizations/organizations.ts';
import type { ServerOptions } from '../../platform/options.ts';
import { siteUnknownError } from '../../sites/site-routes.ts';
import type { Sites } from '../../sites/sites.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Jobs } from '../model/jobs.ts';
import type { Queue } from '../queue/queue.ts';
import { createRequestCheck } from './check-request.ts';

interface JobRouteParts extends AccessParts, AuditParts {
  organizations: Organizations;
  sites: Sites;
  jobs: Jobs;
  queue: Queue;
  storage: Storage;
  options: ServerOptions;
  metrics: Metrics;
}

export function addJobRoutes(api: Api, parts: JobRouteParts): void {
  addStartRoute(api, parts);
  addListRoute(api, parts);
  addStatusRoute(api, parts);
  addBundleLinkRoute(api, parts);
  addCancelRoute(api, parts);
  addJobFollowRoutes(api, parts);
}

const common = { tags: ['Static export'], security: [{ adminKey: [] }] };

function addStartRoute(api: Api, parts: JobRouteParts): void {
  const { jobs, log, options, publicUrl, queue, sites, sitesUrl } = parts;
  const checkRequest = createRequestCheck(parts);
  const route = createRoute({
    ...common,
    middleware: [adminKey(parts, 'write'), audited(parts, 'job.start')] as const,
    method: 'post',
    path: jobsPath,
    operationId: 'startStaticExportJob',
    summary: 'Start an export',
    description:
      'Queues a job and responds immediately. A site runs one job at a time; later ones wait. The newest completed job of a whole site is served.',
    request: { headers: newJobHeaders, body: jsonBody(newJobSchema) },
    responses: {
      202: {
        ...jsonAnswer(
          'The queued job, or the one that an earlier request with the same `Idempotency-Key` started.',
          jobObjectSchema,
        ),
        headers: z.object({ location: z.string().openapi({ description: 'URL of the job.' }) }),
      },
      ...errorAnswers(400, 401, 403, 404, 409, 413, 415, 429),
    },
  });

  api.openapi(route, async (context) => {
    const key = context.get('key');
    await checkPlan(parts, key);
    const { organization } = key;
    const { domain, ...request } = context.req.valid('json');
    const site = await sites.get(domain);
    if (site?.organization !== organization) throw siteUnknownError(domain);
    await checkRequest(site, request);
    const repeatKey = context.req.valid('header')['idempotency-key'];
    const idempotency = repeatKey === undefined ? undefined : { key: repeatKey, requestHash: digest(domain, request) };
    const job = await jobs.create({ organization, domain, request, idempotency, mostQueued: options.queuedJobs });
    context.set('target', auditTarget(job));
    // The job is already in the database: if the queue is unavailable now, it is sent within minutes.
    if (job.status === 'queued')
      await queue.send(job).catch((error: unknown) => log.error({ err: error, job: job.id }, 'a job could not be sent'));
    return context.json(jobObject(job, sitesUrl), 202, { location: `${publicUrl}${jobsPath}/${job.id}` });
  });
}

function addListRoute(api: Api, parts: JobRouteParts): void {
  const page = z
    .object({
      jobs: z.array(jobObjectSchema),
      cursor: z.string().optional().openapi({ description: 'Requests the next page; absent on the last one.' }),
    })
    .openapi('Jobs');
  const route = createRoute({
    ...common,
    middleware: adminKey(parts, 'read'),
    method: 'get',
    path: jobsPath,
    operationId: 'listStaticExportJobs',
    summary: 'List jobs',
    description: 'The jobs of the organization, latest first.',
    request: { query: jobListQuery },
    responses: {
      200: jsonAnswer('Jobs of the organization, newest first.', page),
      ...errorAnswers(400, 401, 403),
    },
  });
  api.openapi(route, async (context) => {
    const { organization } = context.get('key');
    const { latest, ...filter } = context.req.valid('query');
    const { jobs, cursor } = await parts.jobs.list({ organization, ...filter, isLatest: latest === 'true' });
    return context.json({ jobs: jobs.map((job) => jobObject(job, parts.sitesUrl)), cursor }, 200);
  });
}

function addStatusRoute(api: Api, parts: JobRouteParts): void {
  const route = createRoute({
    ...common,
    middleware: adminKey(parts, 'read'),
    method: 'get',
    path: `${jobsPath}/{jobId}`,
    operationId: 'getStaticExportJob',
    summary: 'Status of a job',
    description:
      'The state of a job, its progress, and its result when it is completed. To follow it without polling, read its events.',
    request: { params: jobParams },
    responses: { 200: jsonAnswer('The job.', jobObjectSchema), ...errorAnswers(401, 403, 404) },
  });
  api.openapi(route, async (context) => context.json(jobObject(await ownJob(parts.jobs, context), parts.sitesUrl), 200));
}

function addBundleLinkRoute(api: Api, parts: JobRouteParts): void {
  const route = createRoute({
    ...common,
    middleware: [adminKey(parts, 'write'), audited(parts, 'bundle.link')] as const,
    method: 'post',
    path: `${jobsPath}/{jobId}/bundle`,
    operationId: 'generateStaticExportBundle',
    summary: 'Link to the bundle of a completed job',
    description: 'Only signs a link, so call it again when a link has expired. Takes no body.',
    request: { params: jobParams },
    responses: {
      200: jsonAnswer('A new link.', bundleSchema),
      ...errorAnswers(400, 401, 403, 404, 409, 410, 413, 415),
    },
  });
  api.openapi(route, async (context) => {
    await checkNoBody(context);
    return context.json(await linkBundle(parts, await ownJob(parts.jobs, context)), 200);
  });
}

function addCancelRoute(api: Api, parts: JobRouteParts): void {
  const { jobs, log, metrics, queue, sitesUrl } = parts;
  const route = createRoute({
    ...common,
    middleware: [adminKey(parts, 'write'), audited(parts, 'job.cancel')] as const,
    method: 'post',
    path: `${jobsPath}/{jobId}/cancel`,
    operationId: 'cancelStaticExportJob',
    summary: 'Cancel a job',
    description: 'A queued job never starts, and a running one stops. Canceling a canceled job changes nothing. Takes no body.',
    request: { params: jobParams },
    responses: { 200: jsonAnswer('The canceled job.', jobObjectSchema), ...errorAnswers(400, 401, 403, 404, 409, 413, 415) },
  });
  api.openapi(route, async (context) => {
    await checkNoBody(context);
    const { id } = await ownJob(jobs, context);
    const canceled = await jobs.cancel(id);
    if (canceled) await removeWaiting(canceled);
    const job = canceled ?? (await ownJob(jobs, context));
    if (job.status === 'canceled') return context.json(jobObject(job, sitesUrl), 200);
    throw new ApiError('JobFinished', `The job "${id}" is already ${job.status}; only a queued or running job can be canceled.`);
  });

  async function removeWaiting(canceled: Job): Promise<void> {
    // A running job notices the change itself, and is counted where it ends.
    if (canceled.startedAt) return;
    metrics.jobs.inc({ status: 'canceled' });
    await queue
      .remove(canceled.id)
      .catch((error: unknown) =>
        log.warn({ err: error, job: canceled.id }, 'a canceled job could not be removed from the queue'),
      );
  }
}

/** Also accepts `{}`, which some clients send with every POST. */
async function checkNoBody(context: Context): Promise<void> {
  const body = (await context.req.text()).trim();
  if (body === '' || /^\{\s*\}$/.test(body)) return;
  throw new ApiError('BodyNotExpected', 'This request takes no body. Send it without one.');
}

function digest(domain: string, { version, language, paths }: JobRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([domain, version ?? null, language ?? null, paths ?? null]))
    .digest('hex');
}
