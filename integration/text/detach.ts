/** A copy that frees the original: a slice of a string keeps the whole string in memory, here a page's HTML. */
export function detached<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
