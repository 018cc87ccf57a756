// Runs an export job on a server.
import { randomUUID } from 'node:crypto';
import { ExportError } from '../../integration/errors.ts';
import type { JobObject } from '../../server/jobs/model/object.ts';
import type { ApiClient } from './api-client.ts';
import { followJob } from './follow-job.ts';

/** Milliseconds between attempts while the server is unavailable. */
const retryDelays = [500, 1000, 2000, 5000];

/** Starts a job and yields its states, the last one completed. Throws `ExportError` `RemoteJobFailed`, `RemoteJobCanceled`, and the errors of `followJob`. */
export async function* runJob(client: ApiClient, request: object, signal: AbortSignal): AsyncGenerator<JobObject> {
  let job = await client.json<JobObject>('POST', '/v1/static-export/jobs', {
    body: request,
    // A retry after a lost response must not start a second job.
    headers: { 'idempotency-key': randomUUID() },
    waits: retryDelays,
    signal,
  });
  yield job;
  for await (job of followJob(client, job.jobId, { signal })) {
    if (job.status === 'failed' || job.status === 'canceled') throw await unfinished(client, job);
    yield job;
  }
}

/** The error for a job without a bundle. Prints the end of its log. */
async function unfinished(client: ApiClient, { jobId, status, error, errorCode }: JobObject): Promise<ExportError> {
  if (status === 'canceled')
    return new ExportError(
      'RemoteJobCanceled',
      `The job ${jobId} was canceled.`,
      'Someone else canceled it. Run the command again to start a new job.',
    );
  const log = await client.text('GET', `/v1/static-export/jobs/${jobId}/log`).catch(() => '');
  const tail = log.trimEnd().split('\n').slice(-20).join('\n');
  if (tail) console.error(`${tail}\n`);
  return new ExportError(
    'RemoteJobFailed',
    `The job ${jobId} failed${errorCode ? ` (${errorCode})` : ''}: ${error ?? 'the reason is unknown.'}`,
    tail ? 'The end of its log is above.' : 'It has no log.',
  );
}
