import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3';

// From this size on, a file is uploaded in parts of this size, and not read into memory as a whole.
export const partSize = 8 * 1024 * 1024;
const maxSockets = 500;

export type OpenedS3 = Awaited<ReturnType<typeof openS3Client>>;

/** Loads the SDK, which takes time and memory that nothing else needs. Credentials and region come from where the SDK finds them. */
export async function openS3Client({
  endpoint,
  ...besides
}: { endpoint?: string } & Pick<S3ClientConfig, 'maxAttempts' | 'retryMode'>) {
  const { sdk } = await import('./aws-sdk.ts');
  const settings = {
    maxAttempts: 3,
    ...besides,
    // Each slow reader of a large file holds a connection, and must not block the others.
    requestHandler: { connectionTimeout: 3000, socketTimeout: 30_000, httpAgent: { maxSockets }, httpsAgent: { maxSockets } },
    ...(endpoint === undefined
      ? {}
      : // Services other than Amazon's know neither its host names for buckets, nor all of its checksums.
        ({
          endpoint,
          forcePathStyle: true,
          requestChecksumCalculation: 'WHEN_REQUIRED',
          responseChecksumValidation: 'WHEN_REQUIRED',
        } as const)),
  };
  const client: S3Client = new sdk.S3Client(settings);
  const region = await client.config.region().catch((error: unknown) => {
    if (endpoint === undefined) throw error;
    return 'us-east-1';
  });
  return { sdk, client: new sdk.S3Client({ ...settings, region }) };
}

/** The prefix of keys in a folder of a bucket: '' or with a slash at its end. */
export function keyPrefix(folder: string): string {
  const plain = folder.replace(/^\/+|\/+$/g, '');
  return plain === '' ? '' : `${plain}/`;
}

/** Whether what the SDK throws says that a key does not exist. A missing bucket is a different error. */
export function isMissingKey(error: unknown): boolean {
  const { name } = error as Error;
  return name === 'NoSuchKey' || name === 'NotFound';
}
