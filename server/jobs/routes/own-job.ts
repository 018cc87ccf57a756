import type { Context } from 'hono';
import { z } from '@hono/zod-openapi';
import type { ApiEnvironment } from '../../http/api.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Job } from '../model/job.ts';
import type { Jobs } from '../model/jobs.ts';

/** Where all about jobs is. */
export const jobsPath = '/v1/static-export/jobs';

/** Not checked further: what is no id at all names no job either. */
export const jobParams = z.object({ jobId: z.string().openapi({ example: 'se_0123456789abcdef' }) });

/** The job of the address. Throws `ApiError` 404 `JobUnknown`, also for another organization's: its existence is not told. */
export async function ownJob(jobs: Pick<Jobs, 'get'>, context: Context<ApiEnvironment>): Promise<Job> {
  const id = context.req.param('jobId') ?? '';
  const job = await jobs.get(id);
  if (job && job.organization === context.get('key').organization) return job;
  throw new ApiError(404, 'JobUnknown', `There is no job "${id.slice(0, 60)}". GET ${jobsPath} lists them.`);
}
