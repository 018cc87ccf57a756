// An export on a server, from its start to its end.
import { randomUUID } from 'node:crypto';
import { ExportError } from '../../integration/errors.ts';
import type { JobObject } from '../../server/jobs/model/object.ts';
import type { ApiClient } from './api-client.ts';
import { followJob } from './follow-job.ts';

/** Milliseconds between tries while the server is away. */
const patience = [500, 1000, 2000, 5000];

/** Starts a job and gives its states, the last one completed. Throws `ExportError` `RemoteJobFailed`, `RemoteJobCanceled`, and as `followJob` does. */
export async function* runJob(client: ApiClient, request: object, signal: AbortSignal): AsyncGenerator<JobObject> {
  let job = await client.json<JobObject>('POST', '/v1/static-export/jobs', {
    body: request,
    // It is sent again when the answer is lost: that starts no second job.
    headers: { 'idempotency-key': randomUUID() },
    waits: patience,
    signal,
  });
  yield job;
  for await (job of followJob(client, job.jobId, { signal })) {
    if (job.status === 'failed' || job.status === 'canceled') throw await unfinished(client, job);
    yield job;
  }
}

/** What became of a job that has no bundle; the end of its log is printed. */
async function unfinished(client: ApiClient, { jobId, status, error, errorCode }: JobObject): Promise<ExportError> {
  if (status === 'canceled')
    return new ExportError(
      'RemoteJobCanceled',
      `The job ${jobId} was canceled.`,
      'Somebody else did it. Run the command again to start a new one.',
    );
  const log = await client.text('GET', `/v1/static-export/jobs/${jobId}/log`).catch(() => '');
  const tail = log.trimEnd().split('\n').slice(-20).join('\n');
  if (tail) console.error(`${tail}\n`);
  return new ExportError(
    'RemoteJobFailed',
    `The job ${jobId} failed${errorCode ? ` (${errorCode})` : ''}: ${error ?? 'no reason is known.'}`,
    tail ? 'The end of its log stands above.' : 'It has no log.',
  );
}
