// When keys were last used, written seldom: a key that is used a thousand times a second must not write as often.
import type { Queryable } from '../database/database.ts';

export interface Uses {
  /** Notes that a key is used now; the first use in a minute is written. */
  note(id: string): void;
  /** Writes the uses that are only noted, and waits for those being written. */
  flush(): Promise<void>;
}

const minute = 60_000;

export function createUses(database: Queryable, now: () => number): Uses {
  const written = new Map<string, number>();
  const noted = new Map<string, number>();
  const writing = new Set<Promise<void>>();

  function write(id: string, at: number): void {
    written.set(id, at);
    noted.delete(id);
    const work = database
      .query(`update carrel.keys set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at < $2)`, [
        id,
        new Date(at),
      ])
      // A failed write refuses no request: the next use tries again.
      .catch(() => written.delete(id))
      .then(() => void writing.delete(work));
    writing.add(work);
  }

  return {
    note(id) {
      const at = now();
      const last = written.get(id);
      // A clock that was put back starts over.
      if (last === undefined || at - last >= minute || at < last) write(id, at);
      else noted.set(id, at);
    },
    async flush() {
      for (const [id, at] of noted) write(id, at);
      await Promise.all(writing);
    },
  };
}
