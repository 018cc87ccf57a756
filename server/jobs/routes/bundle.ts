// From a completed job to a link that expires. The archive exists since the job's last stage: this only signs.
import { z } from '@hono/zod-openapi';
import { ApiError, type ErrorCode } from '../../platform/errors.ts';
import { archiveKey, bundleFileName } from '../../storage/keys.ts';
import type { ServerOptions } from '../../platform/options.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Job, JobResult, JobStatus } from '../model/job.ts';

export const bundleSchema = z
  .object({
    jobId: z.string().openapi({ example: 'se_0123456789abcdef' }),
    bundleUrl: z.url().openapi({ description: 'URL of the zip; anyone who has it may download it, without a key.' }),
    expiresAt: z.iso.datetime().openapi({ description: 'The URL expires then; request a new one.' }),
    sizeBytes: z.int().min(0),
    sha256: z.string().openapi({ description: 'Digest of the zip in hex.' }),
    version: z.string().openapi({ description: 'Export version.', example: 'v14' }),
  })
  .openapi('BundleLink');

export type BundleObject = z.infer<typeof bundleSchema>;

/** Throws `ApiError` 409 `JobNotFinished`, `JobFailed`, `JobCanceled`; 410 `ExportExpired`. */
export async function linkBundle(
  { storage, options, now }: { storage: Storage; options: ServerOptions; now: () => number },
  job: Job,
): Promise<BundleObject> {
  const { version, archive } = resultOf(job);
  // Links carry whole seconds.
  const expires = new Date((Math.floor(now() / 1000) + options.linkSeconds) * 1000);
  const bundleUrl = await storage.link(archiveKey(job.domain, archive.sha256), {
    jobId: job.id,
    fileName: bundleFileName(job.domain, version),
    expires,
  });
  return { jobId: job.id, bundleUrl, expiresAt: expires.toISOString(), ...archive, version };
}

function resultOf(job: Job): JobResult {
  const refused = refusals[job.status];
  if (refused) throw new ApiError(409, refused.code, `The job "${job.id}" ${refused.message}`);
  if (job.expiredAt || !job.result)
    throw new ApiError(
      410,
      'ExportExpired',
      `The files of the job "${job.id}" were removed after newer exports of "${job.domain}". Take the newest job's bundle, or start a new job.`,
    );
  return job.result;
}

const notFinished: { code: ErrorCode; message: string } = {
  code: 'JobNotFinished',
  message: 'is not completed yet. Ask again when its status is "completed"; its events say when.',
};
const refusals: Partial<Record<JobStatus, { code: ErrorCode; message: string }>> = {
  queued: notFinished,
  running: notFinished,
  failed: { code: 'JobFailed', message: 'failed, so it has no bundle. Its error and its log say why; start a new job.' },
  canceled: { code: 'JobCanceled', message: 'was canceled, so it has no bundle. Start a new job.' },
};
