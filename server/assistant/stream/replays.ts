// Answers that their readers find again after a lost connection: those that run, and for a short time those that have ended. They are
// in the memory of this process only.

/** An answer, as far as it is looked up. */
interface Session {
  /** What the answer can be found by. */
  readonly slots: string[];
}

export interface Replays<Found extends Session> {
  /** Makes an answer found at its slots, instead of an earlier one. */
  add(session: Found): void;
  /** An answer that has ended is found for a while. */
  ended(session: Found): void;
  forget(session: Found): void;
  /** The answer that runs, or ended a moment ago, at a slot. */
  find(slot: string): Found | undefined;
}

export interface ReplaysOptions {
  now: () => number;
  /** Milliseconds that an answer can be found after its end. @default 30_000 */
  kept?: number;
  /** Answers that have ended and can be found. @default 500 */
  most?: number;
}

/** Not an lru-cache: that one counts keys, and an answer has several. */
export function createReplays<Found extends Session>({ now, kept = 30_000, most = 500 }: ReplaysOptions): Replays<Found> {
  const found = new Map<string, Found>();
  /** With the time of the end; those that ended first stand first. */
  const ended = new Map<Found, number>();

  function forget(session: Found): void {
    ended.delete(session);
    for (const slot of session.slots) if (found.get(slot) === session) found.delete(slot);
  }

  function forgetOld(): void {
    for (const [session, endedAt] of ended) {
      if (ended.size <= most && now() < endedAt + kept) return;
      forget(session);
    }
  }

  return {
    add(session) {
      for (const slot of session.slots) found.set(slot, session);
    },
    ended(session) {
      if (session.slots.some((slot) => found.get(slot) === session)) ended.set(session, now());
      forgetOld();
    },
    forget,
    find(slot) {
      forgetOld();
      return found.get(slot);
    },
  };
}
