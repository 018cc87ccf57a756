const milliseconds = 1000;

/**
 * What `load` returns for a key, cached for at most a second, also when it is undefined. Concurrent callers share one load. At most
 * `most` answers are cached, so that invented keys cannot fill the memory. `lru-cache` would keep an answer for longer when the clock is
 * put back.
 */
export function createOneSecondCache<Value>(load: (key: string) => Promise<Value>, now: () => number, most = 10_000) {
  const answers = new Map<string, { at: number; value: Promise<Value> }>();

  return {
    get(key: string): Promise<Value> {
      const known = answers.get(key);
      // A clock that was put back must not keep an answer for longer.
      if (known && known.at <= now() && now() < known.at + milliseconds) return known.value;
      const answer = { at: now(), value: load(key) };
      answers.delete(key);
      answers.set(key, answer);
      const oldest = answers.keys().next();
      if (!oldest.done && answers.size > most) answers.delete(oldest.value);
      // A failed load is tried again by the next caller; the rejection itself goes to those who wait.
      answer.value.catch(() => {
        if (answers.get(key) === answer) answers.delete(key);
      });
      return answer.value;
    },
    /** Call after a change, so that this process sees it at once. */
    forget(key: string): void {
      answers.delete(key);
    },
  };
}
