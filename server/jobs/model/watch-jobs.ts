// Watchers of jobs. A notification only says that a job has changed; its state is then read from the database, one read at a time for
// each job, so that states arrive in order and outdated ones are skipped.
import type { Job } from './job.ts';

interface Watched {
  listeners: Set<(job: Job) => void>;
  /** The last reported state, as JSON. */
  reported?: string;
  reading: boolean;
  changedMeanwhile: boolean;
}

export function createWatch(load: (id: string) => Promise<Job | undefined>) {
  const watched = new Map<string, Watched>();
  const ends = new Set<() => void>();

  async function report(id: string, entry: Watched): Promise<void> {
    entry.reading = true;
    do {
      entry.changedMeanwhile = false;
      // While the database is unavailable, nothing is reported; `changedAll` is called when it is back.
      const job = await load(id).catch(() => undefined);
      // The last watcher left, or watching ended, while the job was read.
      if (watched.get(id) !== entry) return;
      const state = JSON.stringify(job);
      if (!job || state === entry.reported) continue;
      entry.reported = state;
      for (const listener of [...entry.listeners]) listener(job);
    } while (entry.changedMeanwhile);
    entry.reading = false;
  }

  function changed(id: string): void {
    const entry = watched.get(id);
    if (!entry) return;
    if (entry.reading) entry.changedMeanwhile = true;
    else void report(id, entry);
  }

  return {
    /** Returns a function that stops it. `onChange` and `onEnd` must not throw. */
    add(id: string, onChange: (job: Job) => void, onEnd?: () => void): () => void {
      const entry = watched.get(id) ?? { listeners: new Set(), reading: false, changedMeanwhile: false };
      // One function may watch twice.
      const listener = (job: Job): void => onChange(job);
      entry.listeners.add(listener);
      watched.set(id, entry);
      if (onEnd) ends.add(onEnd);
      return () => {
        if (onEnd) ends.delete(onEnd);
        entry.listeners.delete(listener);
        if (entry.listeners.size === 0 && watched.get(id) === entry) watched.delete(id);
      };
    },
    /** Call when a job has changed. */
    changed,
    /** Call when changes may have been missed. */
    changedAll(): void {
      for (const id of [...watched.keys()]) changed(id);
    },
    /** Call when no more changes will be reported. */
    end(): void {
      for (const onEnd of [...ends]) onEnd();
      watched.clear();
    },
  };
}
