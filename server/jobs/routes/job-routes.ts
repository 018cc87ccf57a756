// Export jobs over HTTP: start, list, status, bundle, cancel.
import { createHash } from 'node:crypto';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { adminKey, checkPlan } from '../../organizations/authenticate.ts';
import type { Api } from '../../http/api.ts';
import { errorAnswers } from '../../http/error-answers.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Services } from '../../services.ts';
import { bundleSchema, linkBundle } from '../worker/job-bundle.ts';
import { addJobFollowRoutes } from './job-follow-routes.ts';
import { jobObject, jobObjectSchema } from '../model/job-object.ts';
import { jobListQuery, newJobHeaders, newJobSchema } from './job-requests.ts';
import type { Job } from '../model/job.ts';
import { createRequestCheck } from './known-paths.ts';
import { jobParams, jobsPath, ownJob } from './own-job.ts';

const common = { tags: ['Static export'], security: [{ adminKey: [] }] };
const answersJob = (description: string) => ({ description, content: { 'application/json': { schema: jobObjectSchema } } });

export function addJobRoutes(api: Api, services: Services): void {
  const { jobs, log, metrics, options, publicUrl, queue, sites, sitesUrl } = services;
  const checkRequest = createRequestCheck(services);
  const read = { ...common, middleware: adminKey(services, 'read') };
  const write = { ...common, middleware: adminKey(services, 'write') };

  api.openapi(
    createRoute({
      ...write,
      method: 'post',
      path: jobsPath,
      operationId: 'startStaticExportJob',
      summary: 'Start an export',
      description:
        'Queues a job and answers at once. A site runs one job at a time; later ones wait. The newest completed job of a whole site is what is served.',
      request: {
        headers: newJobHeaders,
        body: { required: true, content: { 'application/json': { schema: newJobSchema } } },
      },
      responses: {
        202: {
          ...answersJob('The job, queued; or the one that was started before with the same `Idempotency-Key`.'),
          headers: z.object({ location: z.string().openapi({ description: 'Address of the job.' }) }),
        },
        ...errorAnswers(400, 401, 403, 404, 409, 413, 415, 429),
      },
    }),
    async (context) => {
      const key = context.get('key');
      await checkPlan(services, key);
      const { domain, ...request } = context.req.valid('json');
      const site = await sites.get(domain);
      if (site?.organization !== key.organization)
        throw new ApiError(
          404,
          'SiteUnknown',
          `There is no site "${domain}". GET /v1/sites lists them; PUT /v1/sites/${domain} adds it.`,
        );
      await checkRequest(site, request);
      const repeatKey = context.req.valid('header')['idempotency-key'];
      const idempotency = repeatKey === undefined ? undefined : { key: repeatKey, requestHash: digest({ domain, ...request }) };
      const { organization } = key;
      const job = await jobs.create({ organization, domain, request, idempotency, mostQueued: options.queuedJobs });
      if (job.status === 'queued') await send(job);
      return context.json(jobObject(job, sitesUrl), 202, { location: `${publicUrl}${jobsPath}/${job.id}` });
    },
  );

  api.openapi(
    createRoute({
      ...read,
      method: 'get',
      path: jobsPath,
      operationId: 'listStaticExportJobs',
      summary: 'List jobs',
      request: { query: jobListQuery },
      responses: {
        200: {
          description: 'Jobs of the organization, newest first.',
          content: {
            'application/json': {
              schema: z
                .object({
                  jobs: z.array(jobObjectSchema),
                  cursor: z.string().optional().openapi({ description: 'Asks for the next page; absent on the last one.' }),
                })
                .openapi('Jobs'),
            },
          },
        },
        ...errorAnswers(400, 401, 403),
      },
    }),
    async (context) => {
      const { organization } = context.get('key');
      const { jobs: found, cursor } = await jobs.list({ organization, ...context.req.valid('query') });
      return context.json({ jobs: found.map((job) => jobObject(job, sitesUrl)), cursor }, 200);
    },
  );

  api.openapi(
    createRoute({
      ...read,
      method: 'get',
      path: `${jobsPath}/{jobId}`,
      operationId: 'getStaticExportJob',
      summary: 'Status of a job',
      request: { params: jobParams },
      responses: { 200: answersJob('The job.'), ...errorAnswers(401, 403, 404) },
    }),
    async (context) => context.json(jobObject(await ownJob(jobs, context), sitesUrl), 200),
  );

  api.openapi(
    createRoute({
      ...write,
      method: 'post',
      path: `${jobsPath}/{jobId}/bundle`,
      operationId: 'generateStaticExportBundle',
      summary: 'Link to the bundle of a completed job',
      description: 'Only signs a link, so it may be called again whenever a link has expired. Takes no body.',
      request: { params: jobParams },
      responses: {
        200: { description: 'A new link.', content: { 'application/json': { schema: bundleSchema } } },
        ...errorAnswers(400, 401, 403, 404, 409, 410, 413, 415),
      },
    }),
    async (context) => {
      await checkNoBody(context);
      return context.json(await linkBundle(services, await ownJob(jobs, context)), 200);
    },
  );

  api.openapi(
    createRoute({
      ...write,
      method: 'post',
      path: `${jobsPath}/{jobId}/cancel`,
      operationId: 'cancelStaticExportJob',
      summary: 'Cancel a job',
      description: 'A waiting job never starts, a running one is ended. Canceling a canceled job changes nothing. Takes no body.',
      request: { params: jobParams },
      responses: { 200: answersJob('The canceled job.'), ...errorAnswers(400, 401, 403, 404, 409, 413, 415) },
    }),
    async (context) => {
      await checkNoBody(context);
      const { id } = await ownJob(jobs, context);
      const canceled = await jobs.cancel(id);
      if (canceled) await forget(canceled);
      const job = canceled ?? (await ownJob(jobs, context));
      if (job.status === 'canceled') return context.json(jobObject(job, sitesUrl), 200);
      throw new ApiError(
        409,
        'JobFinished',
        `The job "${id}" is ${job.status} already; only a queued or running job can be canceled.`,
      );
    },
  );

  addJobFollowRoutes(api, services);

  /** The job is in the database already, so it is not lost when the queue cannot take it: such jobs are looked for each minute. */
  async function send({ id, domain }: Job): Promise<void> {
    await queue.send({ id, domain }).catch((error: unknown) => log.error({ err: error, job: id }, 'a job could not be sent'));
  }

  async function forget(canceled: Job): Promise<void> {
    // A run hears of it by itself, and is counted where it ends.
    if (canceled.startedAt) return;
    metrics.jobs.inc({ status: 'canceled' });
    await queue
      .remove(canceled.id)
      .catch((error: unknown) => log.warn({ err: error, job: canceled.id }, 'a job stays in the queue'));
  }
}

/** Takes `{}` too, which some clients send with every POST. */
async function checkNoBody(context: Context): Promise<void> {
  const body = (await context.req.text()).trim();
  if (body === '' || /^\{\s*\}$/.test(body)) return;
  throw new ApiError(400, 'BodyNotExpected', 'This request takes no body. Send it without one.');
}

function digest(request: { domain: string; version?: string; language?: string; paths?: string[] }): string {
  const { domain, version, language, paths } = request;
  return createHash('sha256')
    .update(JSON.stringify([domain, version ?? null, language ?? null, paths ?? null]))
    .digest('hex');
}
