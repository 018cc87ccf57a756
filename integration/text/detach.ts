/** A copy that keeps nothing else in memory: a slice of a string keeps the whole string, here a page's HTML. */
export function detached<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
