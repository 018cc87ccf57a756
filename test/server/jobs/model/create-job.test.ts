import { expect, test } from 'vitest';
import type { ErrorBody } from '../../../../server/platform/errors.ts';
import { jobsPath, openJobServer } from '../job-server.ts';

test('an organization may have as many waiting jobs as the server allows; those of others do not count', async () => {
  const { request, start, services } = await openJobServer({ queuedJobs: 2 });
  await services.jobs.create({ organization: 'other', domain: 'docs.other.com', request: {} });
  const [first] = [await start(), await start()];

  const refused = await request('POST', jobsPath, { domain: 'docs.acme.com' });
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('60');
  expect(((await refused.json()) as ErrorBody).code).toBe('QueueFull');

  await request('POST', `${jobsPath}/${first}/cancel`);
  expect((await request('POST', jobsPath, { domain: 'docs.acme.com' })).status).toBe(202);
});
