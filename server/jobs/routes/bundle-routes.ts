// Links to bundles, and the download of archives that are stored on disk. The signature in a link grants the download: no key is needed.
import { z } from '@hono/zod-openapi';
import type { Api } from '../../http/api.ts';
import { addRoutes, routesOf } from '../../http/route.ts';
import { ApiError, type ErrorCode } from '../../platform/errors.ts';
import type { JobResult, Job, JobStatus } from '../model/job.ts';
import type { Jobs } from '../model/jobs.ts';
import type { Storage } from '../../storage/storage.ts';
import { matchesTag, parseRange } from '../../http/request-headers.ts';
import { isSigned } from '../../storage/bundle-link.ts';
import { archiveKey, bundleFileName } from '../../storage/storage-keys.ts';
import type { ServerOptions } from '../../platform/options.ts';
import type { Secrets } from '../../platform/secrets.ts';

export const bundleSchema = z
  .object({
    jobId: z.string().openapi({ example: 'se_0123456789abcdef' }),
    bundleUrl: z.url().openapi({ description: 'URL of the zip; anyone who has it can download it without a key.' }),
    expiresAt: z.iso.datetime().openapi({ description: 'When the URL expires; then request a new one.' }),
    sizeBytes: z.int().min(0),
    sha256: z.string().openapi({ description: 'SHA-256 digest of the zip in hex.' }),
    version: z.string().openapi({ description: 'Export version.', example: 'v14' }),
  })
  .openapi('BundleLink');

export type BundleObject = z.infer<typeof bundleSchema>;

/** A link to the archive of a completed job, which exists already: this only signs. Throws `ApiError` 409 `JobNotFinished`, `JobFailed`, `JobCanceled`; 410 `ExportExpired`. */
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

/** The result of a completed job whose files are stored. Throws `ApiError` 409, 410 `ExportExpired`. */
export function resultOf(job: Job): JobResult {
  const refused = refusals[job.status];
  if (refused) throw new ApiError(refused.code, `The job "${job.id}" ${refused.message}`);
  if (job.expiredAt || !job.result) throw exportExpiredError(job);
  return job.result;
}

export function exportExpiredError({ id, domain }: Job): ApiError {
  return new ApiError(
    'ExportExpired',
    `The files of the job "${id}" were removed after newer exports of "${domain}". Use the newest job, or start a new one.`,
  );
}

const notFinished: { code: ErrorCode; message: string } = {
  code: 'JobNotFinished',
  message: 'is not completed yet. Try again when its status is "completed"; its events report when.',
};
const refusals: Partial<Record<JobStatus, { code: ErrorCode; message: string }>> = {
  queued: notFinished,
  running: notFinished,
  failed: { code: 'JobFailed', message: 'failed, so it has no export. Its error and its log say why. Start a new job.' },
  canceled: { code: 'JobCanceled', message: 'was canceled, so it has no export. Start a new job.' },
};

const archive = {
  'application/zip': { schema: z.string().openapi({ format: 'binary', description: 'The archive, or the requested part.' }) },
};

interface BundleParts {
  storage: Storage;
  jobs: Jobs;
  secrets: Secrets;
  now: () => number;
}

/** Adds `GET` and `HEAD /v1/bundles/{jobId}`, unless exports are stored in a bucket. */
export function addBundleRoutes(api: Api, parts: BundleParts): void {
  if (parts.storage.kind === 'disk') addRoutes(api, parts, { downloadStaticExportBundle: downloadBundle });
}

