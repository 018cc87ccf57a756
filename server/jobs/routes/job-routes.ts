// Export jobs over HTTP: list, status, bundle, cancel; starting and following them have their own files.
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { adminKey } from '../../organizations/authenticate.ts';
import type { Api } from '../../http/api.ts';
import { errorAnswers } from '../../http/error-answers.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Job } from '../model/job.ts';
import { jobObject, jobObjectSchema } from '../model/object.ts';
import { bundleSchema, linkBundle } from './bundle.ts';
import { addJobFollowRoutes } from './follow-routes.ts';
import { jobParams, jobsPath, ownJob } from './own-job.ts';
import { jobListQuery } from './requests.ts';
import { addStartRoute, type StartParts } from './start-route.ts';

interface JobRouteParts extends StartParts {
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
const answersJob = (description: string) => ({ description, content: { 'application/json': { schema: jobObjectSchema } } });

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
    request: { query: jobListQuery },
    responses: {
      200: { description: 'Jobs of the organization, newest first.', content: { 'application/json': { schema: page } } },
      ...errorAnswers(400, 401, 403),
    },
  });
  api.openapi(route, async (context) => {
    const { organization } = context.get('key');
    const { jobs, cursor } = await parts.jobs.list({ organization, ...context.req.valid('query') });
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
    request: { params: jobParams },
    responses: { 200: answersJob('The job.'), ...errorAnswers(401, 403, 404) },
  });
  api.openapi(route, async (context) => context.json(jobObject(await ownJob(parts.jobs, context), parts.sitesUrl), 200));
}

function addBundleLinkRoute(api: Api, parts: JobRouteParts): void {
  const route = createRoute({
    ...common,
    middleware: adminKey(parts, 'write'),
    method: 'post',
    path: `${jobsPath}/{jobId}/bundle`,
    operationId: 'generateStaticExportBundle',
    summary: 'Link to the bundle of a completed job',
    description: 'Only signs a link, so call it again whenever a link has expired. Takes no body.',
    request: { params: jobParams },
    responses: {
      200: { description: 'A new link.', content: { 'application/json': { schema: bundleSchema } } },
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
    middleware: adminKey(parts, 'write'),
    method: 'post',
    path: `${jobsPath}/{jobId}/cancel`,
    operationId: 'cancelStaticExportJob',
    summary: 'Cancel a job',
    description: 'A waiting job never starts, a running one is ended. Canceling a canceled job changes nothing. Takes no body.',
    request: { params: jobParams },
    responses: { 200: answersJob('The canceled job.'), ...errorAnswers(400, 401, 403, 404, 409, 413, 415) },
  });
  api.openapi(route, async (context) => {
    await checkNoBody(context);
    const { id } = await ownJob(jobs, context);
    const canceled = await jobs.cancel(id);
    if (canceled) await removeWaiting(canceled);
    const job = canceled ?? (await ownJob(jobs, context));
    if (job.status === 'canceled') return context.json(jobObject(job, sitesUrl), 200);
    throw new ApiError(
      409,
      'JobFinished',
      `The job "${id}" is ${job.status} already; only a queued or running job can be canceled.`,
    );
  });

  async function removeWaiting(canceled: Job): Promise<void> {
    // A run learns of it by itself, and is counted where it ends.
    if (canceled.startedAt) return;
    metrics.jobs.inc({ status: 'canceled' });
    await queue
      .remove(canceled.id)
      .catch((error: unknown) => log.warn({ err: error, job: canceled.id }, 'a job stays in the queue'));
  }
}

/** Accepts `{}` too, which some clients send with every POST. */
async function checkNoBody(context: Context): Promise<void> {
  const body = (await context.req.text()).trim();
  if (body === '' || /^\{\s*\}$/.test(body)) return;
  throw new ApiError(400, 'BodyNotExpected', 'This request takes no body. Send it without one.');
}
