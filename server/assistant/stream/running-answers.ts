// The answers that run in this process, so that none of them ends in silence when the server stops.
import { orAfter } from '../../platform/timing.ts';

/** Why an answer was aborted whose reader still waits. */
export class ServerStopping extends Error {
  override name = 'ServerStopping';
}

export interface RunningAnswers {
  /** Counts an answer until the function that it returns is called. `abort` is called when the server cannot wait for it. */
  begin(abort: (reason: ServerStopping) => void): () => void;
  /**
   * Lets running answers end for so many milliseconds, then aborts them and all that begin later. Resolves when none runs, or as long
   * again after that.
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
      await orAfter(none, milliseconds);
      stopping = new ServerStopping('The server stops.');
      for (const abort of running) abort(stopping);
      await orAfter(none, milliseconds);
    },
  };
}
