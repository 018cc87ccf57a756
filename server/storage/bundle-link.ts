// Links to the server itself: anyone with a link may read one archive until it expires, without a key.
import { createHmac } from 'node:crypto';
import { isSignedWith, type Secrets } from '../platform/secrets.ts';

/** What a link grants. */
export interface BundleRight {
  jobId: string;
  key: string;
  fileName: string;
  expires: Date;
  /** Digest of a delta to the export of the job; without it, the bundle. The signature covers it with the key. */
  delta?: string;
  /** Makes each link unique; absent from links of earlier versions of Carrel. */
  nonce?: string;
}

/** `https://api.example.com/v1/bundles/se_…?expires=<seconds since 1970>&nonce=…&signature=…` */
export function signedUrl(publicUrl: string, [secret]: Secrets, right: BundleRight): string {
  const expires = seconds(right.expires);
  const nonce = right.nonce === undefined ? '' : `&nonce=${right.nonce}`;
  const delta = right.delta === undefined ? '' : `&delta=${right.delta}`;
  return `${publicUrl}/v1/bundles/${right.jobId}?expires=${expires}${nonce}${delta}&signature=${sign(secret, right, expires)}`;
}

/** Whether a signature is valid for a grant. */
export function isSigned(secrets: Secrets, right: BundleRight, signature: string): boolean {
  return isSignedWith(secrets, signature, (secret) => sign(secret, right, seconds(right.expires)));
}

function sign(secret: string, { jobId, key, fileName, nonce }: BundleRight, expires: number): string {
  // The first word separates these signatures from others made with the same secret.
  return createHmac('sha256', secret)
    .update(JSON.stringify(['bundle', jobId, key, fileName, expires, ...(nonce === undefined ? [] : [nonce])]))
    .digest('base64url');
}

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
