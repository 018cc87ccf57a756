import { hash } from 'node:crypto';
import type { LinkTargets, PageRecord, PageSource } from '../page/page-types.ts';

/** Strings by key, stored between exports. */
export interface ExportCache {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
}

/** Version of `State`, `PageRecord`, of how pages are rewritten and of what the search index takes from them: older cache entries are ignored. */
export const cacheFormat = 27;

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

type CachedPage = Pick<PageSource, 'key' | 'hasTargets'>;

/** A function that gives what its key and the targets of its links say of a page, from the cache or made now. */
export function recordIn<Value extends { linkTargets?: LinkTargets } = PageRecord, Source extends CachedPage = PageSource>(
  cache: ExportCache | undefined,
  kind = 'page',
) {
  return async ({ key, hasTargets }: Source, make: () => Promise<Value>): Promise<Value> => {
    if (key === undefined || cache === undefined) return make();
    const cached = cachedJson<Value>(cache.get(`${kind}-${cacheFormat}/${key}`));
    if (cached !== undefined && (hasTargets?.(cached.linkTargets ?? []) ?? true)) return cached;
    const record = await make();
    cache.set(`${kind}-${cacheFormat}/${key}`, JSON.stringify(record));
    return record;
  };
}

/** A JSON value of the cache; undefined if it is missing or damaged, and is then computed again. */
export function cachedJson<Value>(text: string | undefined): Value | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Value);
  } catch {
    return undefined;
  }
}