const downloadBundle = routesOf<BundleParts>({ tags: ['Bundles'], security: [] })('get /v1/bundles/{jobId}', {
  summary: 'Download a bundle by its link',
  description:
    "The URL in `bundleUrl` if exports are stored on the server's disk. Supports ranges (`Range`, `If-Range`) and `If-None-Match`, " +
    'so that a download can be resumed. With a bucket, `bundleUrl` links to the bucket instead, and this URL does not exist.',
  params: z.object({ jobId: z.string().openapi({ example: 'se_0123456789abcdef' }) }),
  query: z.object({
    expires: z.string().optional().openapi({ description: 'Seconds since 1970.', example: '1795000000' }),
    nonce: z.string().optional().openapi({ description: 'Makes each link unique.' }),
    signature: z.string().optional(),
  }),
  headers: z.object({
    range: z.string().optional().openapi({ example: 'bytes=1048576-' }),
    'if-range': z.string().optional(),
    'if-none-match': z.string().optional(),
  }),
  answers: {
    200: { description: 'The whole archive.', content: archive },
    206: { description: 'A part of it.', content: archive },
    304: { description: 'The client already has it.' },
    416: { description: 'The range is outside the archive; `Content-Range` contains its size.' },
  },
  errors: [403, 410],
  async handle({ parts, context, params: { jobId }, query }) {
    const { domain, result } = await signedJob(parts, jobId, query);
    const { version, archive } = result;
    const stored = await parts.storage.get(archiveKey(domain, archive.sha256));
    if (!stored) throw bundleGoneError();

    const etag = `"${archive.sha256}"`;
    const headers = new Headers({
      etag,
      'accept-ranges': 'bytes',
      // The URL is a secret until it expires, and useless afterward: no cache may store the response.
      'cache-control': 'private, no-store',
      'content-disposition': `attachment; filename="${bundleFileName(domain, version)}"`,
      'x-content-type-options': 'nosniff',
    });
    const request = context.req.raw.headers;
    if (matchesTag(request.get('if-none-match'), etag)) return new Response(null, { status: 304, headers });

    const condition = request.get('if-range');
    const range = condition === null || condition === etag ? parseRange(request.get('range'), stored.size) : undefined;
    if (range === 'unsatisfiable') {
      headers.set('content-range', `bytes */${stored.size}`);
      return new Response(null, { status: 416, headers });
    }
    headers.set('content-type', 'application/zip');
    const { start, end } = range ?? { start: 0, end: stored.size - 1 };
    headers.set('content-length', String(end - start + 1));
    if (range) headers.set('content-range', `bytes ${start}-${end}/${stored.size}`);
    const body = context.req.method === 'HEAD' ? null : await stored.read({ start, end }).catch(missing);
    return new Response(body, { status: range ? 206 : 200, headers });
  },
});

/** The job in a signed URL. Throws `LinkInvalid`, and `LinkExpired` only for a link that was valid. */
async function signedJob(
  { jobs, secrets, now }: BundleParts,
  jobId: string,
  { expires = '', nonce, signature = '' }: { expires?: string; nonce?: string; signature?: string },
): Promise<{ domain: string; result: JobResult }> {
  const job = /^se_[0-9a-f]{16}$/.test(jobId) ? await jobs.get(jobId) : undefined;
  if (!job?.result || !/^[1-9]\d{0,11}$/.test(expires)) throw linkInvalidError();
  const grant = {
    jobId,
    key: archiveKey(job.domain, job.result.archive.sha256),
    fileName: bundleFileName(job.domain, job.result.version),
    expires: new Date(Number(expires) * 1000),
    nonce,
  };
  if (!isSigned(secrets, grant, signature)) throw linkInvalidError();
  // Checked before the expiry, since a new link would not help.
  if (job.expiredAt) throw bundleGoneError();
  if (now() >= grant.expires.getTime()) throw linkExpiredError(grant.expires, jobId);
  return { domain: job.domain, result: job.result };
}

function linkInvalidError(): ApiError {
  return new ApiError(
    'LinkInvalid',
    'This server did not issue this link, or a part of it was changed. Use the whole URL unchanged, or request a new one.',
  );
}

function linkExpiredError(at: Date, jobId: string): ApiError {
  return new ApiError(
    'LinkExpired',
    `This link expired at ${at.toISOString()}. The bundle still exists: request a new link with POST /v1/static-export/jobs/${jobId}/bundle and an admin key.`,
  );
}

function bundleGoneError(): ApiError {
  return new ApiError(
    'ExportExpired',
    'The files of this export were removed after newer exports. Download the bundle of a newer job, or start a new export.',
  );
}

function missing(error: NodeJS.ErrnoException): never {
  throw error.code === 'ENOENT' ? bundleGoneError() : error;
}
