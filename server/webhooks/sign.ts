import { createHmac } from 'node:crypto';

/** The three headers of Standard Webhooks (https://www.standardwebhooks.com). `secret` is `whsec_` and the key in base64; `at` is the time of this attempt. */
export function signedHeaders(
  message: string,
  at: number,
  body: string,
  secret: string,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(at / 1000));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${message}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': message, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
