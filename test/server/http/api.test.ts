import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { emptyApi } from '../../../server/http/api.ts';
import { createLog } from '../../../server/platform/log.ts';
import { createMetrics } from '../../../server/platform/metrics.ts';
import { serverOptionsSchema } from '../../../server/platform/options.ts';

test.each([
  ['an error', new Error('inside')],
  ['something else', { message: 'inside' }],
])('%s that a route throws becomes an error response, and is logged', async (_name, thrown) => {
  const lines: string[] = [];
  const written = new Writable({ write: (chunk, _encoding, done) => (lines.push(String(chunk)), done()) });
  const log = createLog('error', written);
  const api = emptyApi({ log, options: serverOptionsSchema.parse({}), metrics: createMetrics(), now: () => 0 });
  api.get('/broken', () => {
    throw thrown;
  });
  const answer = await api.request('/broken');
  expect([answer.status, await answer.json()]).toMatchObject([500, { code: 'InternalError', requestId: expect.any(String) }]);
  expect(lines[0]).toContain('inside');
});
