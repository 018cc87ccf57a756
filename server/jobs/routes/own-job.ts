import type { Context } from 'hono';
import { z } from '@hono/zod-openapi';
import type { ApiEnvironment } from '../../http/api.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Job } from '../model/job.ts';
import type { Jobs } from '../model/jobs.ts';

/** The path below which all routes of jobs are. */
export const jobsPath = '/v1/static-export/jobs';

/** Not validated further: a text that is not an id finds no job. */
export const jobParams = z.object({ jobId: z.string().openapi({ example: 'se_0123456789abcdef' }) });

/** The job that the path names. Throws `ApiError` 404 `JobUnknown`, also for a job of another organization, to reveal nothing about it. */
export async function ownJob(jobs: Pick<Jobs, 'get'>, context: Context<ApiEnvironment>): Promise<Job> {
  const id = context.req.param('jobId') ?? '';
  const job = await jobs.get(id);
  if (job && job.organization === context.get('key').organization) return job;
  throw new ApiError(404, 'JobUnknown', `There is no job "${id.slice(0, 60)}". GET ${jobsPath} lists them.`);
}
