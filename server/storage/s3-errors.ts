import { StorageUnavailable } from './storage.ts';

/** What the SDK throws. */
interface S3Error extends Error {
  Code?: string;
  code?: string;
  $metadata?: { httpStatusCode?: number };
}

/** Whether a key is not there. A bucket that is not there is another matter. */
export function isMissing(error: unknown): boolean {
  const { name } = error as S3Error;
  return name === 'NoSuchKey' || name === 'NotFound';
}

/** Turns what the SDK throws into an error that an operator can act on; an abort stays unchanged. */
export function unavailable(error: unknown, bucket: string, endpoint: string | undefined): unknown {
  const { name, code, $metadata, message } = error as S3Error;
  if (error instanceof StorageUnavailable || name === 'AbortError') return error;
  const where = endpoint === undefined ? '' : ` at ${endpoint}`;
  const known = reasons[name] ?? reasons[code ?? ''];
  const status = $metadata?.httpStatusCode;
  const reason =
    known?.(bucket, where) ??
    (status === undefined
      ? `The storage service of bucket "${bucket}"${where} does not answer (${code ?? message}). Try again when it is back.`
      : `The storage service of bucket "${bucket}"${where} answers with status ${status} (${name}). Try again; if it stays, look at the service.`);
  return new StorageUnavailable(reason, { cause: error });
}

const denied = (bucket: string, where: string) =>
  `The storage service refuses the server's credentials for bucket "${bucket}"${where}. Check the access key, its secret and what it may do: get, put and delete objects, abort uploads, list the bucket.`;
const noCredentials = (bucket: string) =>
  `There are no credentials for bucket "${bucket}". Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or another source that the AWS SDK reads.`;

const reasons: Record<string, (bucket: string, where: string) => string> = {
  NoSuchBucket: (bucket, where) => `There is no bucket "${bucket}"${where}. Create it, or correct CARREL_S3_BUCKET.`,
  AccessDenied: denied,
  Forbidden: denied,
  InvalidAccessKeyId: denied,
  SignatureDoesNotMatch: denied,
  ExpiredToken: denied,
  RequestTimeTooSkewed: () => 'The clock of the server differs too much from that of its storage service. Set it right.',
  CredentialsProviderError: noCredentials,
  PermanentRedirect: (bucket) => `Bucket "${bucket}" is in another region. Set AWS_REGION to it.`,
};
