// Links to bundles, and the download of archives that are stored on disk. The signature in a link grants the download: no key is needed.
import { z } from '@hono/zod-openapi';
import { namedObject } from '../../http/error-answers.ts';
import type { Api } from '../../http/api.ts';
import { contentType } from '../../http/content-type.ts';
import { addRoutes, routesOf } from '../../http/route.ts';
import { ApiError, type ErrorCode } from '../../platform/errors.ts';
import { bookFormats, type JobResult, type Job, type JobStatus } from '../model/job.ts';
import type { Jobs } from '../model/jobs.ts';
import type { Deltas } from '../worker/make-delta.ts';
import type { Storage } from '../../storage/storage.ts';
import { matchesTag, parseRange } from '../../http/request-headers.ts';
import { isSigned } from '../../storage/bundle-link.ts';
import { archiveKey, bundleFileName } from '../../storage/storage-keys.ts';
import type { ServerOptions } from '../../platform/options.ts';
import type { Secrets } from '../../platform/secrets.ts';

export const bundleSchema = namedObject('BundleLink', {
  jobId: z.string().openapi({ example: 'se_0123456789abcdef' }),
  bundleUrl: z.url().openapi({ description: 'URL of the zip or book; anyone who has it can download it without a key.' }),
  expiresAt: z.iso.datetime().openapi({ description: 'When the URL expires; then request a new one.' }),
  sizeBytes: z.int().min(0),
  sha256: z.string().openapi({ description: 'SHA-256 digest of the file in hex.' }),
  version: z.string().openapi({ description: 'Export version.', example: 'v14' }),
  manifest: z.string().openapi({ description: 'SHA-256 digest of its `carrel.json` in hex, for `since`.' }),
  deltaFrom: z.string().optional().openapi({
    description: 'The zip is a delta, for `carrel apply`, from the export with this version. Absent for a whole bundle.',
    example: 'v13',
  }),
});

export const bundleQuery = z.object({
  format: z
    .enum(bookFormats)
    .optional()
    .openapi({ description: 'The link is to the book that was requested in `formats`; not with `since`.' }),
  since: z
    .string()
    .regex(/^[0-9a-f]{64}$/, { error: 'must be the SHA-256 digest of a carrel.json, in hex' })
    .optional()
    .openapi({
      description:
        'SHA-256 digest, in hex, of the `carrel.json` of the export that you have. If that export is still stored, and is one of the same site for the same readers, the link is to a delta, unless it would be half as large as the bundle or more, or takes long to make.',
    }),
});

export type BundleObject = z.infer<typeof bundleSchema>;

/** A link to the archive of a completed job, which exists already, to a delta to it, or to a book of its pages. Throws `ApiError` 404 `FormatNotMade`; 409 `JobNotFinished`, `JobFailed`, `JobCanceled`; 410 `ExportExpired`. */
export async function linkBundle(
  { storage, deltas, options, now }: { storage: Storage; deltas: Deltas; options: ServerOptions; now: () => number },
  job: Job,
  { since, format }: z.infer<typeof bundleQuery> = {},
): Promise<BundleObject> {
  const { version, manifest, ...whole } = resultOf(job);
  const book = format === undefined ? undefined : whole.books?.[format];
  if (format !== undefined && !book)
    throw new ApiError('FormatNotMade', `The job "${job.id}" made no ${format}. Start a job with "formats": ["${format}"].`);
  const delta = since === undefined || book ? undefined : await deltas.find(job, since);
  const archive = book ?? (delta ?? whole).archive;
  // Links carry whole seconds.
  const expires = new Date((Math.floor(now() / 1000) + options.linkSeconds) * 1000);
  const bundleUrl = await storage.link(archiveKey(job.domain, archive.sha256), {
    jobId: job.id,
    fileName: fileNameOf(job, version, archive.sha256),
    expires,
    delta: archive === whole.archive ? undefined : archive.sha256,
  });
  const about = { version, manifest, ...(delta && { deltaFrom: delta.from }) };
  return { jobId: job.id, bundleUrl, expiresAt: expires.toISOString(), ...archive, ...about };
}

/** The file name of an archive or book of a job, or of a delta to it. */
function fileNameOf({ domain, result }: Job, version: string, sha256: string): string {
  const format = bookFormats.find((format) => result?.books?.[format]?.sha256 === sha256);
  return bundleFileName(domain, format || sha256 === result?.archive.sha256 ? version : `${version}-delta`, format);
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

const binary = { schema: z.string().openapi({ format: 'binary', description: 'The archive, or the requested part.' }) };
const archive = { 'application/zip': binary, 'application/epub+zip': binary };

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
    delta: z.string().optional().openapi({ description: 'The link is to this delta or book instead of the bundle.' }),
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
    const { key, fileName, sha256 } = await signedRight(parts, jobId, query);
    const stored = await parts.storage.get(key);
    if (!stored) throw bundleGoneError();

    const etag = `"${sha256}"`;
    const headers = new Headers({
      etag,
      'accept-ranges': 'bytes',
      // The URL is a secret until it expires, and useless afterward: no cache may store the response.
      'cache-control': 'private, no-store',
      'content-disposition': `attachment; filename="${fileName}"`,
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
    headers.set('content-type', contentType(fileName));
    const { start, end } = range ?? { start: 0, end: stored.size - 1 };
    headers.set('content-length', String(end - start + 1));
    if (range) headers.set('content-range', `bytes ${start}-${end}/${stored.size}`);
    const body = context.req.method === 'HEAD' ? null : await stored.read({ start, end }).catch(missing);
    return new Response(body, { status: range ? 206 : 200, headers });
  },
});

/** What a signed URL grants. Throws `LinkInvalid`, and `LinkExpired` only for a link that was valid. */
async function signedRight(
  { jobs, secrets, now }: BundleParts,
  jobId: string,
  { expires = '', nonce, delta, signature = '' }: { expires?: string; nonce?: string; delta?: string; signature?: string },
): Promise<{ key: string; fileName: string; sha256: string }> {
  const job = /^se_[0-9a-f]{16}$/.test(jobId) ? await jobs.get(jobId) : undefined;
  if (!job?.result || !/^[1-9]\d{0,11}$/.test(expires)) throw linkInvalidError();
  if (delta !== undefined && !/^[0-9a-f]{64}$/.test(delta)) throw linkInvalidError();
  const sha256 = delta ?? job.result.archive.sha256;
  const grant = {
    jobId,
    key: archiveKey(job.domain, sha256),
    fileName: fileNameOf(job, job.result.version, sha256),
    expires: new Date(Number(expires) * 1000),
    nonce,
  };
  if (!isSigned(secrets, grant, signature)) throw linkInvalidError();
  // Checked before the expiry, since a new link would not help.
  if (job.expiredAt) throw bundleGoneError();
  if (now() >= grant.expires.getTime()) throw linkExpiredError(grant.expires, jobId);
  return { ...grant, sha256 };
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
