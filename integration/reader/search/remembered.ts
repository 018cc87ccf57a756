// What readers searched for, and where: in the storage of the browser, where it is not blocked.
const KEY = 'carrel-recent-searches';
const AREA = 'carrel-search-area';
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
  store(storage, KEY, JSON.stringify([query, ...others].slice(0, MOST)));
}

export function forgetSearches(storage: () => Storage): void {
  store(storage, KEY, '[]');
}

/** The part of the site that was searched last; '' for all. */
export function chosenArea(storage: () => Storage): string {
  try {
    return storage().getItem(AREA) ?? '';
  } catch {
    return '';
  }
}

export function rememberArea(storage: () => Storage, area: string): void {
  store(storage, AREA, area);
}

function store(storage: () => Storage, key: string, value: string): void {
  try {
    storage().setItem(key, value);
  } catch {
    // Where storage is blocked, nothing is remembered.
  }
}
