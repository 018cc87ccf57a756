import { Readable } from 'node:stream';
import { onAbort } from '../../integration/text/on-abort.ts';
import { ExportError, type ExportErrorCode } from '../../integration/errors.ts';
import { cacheControl } from '../../server/http/cache-control.ts';
import { contentType } from '../../server/http/content-type.ts';
import { isMissingKey, keyPrefix, openS3Client, partSize } from '../../server/storage/s3-client.ts';
import { s3Fault, type S3Fault } from '../../server/storage/s3-fault.ts';
import type { FileToPublish, Target } from './target.ts';

export interface S3Address {
  bucket: string;
  prefix: string;
  /** URL of a service other than Amazon's. */
  endpoint?: string;
}

/** Bytes that one request can copy. */
const largestCopy = 5_000_000_000;

// A service that asks to slow down gets more than a minute to recover.
const attempts = 10;

/** Files below a prefix of a bucket, each with its SHA-256 as metadata. Never lists the bucket. */
export async function openS3Target({ bucket, prefix, endpoint }: S3Address): Promise<Target> {
  const { client, sdk } = await openS3Client({ endpoint, maxAttempts: attempts, retryMode: 'standard' }).catch(
    (error: unknown) => {
      throw failed(error, { bucket, endpoint, action: 's3:GetObject', path: '', credentials: '' });
    },
  );
  const objectOf = (path: string) => ({ Bucket: bucket, Key: keyPrefix(prefix) + path });

  /** Sends a request; undefined if the key does not exist. */
  async function ask<Answer>(action: string, path: string, request: () => Promise<Answer>): Promise<Answer | undefined> {
    try {
      return await request();
    } catch (error) {
      if (isMissingKey(error)) return undefined;
      if (error instanceof ExportError || (error as Error).name === 'AbortError') throw error;
      const credentials = await client.config.credentials().then(sourceOf, () => '');
      throw failed(error, { bucket, endpoint, action, path, credentials });
    }
  }

  return {
    shown: `s3://${bucket}/${keyPrefix(prefix)}`,
    lanes: 8,
    read: (path) =>
      ask('s3:GetObject', path, async () => {
        for (let left = 3; ; left--) {
          const answer = await client.send(new sdk.GetObjectCommand(objectOf(path)));
          try {
            return await answer.Body!.transformToByteArray();
          } catch (error) {
            // The SDK repeats requests, but not the rest of an answer.
            if (left === 0) throw error;
          }
        }
      }),
    async find(path) {
      const head = await ask('s3:GetObject', path, () => client.send(new sdk.HeadObjectCommand(objectOf(path))));
      return head && { sha256: head.Metadata?.sha256 };
    },
    async put(file, signal) {
      const about = { ...objectOf(file.path), ...headersOf(file) };
      await ask('s3:PutObject', file.path, async () => {
        if (file.size <= partSize) {
          await client.send(new sdk.PutObjectCommand({ ...about, Body: await file.read() }), { abortSignal: signal });
          return;
        }
        const upload = new sdk.Upload({
          client,
          params: { ...about, Body: Readable.from(file.stream()) },
          partSize,
          queueSize: 2,
        });
        await upload.done().finally(onAbort(signal, () => void upload.abort()));
      });
    },
    async copy(file, from, signal) {
      const CopySource = `${bucket}/${encodeURIComponent(keyPrefix(prefix) + from)}`;
      const head = await ask('s3:GetObject', from, () => client.send(new sdk.HeadObjectCommand(objectOf(from))));
      // Larger objects would have to be copied in parts.
      if (head?.Metadata?.sha256 !== file.sha256 || file.size > largestCopy) return false;
      const about = { CopySource, CopySourceIfMatch: head.ETag, ...objectOf(file.path), ...headersOf(file) };
      const copied = await ask('s3:PutObject', file.path, () =>
        client.send(new sdk.CopyObjectCommand({ ...about, MetadataDirective: 'REPLACE' }), { abortSignal: signal }),
      );
      return copied !== undefined;
    },
    async remove(path) {
      await ask('s3:DeleteObject', path, () => client.send(new sdk.DeleteObjectCommand(objectOf(path))));
    },
    async close() {
      client.destroy();
    },
  };
}

