// A job's life as server-sent events. Not by Hono's streamSSE, which writes ahead of a slow reader: here each state is made when it is read.
import { isFinished, type Job } from '../model/job.ts';
import type { Jobs } from '../model/jobs.ts';

/** Milliseconds of silence after which a comment keeps the connection alive. */
const heartbeat = 15_000;

/**
 * An event `job` with the text of `write` at once and at each change, until the job is finished or the server stops. A slow reader
 * gets the latest state only. Nothing is watched before the first read, nor after the reader left.
 */
export function jobEvents(
  jobs: Pick<Jobs, 'get' | 'watch'>,
  id: string,
  write: (job: Job) => string,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let stopWatching: (() => void) | undefined;
  let left = false;
  /** The state that is not sent yet. */
  let next: Job | undefined;
  let sent: string | undefined;
  let wake: (() => void) | undefined;

  function receive(job: Job): void {
    next = job;
    wake?.();
  }

  /** False when the job does not exist any more. */
  async function receivePresent(): Promise<boolean> {
    const job = await jobs.get(id);
    // A state that came in the meantime is newer.
    if (job) next ??= job;
    return job !== undefined;
  }

  /** Waits for a change, or for as long as may pass in silence. */
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

  /** The next state, or a comment after a time of silence. */
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
      // A change that was missed is noticed now.
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
