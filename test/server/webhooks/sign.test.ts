import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { signedHeaders } from '../../../server/webhooks/sign.ts';

test('signs as the reference implementation of Standard Webhooks does', () => {
  const at = 1_614_265_330_123;
  for (const length of [24, 32, 64]) {
    const secret = `whsec_${randomBytes(length).toString('base64')}`;
    const body = '{"test": "ünï 2432232314"}';
    expect(signedHeaders('msg_1', at, body, secret)).toEqual({
      'webhook-id': 'msg_1',
      'webhook-timestamp': '1614265330',
      'webhook-signature': new Webhook(secret).sign('msg_1', new Date(at), body),
    });
  }
});
