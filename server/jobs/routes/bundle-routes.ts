// Archives over HTTP, for exports that are stored on disk. The signature in the URL grants the download: no key is needed.
import { createRoute, z } from '@hono/zod-openapi';
import type { Api } from '../../http/api.ts';
import { errorAnswers } from '../../http/error-answers.ts';
import { ApiError } from '../../platform/errors.ts';
import type { JobResult } from '../model/job.ts';
import type { Jobs } from '../model/jobs.ts';
import type { Storage } from '../../storage/storage.ts';
import { parseRange } from '../../http/request-headers.ts';
import { isSigned } from '../../storage/bundle-link.ts';
import { archiveKey, bundleFileName } from '../../storage/keys.ts';

const archive = {
  'application/zip': { schema: z.string().openapi({ format: 'binary', description: 'The archive, or the requested part.' }) },
};

const route = createRoute({
  method: 'get',
  path: '/v1/bundles/{jobId}',
  operationId: 'downloadStaticExportBundle',
  tags: ['Bundles'],
  summary: 'Download a bundle by its link',
  description:
    "The URL in `bundleUrl` where exports are stored on the server's disk. Ranges (`Range`, `If-Range`) and `If-None-Match` " +
    'are answered, so a download can be resumed. On a bucket, `bundleUrl` links to the bucket instead, and this URL does not exist.',
  security: [],
  request: {
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
  },
  responses: {
    200: { description: 'The whole archive.', content: archive },
    206: { description: 'A part of it.', content: archive },
    304: { description: 'The caller has it already.' },
    416: { description: 'It has no such part; `Content-Range` has its size.' },
    ...errorAnswers(403, 410),
  },
});

interface BundleParts {
  storage: Storage;
  jobs: Jobs;
  secret: string;
  now: () => number;
}

/** Adds `GET` and `HEAD /v1/bundles/{jobId}`, unless a bucket answers its links itself. */
export function addBundleRoutes(api: Api, parts: BundleParts): void {
  if (parts.storage.kind !== 'disk') return;

  api.openapi(route, async (context) => {
    const { jobId } = context.req.valid('param');
    const { domain, result } = await signedJob(parts, jobId, context.req.valid('query'));
    const { version, archive } = result;
    const stored = await parts.storage.get(archiveKey(domain, archive.sha256));
    if (!stored) throw gone();

    const etag = `"${archive.sha256}"`;
    const headers = new Headers({
      etag,
      'accept-ranges': 'bytes',
      // The URL is a secret until it expires, and useless afterwards: no cache may store the answer.
      'cache-control': 'private, no-store',
      'content-disposition': `attachment; filename="${bundleFileName(domain, version)}"`,
      'x-content-type-options': 'nosniff',
    });
    const request = context.req.raw.headers;
    if (knows(request.get('if-none-match'), etag)) return new Response(null, { status: 304, headers });

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
  });
}

/** The job that the URL is signed for. Throws `LinkInvalid`, and `LinkExpired` only for a link that was valid. */
async function signedJob(
  { jobs, secret, now }: BundleParts,
  jobId: string,
  { expires = '', nonce, signature = '' }: { expires?: string; nonce?: string; signature?: string },
): Promise<{ domain: string; result: JobResult }> {
  const job = /^se_[0-9a-f]{16}$/.test(jobId) ? await jobs.get(jobId) : undefined;
  if (!job?.result || !/^[1-9]\d{0,11}$/.test(expires)) throw invalid();
  const right = {
    jobId,
    key: archiveKey(job.domain, job.result.archive.sha256),
    fileName: bundleFileName(job.domain, job.result.version),
    expires: new Date(Number(expires) * 1000),
    nonce,
  };
  if (!isSigned(secret, right, signature)) throw invalid();
  // Before the expiry: a new link would not help.
  if (job.expiredAt) throw gone();
  if (now() >= right.expires.getTime()) throw expired(right.expires, jobId);
  return { domain: job.domain, result: job.result };
}

function invalid(): ApiError {
  return new ApiError(
    403,
    'LinkInvalid',
    'This server did not issue this link, or a part of it was changed. Use the whole URL unchanged, or request a new one.',
  );
}

function expired(at: Date, jobId: string): ApiError {
  return new ApiError(
    403,
    'LinkExpired',
    `This link expired at ${at.toISOString()}. The bundle still exists: request a new link with POST /v1/static-export/jobs/${jobId}/bundle and an admin key.`,
  );
}

function gone(): ApiError {
  return new ApiError(
    410,
    'ExportExpired',
    'The files of this export were removed after newer exports. Download the bundle of a newer job, or start a new export.',
  );
}

function missing(error: NodeJS.ErrnoException): never {
  throw error.code === 'ENOENT' ? gone() : error;
}

function knows(condition: string | null, etag: string): boolean {
  if (condition === null) return false;
  return condition.trim() === '*' || condition.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
