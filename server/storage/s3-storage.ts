// Exports in a bucket of an S3-compatible service. Links are presigned: they point to the service itself.
import type { GetObjectCommandOutput } from '@aws-sdk/client-s3';
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { ReadableStream as WebStream } from 'node:stream/web';
import { onAbort } from '../../integration/text/on-abort.ts';
import { createFileCache } from './file-cache.ts';
import { inParallel } from './in-parallel.ts';
import { isMissingKey, keyPrefix, openS3Client, partSize, type OpenedS3 } from './s3-client.ts';
import { s3Fault, type S3Fault } from './s3-fault.ts';
import { StorageUnavailable, type Storage, type StoredFile } from './storage.ts';

export interface S3StorageOptions {
  bucket: string;
  /** URL of a service other than Amazon's. */
  endpoint?: string;
  /** Prefix of all keys. */
  prefix?: string;
  /** Cache folder for recently read site files. */
  cacheFolder: string;
  /** Milliseconds since 1970. */
  now: () => number;
}

const longestLink = 7 * 24 * 60 * 60;
// Retention relies on this: a removal that takes longer is abandoned (retention.ts).
const longestRemoval = 5000;

/**
 * Storage in a bucket, with credentials and region as the AWS SDK finds them. It never lists keys. While the service is unavailable, all
 * methods but `link` reject with `StorageUnavailable`; they work again when it is back.
 */
export function createS3Storage({ bucket, endpoint, prefix = '', cacheFolder, now }: S3StorageOptions): Storage {
  const cache = createFileCache(cacheFolder);
  const fetching = new Map<string, Promise<StoredFile | undefined>>();
  let opened: ReturnType<typeof openS3Client> | undefined;
  const open = () =>
    (opened ??= openS3Client({ endpoint }).catch((error: unknown) => {
      opened = undefined;
      throw error;
    }));
  const objectOf = (key: string) => ({ Bucket: bucket, Key: keyPrefix(prefix) + key });

  /** Sends a request to the service; undefined if the key does not exist. */
  async function ask<Answer>(request: (s3: OpenedS3) => Promise<Answer>): Promise<Answer | undefined> {
    try {
      return await request(await open());
    } catch (error) {
      if (isMissingKey(error)) return undefined;
      throw unavailable(error, bucket, endpoint);
    }
  }

  async function getObject(key: string, range?: { start: number; end: number }): Promise<GetObjectCommandOutput | undefined> {
    const Range = range && `bytes=${range.start}-${range.end}`;
    return ask(({ client, sdk }) => client.send(new sdk.GetObjectCommand({ ...objectOf(key), Range })));
  }

  async function sizeOf(key: string): Promise<number | undefined> {
    const head = await ask(({ client, sdk }) => client.send(new sdk.HeadObjectCommand(objectOf(key))));
    return head?.ContentLength;
  }

  function remote(key: string, size: number): StoredFile {
    return {
      size,
      async read(range) {
        const answer = await getObject(key, range);
        if (!answer) throw Object.assign(new Error(`"${key}" was removed.`), { code: 'ENOENT' });
        // One piece at a time, as fast as the reader reads; the download ends when the reader leaves.
        return WebStream.from(answer.Body as AsyncIterable<Uint8Array>) as ReadableStream<Uint8Array>;
      },
    };
  }

  async function getSmall(key: string, sha256: string): Promise<StoredFile | undefined> {
    const kept = await cache.get(sha256);
    if (kept) return inMemory(kept);
    const answer = await getObject(key);
    if (!answer) return undefined;
    const size = answer.ContentLength ?? 0;
    if (size > partSize) {
      (answer.Body as unknown as { destroy(): void }).destroy();
      return remote(key, size);
    }
    const bytes = await answer.Body!.transformToByteArray().catch((error: unknown) => {
      throw unavailable(error, bucket, endpoint);
    });
    await cache.put(sha256, bytes);
    return inMemory(new Uint8Array(bytes));
  }

  return {
    kind: 's3',

    async put(key, file, { contentType, signal } = {}) {
      const { size } = await stat(file);
      const about = { ...objectOf(key), ContentType: contentType };
      if (size <= partSize) {
        const Body = await readFile(file);
        await ask(({ client, sdk }) => client.send(new sdk.PutObjectCommand({ ...about, Body }), { abortSignal: signal }));
        return;
      }
      if ((await sizeOf(key)) === size) return;
      signal?.throwIfAborted();
      await ask(async ({ client, sdk }) => {
        const Body = createReadStream(file, { highWaterMark: 1024 * 1024 });
        const upload = new sdk.Upload({ client, params: { ...about, Body }, partSize, queueSize: 2 });
        const stopListening = onAbort(signal, () => void upload.abort());
        try {
          await upload.done();
        } finally {
          stopListening();
          Body.destroy();
        }
      });
    },

    async get(key) {
      const sha256 = /\/files\/([0-9a-f]{64})$/.exec(key)?.[1];
      if (sha256 === undefined) {
        const size = await sizeOf(key);
        return size === undefined ? undefined : remote(key, size);
      }
      const running = fetching.get(key) ?? getSmall(key, sha256).finally(() => fetching.delete(key));
      fetching.set(key, running);
      return running;
    },

    async remove(keys) {
      await inParallel(keys, 8, async (key) => {
        const abortSignal = AbortSignal.timeout(longestRemoval);
        await ask(({ client, sdk }) => client.send(new sdk.DeleteObjectCommand(objectOf(key)), { abortSignal })).catch(
          (error) => {
            throw abortSignal.aborted ? slow(bucket, error) : error;
          },
        );
      });
    },

    async link(key, { fileName, expires }) {
      const expiresIn = Math.min(Math.max(Math.ceil((expires.getTime() - now()) / 1000), 1), longestLink);
      const [{ client, sdk }, { getSignedUrl }] = await Promise.all([open(), import('@aws-sdk/s3-request-presigner')]);
      const command = new sdk.GetObjectCommand({
        ...objectOf(key),
        ResponseContentDisposition: `attachment; filename="${fileName}"`,
        ResponseContentType: 'application/zip',
      });
      // Dates in signatures have whole seconds. S3 ignores parameters of the caller's own that begin with x-, and signs them.
      command.middlewareStack.add(
        (next) => (args) => {
          (args.request as { query: Record<string, string> }).query['x-carrel-nonce'] = randomBytes(8).toString('hex');
          return next(args);
        },
        { step: 'build', name: 'carrelNonce' },
      );
      return getSignedUrl(client, command, { expiresIn, signingDate: new Date(now()) }).catch((error: unknown) => {
        throw unavailable(error, bucket, endpoint);
      });
    },

    async check() {
      // Reads a key that never exists: the answer shows whether the service, the bucket and the credentials work.
      await getObject('.check').then((answer) => (answer?.Body as { destroy?(): void } | undefined)?.destroy?.());
    },
  };
}