function headersOf({ path, sha256 }: FileToPublish) {
  return { ContentType: contentType(path), CacheControl: cacheControl(path), Metadata: { sha256 } };
}

/** Where credentials come from, by the marks that the SDK sets. */
function sourceOf(credentials: object): string {
  const marks = Object.keys('$source' in credentials ? Object(credentials.$source) : {}).join(' ');
  return sources.find(([mark]) => marks.includes(mark))?.[1] ?? "the AWS SDK's default chain";
}

const sources: [mark: string, source: string][] = [
  ['STS_WEB_ID', 'a web identity (OpenID Connect)'],
  ['STS_ASSUME_ROLE', 'an assumed role'],
  ['ENV_VARS', 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment'],
  ['SSO', 'an SSO session of the AWS configuration'],
  ['PROCESS', 'the credential process of the AWS configuration'],
  ['PROFILE', "a profile of the AWS configuration (AWS_PROFILE, or 'default')"],
  ['LOGIN', 'the session of "aws login"'],
  ['HTTP', "the container's role"],
  ['IMDS', "the machine's role"],
];

interface Attempt {
  bucket: string;
  endpoint: string | undefined;
  /** The permission that it needs. */
  action: string;
  path: string;
  credentials: string;
}

function failed(error: unknown, attempt: Attempt): ExportError {
  const { kind, detail } = s3Fault(error);
  const failure = failures[kind];
  const tries = (error as { $metadata?: { attempts?: number } }).$metadata?.attempts ?? 1;
  const said = tries > 1 ? `${detail}, ${tries} times` : detail;
  return new ExportError(failure.code, failure.message(attempt, said), failure.hint(attempt), { cause: error });
}

const at = ({ bucket, endpoint }: Attempt) => `bucket "${bucket}"${endpoint === undefined ? '' : ` at ${endpoint}`}`;
const again = () => 'Run the command again to continue: files that are already there are not uploaded again.';

interface Failure {
  code: ExportErrorCode;
  message(attempt: Attempt, detail: string): string;
  hint(attempt: Attempt): string;
}

const failures: Record<S3Fault['kind'], Failure> = {
  denied: {
    code: 'TargetDenied',
    message: (attempt, detail) =>
      `The ${at(attempt)} refuses ${attempt.action} for "${attempt.path}": ${detail}. The credentials come from ${attempt.credentials}.`,
    hint: ({ bucket }) =>
      `Allow these credentials s3:GetObject, s3:PutObject, s3:DeleteObject, s3:AbortMultipartUpload and s3:ListBucket on "${bucket}", or use others. Without s3:ListBucket, a missing file looks like a forbidden one.`,
  },
  'no-bucket': {
    code: 'TargetNotFound',
    message: (attempt) => `There is no ${at(attempt)}.`,
    hint: () => 'Create it, or correct its name or --endpoint.',
  },
  'no-credentials': {
    code: 'TargetDenied',
    message: (attempt) => `There are no credentials for ${at(attempt)}.`,
    hint: () => 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or another source that the AWS SDK reads, such as AWS_PROFILE.',
  },
  clock: {
    code: 'TargetDenied',
    message: (attempt) => `The clock of this machine differs too much from that of ${at(attempt)}.`,
    hint: () => 'Set the clock.',
  },
  region: {
    code: 'TargetNotFound',
    message: (attempt) => `The ${at(attempt)} is in another region.`,
    hint: () => 'Set AWS_REGION to it.',
  },
  'no-region': {
    code: 'TargetNotFound',
    message: (attempt) => `The region of ${at(attempt)} is unknown.`,
    hint: () => 'Set AWS_REGION to it, or --endpoint for a service other than Amazon S3.',
  },
  status: {
    code: 'TargetUnavailable',
    message: (attempt, detail) => `The ${at(attempt)} answers ${attempt.action} for "${attempt.path}" with ${detail}.`,
    hint: again,
  },
  'no-answer': {
    code: 'TargetUnavailable',
    message: (attempt, detail) => `The ${at(attempt)} does not answer: ${detail}.`,
    hint: again,
  },
};
