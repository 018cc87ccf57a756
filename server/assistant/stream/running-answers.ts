// The answers that run in this process, so that none of them ends in silence when the server stops.

/** Why an answer was aborted whose reader still waits. */
export class ServerStopping extends Error {
  override name = 'ServerStopping';
}

export interface RunningAnswers {
  /** Counts an answer from now until what it gives is called. `abort` is called when the server cannot wait for it. */
  begin(abort: (reason: ServerStopping) => void): () => void;
  /**
   * Lets what runs end for so many milliseconds, then aborts it, as everything that begins later. Resolves when nothing runs, or as
   * long again after that.
   */
  close(milliseconds: number): Promise<void>;
}

export function createRunningAnswers(): RunningAnswers {
  const running = new Set<(reason: ServerStopping) => void>();
  let stopping: ServerStopping | undefined;
  let onNone: (() => void) | undefined;

  return {
    begin(abort) {
      running.add(abort);
      if (stopping) abort(stopping);
      return () => {
        running.delete(abort);
        if (running.size === 0) onNone?.();
      };
    },

    async close(milliseconds) {
      const none = new Promise<void>((resolve) => {
        if (running.size === 0) resolve();
        else onNone = resolve;
      });
      await within(milliseconds, none);
      stopping = new ServerStopping('The server stops.');
      for (const abort of running) abort(stopping);
      await within(milliseconds, none);
    },
  };
}

async function within(milliseconds: number, promise: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([promise, new Promise((late) => (timer = setTimeout(late, milliseconds)))]);
  clearTimeout(timer);
}
