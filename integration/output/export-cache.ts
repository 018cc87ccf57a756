import { hash } from 'node:crypto';

/** Strings by key, stored between exports. */
export interface ExportCache {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
}

/** Version of `State`, `PageRecord`, of how pages are rewritten and of what the search index takes from them: older cache entries are ignored. */
export const cacheFormat = 16;

/** A value that its `inputs` determine, both plain JSON: from the cache, or made now. */
export async function cachedValue<Value>(
  cache: ExportCache | undefined,
  kind: string,
  inputs: unknown,
  make: () => Value | Promise<Value>,
): Promise<Value> {
  const key = `${kind}-${cacheFormat}/${cache ? hash('sha256', JSON.stringify(inputs)) : ''}`;
  const cached = cachedJson<[Value]>(cache?.get(key));
  if (cached) return cached[0];
  const value = await make();
  cache?.set(key, JSON.stringify([value]));
  return value;
}

/** A JSON value of the cache; undefined if it is missing or damaged, and is then computed again. */
export function cachedJson<Value>(text: string | undefined): Value | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Value);
  } catch {
    return undefined;
  }
}
