/** A copy that frees the original: a slice of a string keeps the whole string in memory, such as a page's HTML or Markdown. */
export function detached<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
