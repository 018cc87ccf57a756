// The states of a job as server-sent events, and how many such streams are open. Hono's streamSSE would write ahead of a slow reader;
// here each state is created when it is read.
import { isFinished, type Job } from '../model/job.ts';
import type { Jobs } from '../model/jobs.ts';
import { ApiError } from '../../platform/errors.ts';

/** Milliseconds of silence after which a comment keeps the connection alive. */
const heartbeat = 15_000;

/**
 * An event `job` with the text of `write` immediately and at each change, until the job is finished or the server stops. A slow reader
 * gets only the latest state. Nothing is watched before the first read, nor after the reader has left.
 */
export function jobEvents(
  jobs: Pick<Jobs, 'get' | 'watch'>,
  id: string,
  write: (job: Job) => string,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let stopWatching: (() => void) | undefined;
  let left = false;
  /** The state to send next. */
  let next: Job | undefined;
  let sent: string | undefined;
  let wake: (() => void) | undefined;

  function receive(job: Job): void {
    next = job;
    wake?.();
  }

  /** False if the job no longer exists. */
  async function receivePresent(): Promise<boolean> {
    const job = await jobs.get(id);
    // A state that arrived in the meantime is newer.
    if (job) next ??= job;
    return job !== undefined;
  }

  /** Waits for a change, or for the next heartbeat. */
  function change(): Promise<void> {
    return new Promise((resolve) => {
      // Waiting readers do not keep the process alive.
      const timer = setTimeout(resolve, heartbeat).unref();
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** The next state, or a comment as a heartbeat. */
  async function nextText(): Promise<string | undefined> {
    while (!left) {
      const job = next;
      next = undefined;
      const text = job && write(job);
      if (job && isFinished(job.status)) leave();
      if (text !== undefined && text !== sent) {
        sent = text;
        return `event: job\ndata: ${text}\n\n`;
      }
      if (left) return undefined;
      await change();
      if (next || left) continue;
      // Finds a change whose notification was missed.
      if (!(await receivePresent().catch(() => true))) leave();
      return ': still here\n\n';
    }
    return undefined;
  }

  function leave(): void {
    left = true;
    stopWatching?.();
    wake?.();
  }

  let canceled = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!stopWatching) {
          stopWatching = jobs.watch(id, receive, leave);
          if (!(await receivePresent())) leave();
        }
        const text = await nextText();
        if (canceled) return;
        if (text !== undefined) return controller.enqueue(encoder.encode(text));
        leave();
        controller.close();
      },
      cancel() {
        canceled = true;
        leave();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Maximum number of open event streams of an organization in one process. */
const mostStreams = 200;

export function createStreamLimit(most = mostStreams) {
  const open = new Map<string, number>();
  const count = (organization: string, by: number): void => {
    const now = (open.get(organization) ?? 0) + by;
    if (now > 0) open.set(organization, now);
    else open.delete(organization);
  };
  const isFull = (organization: string) => (open.get(organization) ?? 0) >= most;

  return {
    /** Throws `ApiError` 429 `TooManyStreams`. */
    check(organization: string): void {
      if (!isFull(organization)) return;
      throw new ApiError(
        'TooManyStreams',
        `"${organization}" has ${most} event streams open, which is the limit. Close some, or poll the status instead.`,
        { headers: { 'retry-after': '10' } },
      );
    },
    /** The stream, counted from its first read to its end. */
    counted(organization: string, stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
      const reader = stream.getReader();
      let counted = false;
      const end = (): void => {
        if (counted) count(organization, -1);
        counted = false;
      };
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            // Several may have passed `check` at once.
            const first = !counted && !isFull(organization);
            if (first) count(organization, 1);
            counted ||= first;
            try {
              const piece = counted ? await reader.read() : undefined;
              if (piece?.value) return controller.enqueue(piece.value);
              end();
              controller.close();
              await reader.cancel();
            } catch (error) {
              end();
              throw error;
            }
          },
          async cancel(reason) {
            end();
            await reader.cancel(reason);
          },
        },
        { highWaterMark: 0 },
      );
    },
  };
}
