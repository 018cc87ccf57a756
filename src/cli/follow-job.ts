// A job on a server, from its start to its end, whatever the network does in between.
import { setTimeout as pause } from 'node:timers/promises';
import type { JobObject } from '../../server/jobs/model/object.ts';
import { isFinished } from '../../server/jobs/model/job.ts';
import { isPassing, type ApiClient } from './api-client.ts';
import { readEvents } from './read-events.ts';

export interface FollowOptions {
  signal: AbortSignal;
  /** Milliseconds to wait before each further try after one that brought nothing new. @default [500, 1000, 2000, 5000, 10000, 10000, 10000] */
  waits?: number[];
  /** Milliseconds without a byte after which a stream of events is given up; the server sends something every 15 seconds. @default 45,000 */
  silence?: number;
}

/**
 * States of a job as they come, the last one finished. They come as events; when the stream breaks or is refused, the job is asked for,
 * and the stream tried again. Throws what the client throws when the server refuses, or stays away.
 */
export async function* followJob(
  client: ApiClient,
  jobId: string,
  { signal, waits = [500, 1000, 2000, 5000, 10_000, 10_000, 10_000], silence = 45_000 }: FollowOptions,
): AsyncGenerator<JobObject> {
  const path = `/v1/static-export/jobs/${jobId}`;
  let seen = '';
  for (let fruitless = 0; ;) {
    let brought = false;
    let failure: unknown;
    for (const states of [() => streamed(client, `${path}/events`, signal, silence), () => asked(client, path, signal)]) {
      try {
        for await (const job of states()) {
          const text = JSON.stringify(job);
          if (text !== seen) {
            seen = text;
            brought = true;
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
    // A job that was asked for and has not changed is no failure: it may wait in the queue for long.
    if (failure !== undefined && !isPassing(failure)) throw failure;
    fruitless = brought ? 0 : fruitless + 1;
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
