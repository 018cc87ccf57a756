/** Why a request to an S3 service failed. `detail` is what the service or the connection reports. */
export interface S3Fault {
  kind: 'no-bucket' | 'denied' | 'clock' | 'no-credentials' | 'region' | 'no-region' | 'status' | 'no-answer';
  detail: string;
}

/** What the SDK throws. */
interface S3Error extends Error {
  code?: string;
  $metadata?: { httpStatusCode?: number };
}

export function s3Fault(error: unknown): S3Fault {
  const { name, code = '', $metadata, message } = error as S3Error;
  const status = $metadata?.httpStatusCode;
  const known = kinds[name] ?? kinds[code] ?? (message === 'Region is missing' ? 'no-region' : undefined);
  if (status === undefined) return { kind: known ?? 'no-answer', detail: code || message };
  // The answer to a HEAD request has no body that would name the reason.
  return { kind: known ?? (status === 403 ? 'denied' : 'status'), detail: `status ${status} (${name})` };
}

const kinds: Record<string, S3Fault['kind']> = {
  NoSuchBucket: 'no-bucket',
  AccessDenied: 'denied',
  Forbidden: 'denied',
  InvalidAccessKeyId: 'denied',
  SignatureDoesNotMatch: 'denied',
  ExpiredToken: 'denied',
  RequestTimeTooSkewed: 'clock',
  CredentialsProviderError: 'no-credentials',
  PermanentRedirect: 'region',
};
