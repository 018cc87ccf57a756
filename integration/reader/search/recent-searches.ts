const KEY = 'carrel-recent-searches';
const MOST = 6;

/** Earlier searches, latest first; none where storage is blocked. */
export function recentSearches(storage: () => Storage): string[] {
  try {
    const stored: unknown = JSON.parse(storage().getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((query) => typeof query === 'string').slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function rememberSearch(storage: () => Storage, query: string): void {
  const others = recentSearches(storage).filter((other) => other !== query);
  store(storage, [query, ...others].slice(0, MOST));
}

export function forgetSearches(storage: () => Storage): void {
  store(storage, []);
}

function store(storage: () => Storage, queries: string[]): void {
  try {
    storage().setItem(KEY, JSON.stringify(queries));
  } catch {
    // Where storage is blocked, nothing is remembered.
  }
}
