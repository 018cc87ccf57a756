/** Strings by key, stored between exports. */
export interface ExportCache {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
}

/** Version of `State`, `PageRecord` and of how pages are rewritten: older cache entries are ignored. */
export const cacheFormat = 9;

/** A JSON value of the cache; undefined if it is missing or damaged, and is then computed again. */
export function cachedJson<Value>(text: string | undefined): Value | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Value);
  } catch {
    return undefined;
  }
}
