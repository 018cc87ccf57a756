// Starting an export job over HTTP.
import { createHash } from 'node:crypto';
import { createRoute, z } from '@hono/zod-openapi';
import { adminKey, checkPlan, type AccessParts } from '../../organizations/authenticate.ts';
import type { Organizations } from '../../organizations/organizations.ts';
import type { Api } from '../../http/api.ts';
import { errorAnswers } from '../../http/error-answers.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import type { ServerOptions } from '../../platform/options.ts';
import type { Sites } from '../../sites/sites.ts';
import type { Storage } from '../../storage/storage.ts';
import type { JobRequest } from '../model/job.ts';
import type { Jobs } from '../model/jobs.ts';
import { jobObject, jobObjectSchema } from '../model/object.ts';
import type { Queue } from '../queue/queue.ts';
import { createRequestCheck } from './known-paths.ts';
import { jobsPath } from './own-job.ts';
import { newJobHeaders, newJobSchema } from './requests.ts';

export interface StartParts extends AccessParts {
  organizations: Organizations;
  sites: Sites;
  jobs: Jobs;
  queue: Queue;
  storage: Storage;
  options: ServerOptions;
  log: Logger;
}

export function addStartRoute(api: Api, parts: StartParts): void {
  const { jobs, log, options, publicUrl, queue, sites, sitesUrl } = parts;
  const checkRequest = createRequestCheck(parts);
  const route = createRoute({
    tags: ['Static export'],
    security: [{ adminKey: [] }],
    middleware: adminKey(parts, 'write'),
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
        description: 'The job, queued; or the one that was started before with the same `Idempotency-Key`.',
        content: { 'application/json': { schema: jobObjectSchema } },
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
    if (site?.organization !== organization)
      throw new ApiError(
        404,
        'SiteUnknown',
        `There is no site "${domain}". GET /v1/sites lists them; PUT /v1/sites/${domain} adds it.`,
      );
    await checkRequest(site, request);
    const repeatKey = context.req.valid('header')['idempotency-key'];
    const idempotency = repeatKey === undefined ? undefined : { key: repeatKey, requestHash: digest(domain, request) };
    const job = await jobs.create({ organization, domain, request, idempotency, mostQueued: options.queuedJobs });
    // The job is in the database already: one that the queue cannot take now is found and sent within minutes.
    if (job.status === 'queued')
      await queue.send(job).catch((error: unknown) => log.error({ err: error, job: job.id }, 'a job could not be sent'));
    return context.json(jobObject(job, sitesUrl), 202, { location: `${publicUrl}${jobsPath}/${job.id}` });
  });
}

function digest(domain: string, { version, language, paths }: JobRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([domain, version ?? null, language ?? null, paths ?? null]))
    .digest('hex');
}
