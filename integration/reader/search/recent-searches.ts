const KEY = 'carrel-recent-searches';
const KEPT = 6;

/** What was searched for before, latest first. Storage may be blocked; then there is nothing to remember. */
export function recentSearches(storage: () => Storage): string[] {
  try {
    const stored: unknown = JSON.parse(storage().getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((query) => typeof query === 'string').slice(0, KEPT) : [];
  } catch {
    return [];
  }
}

export function rememberSearch(storage: () => Storage, query: string): void {
  const others = recentSearches(storage).filter((other) => other !== query);
  store(storage, [query, ...others].slice(0, KEPT));
}

export function forgetSearches(storage: () => Storage): void {
  store(storage, []);
}

function store(storage: () => Storage, queries: string[]): void {
  try {
    storage().setItem(KEY, JSON.stringify(queries));
  } catch {
    // A browser that keeps nothing only loses the list.
  }
}