function inMemory(bytes: Uint8Array<ArrayBuffer>): StoredFile {
  return {
    size: bytes.length,
    async read({ start, end } = { start: 0, end: bytes.length - 1 }) {
      return new Response(bytes.subarray(start, end + 1)).body!;
    },
  };
}

function slow(bucket: string, cause: unknown): StorageUnavailable {
  const seconds = longestRemoval / 1000;
  return new StorageUnavailable(`The storage service of bucket "${bucket}" took more than ${seconds} seconds to remove a file.`, {
    cause,
  });
}

/** Turns what the SDK throws into an error that an operator can act on; an abort stays unchanged. */
function unavailable(error: unknown, bucket: string, endpoint: string | undefined): unknown {
  if (error instanceof StorageUnavailable || (error as Error).name === 'AbortError') return error;
  const where = endpoint === undefined ? '' : ` at ${endpoint}`;
  const { kind, detail } = s3Fault(error);
  return new StorageUnavailable(reasons[kind](bucket, where, detail), { cause: error });
}

const reasons: Record<S3Fault['kind'], (bucket: string, where: string, detail: string) => string> = {
  'no-bucket': (bucket, where) => `There is no bucket "${bucket}"${where}. Create it, or correct CARREL_S3_BUCKET.`,
  denied: (bucket, where) =>
    `The storage service refuses the server's credentials for bucket "${bucket}"${where}. Check the access key, its secret and what it may do: get, put and delete objects, abort uploads, list the bucket.`,
  clock: () => 'The clock of the server differs too much from that of its storage service. Set it right.',
  'no-credentials': (bucket) =>
    `There are no credentials for bucket "${bucket}". Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or another source that the AWS SDK reads.`,
  region: (bucket) => `Bucket "${bucket}" is in another region. Set AWS_REGION to it.`,
  'no-region': (bucket) => `The region of bucket "${bucket}" is unknown. Set AWS_REGION to it.`,
  status: (bucket, where, detail) =>
    `The storage service of bucket "${bucket}"${where} answers with ${detail}. Try again; if it stays, look at the service.`,
  'no-answer': (bucket, where, detail) =>
    `The storage service of bucket "${bucket}"${where} does not answer (${detail}). Try again when it is back.`,
};
