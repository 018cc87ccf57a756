// Runs an export job on a server and follows it to its end, across broken connections.
import { randomUUID } from 'node:crypto';
import { ExportError } from '../../integration/errors.ts';
import type { JobObject } from '../../server/jobs/model/job-object.ts';
import { type ApiClient, isPassing, readEvents } from './api-client.ts';
import { stoppable } from './own-process.ts';
import { jobPrinter } from './progress.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { isFinished } from '../../server/jobs/model/job.ts';

/** Milliseconds between attempts while the server is unavailable. */
const retryDelays = [500, 1000, 2000, 5000];

/** Starts a job and yields its states, the last one completed. Throws `ExportError` `RemoteJobFailed`, `RemoteJobCanceled`, and the errors of `followJob`. */
async function* runJob(client: ApiClient, request: object, signal: AbortSignal): AsyncGenerator<JobObject> {
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

interface WatchOptions<Result> {
  /** The error when the user stops the command. */
  stoppedError(job: JobObject | undefined): ExportError;
  /** Milliseconds to wait, and the error after that. */
  timeout?: { milliseconds: number; error: ExportError };
  /** Called with the job when no one waits for it any more. */
  abandon?(job: JobObject): Promise<void>;
  /** What follows when the job has completed. */
  finish(
    job: JobObject,
    watched: { signal: AbortSignal; onProgress: ReturnType<typeof jobPrinter>['download'] },
  ): Promise<Result>;
}

/** Runs a job and shows its progress, until the user stops the command. Throws the errors of `runJob`. */
export async function watchJob<Result>(client: ApiClient, request: object, options: WatchOptions<Result>): Promise<Result> {
  const { stoppedError, timeout, abandon, finish } = options;
  let job: JobObject | undefined;
  const { stop, end } = stoppable(() => stoppedError(job));
  const timer = timeout && setTimeout(() => stop.abort(timeout.error), timeout.milliseconds);
  const printer = jobPrinter(process.stderr);
  try {
    for await (job of runJob(client, request, stop.signal)) printer.job(job);
    return await finish(job!, { signal: stop.signal, onProgress: printer.download });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    if (job) await abandon?.(job);
    throw stop.signal.reason;
  } finally {
    clearTimeout(timer);
    printer.end();
    end();
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

export interface FollowOptions {
  signal: AbortSignal;
  /** Milliseconds to wait after each consecutive attempt that brought nothing new. @default [500, 1000, 2000, 5000, 10000, 10000, 10000] */
  waits?: number[];
  /** Milliseconds without a byte after which a stream of events is abandoned; the server sends something every 15 seconds. @default 45,000 */
  silence?: number;
}

/**
 * Yields the states of a job, the last one finished. It reads them from the stream of events. If the stream breaks or is refused, it
 * requests the job itself and then retries the stream. Throws the client's errors if the server refuses, or stays unavailable.
 */
export async function* followJob(
  client: ApiClient,
  jobId: string,
  { signal, waits = [500, 1000, 2000, 5000, 10_000, 10_000, 10_000], silence = 45_000 }: FollowOptions,
): AsyncGenerator<JobObject> {
  const path = `/v1/static-export/jobs/${jobId}`;
  let seen = '';
  for (let fruitless = 0; ;) {
    let changed = false;
    let failure: unknown;
    for (const states of [() => streamed(client, `${path}/events`, signal, silence), () => asked(client, path, signal)]) {
      try {
        for await (const job of states()) {
          const text = JSON.stringify(job);
          if (text !== seen) {
            seen = text;
            changed = true;
            yield job;
          }
          if (isFinished(job.status)) return;
        }
        failure = undefined;
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        failure = error;
      }
    }
    // An unchanged job is not a failure: it may wait in the queue for a long time.
    if (failure !== undefined && !isPassing(failure)) throw failure;
    fruitless = changed ? 0 : fruitless + 1;
    if (failure !== undefined && fruitless > waits.length) throw failure;
    await pause(waits[Math.min(fruitless, waits.length - 1)], undefined, { signal });
  }
}

async function* asked(client: ApiClient, path: string, signal: AbortSignal): AsyncGenerator<JobObject> {
  yield await client.json<JobObject>('GET', path, { signal });
}

async function* streamed(client: ApiClient, path: string, signal: AbortSignal, silence: number): AsyncGenerator<JobObject> {
  const quiet = new AbortController();
  const timer = setTimeout(() => quiet.abort(), silence);
  try {
    const response = await client.request('GET', path, { signal: AbortSignal.any([signal, quiet.signal]) });
    for await (const { event, data } of readEvents(response, () => timer.refresh())) {
      if (event === 'job') yield JSON.parse(data) as JobObject;
    }
  } finally {
    clearTimeout(timer);
  }
}
