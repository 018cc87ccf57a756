// Links to stored exports on the port of the sites: anyone with a link may read one export until it expires, without a key.
import { createHmac } from 'node:crypto';
import { isSignedWith, type Secrets } from '../platform/secrets.ts';

/** The folder of an export: '/exports/se_0123456789abcdef/1795000000.signature/'. Its pages have relative links, so all of them are below it. */
export function exportPath([secret]: Secrets, jobId: string, expires: Date): string {
  const seconds = Math.floor(expires.getTime() / 1000);
  return `/exports/${jobId}/${seconds}.${sign(secret, jobId, seconds)}/`;
}

/** The export that a path may read, and until when; undefined if this server did not create the link. */
export function exportOfPath(secrets: Secrets, pathname: string): { jobId: string; base: string; expires: Date } | undefined {
  const [base = '', jobId = '', seconds = '', signature = ''] =
    /^\/exports\/(se_[0-9a-f]{16})\/([1-9]\d{0,11})\.([\w-]{43})\//.exec(pathname) ?? [];
  if (base === '' || !isSignedWith(secrets, signature, (secret) => sign(secret, jobId, Number(seconds)))) return undefined;
  return { jobId, base, expires: new Date(Number(seconds) * 1000) };
}

function sign(secret: string, jobId: string, seconds: number): string {
  // The first word separates these signatures from others made with the same secret.
  return createHmac('sha256', secret)
    .update(JSON.stringify(['export', jobId, seconds]))
    .digest('base64url');
}
