import type { FoundPlace, Listing } from './walk-navigation.ts';

/** The place of pages that the navigation does not name: that of the nearest folder of which it names a page. */
export function placeByFolder(
  listings: readonly Listing[],
  fallback: FoundPlace | undefined,
): (path: string) => FoundPlace | undefined {
  const places = new Map<string, FoundPlace>();
  for (const { path, place } of listings) {
    for (let folder = path; !places.has(folder); folder = parent(folder)) {
      places.set(folder, place);
      if (folder === '') break;
    }
  }
  return (path) => {
    for (let folder = path; folder !== ''; folder = parent(folder)) {
      const place = places.get(folder);
      if (place) return place;
    }
    return fallback;
  };
}

function parent(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}
