import type { FoundContext, Listing } from './walk-navigation.ts';

/** Finds the context of pages that are not in the navigation: that of the nearest folder with a page in it. */
export function contextByFolder(
  listings: readonly Listing[],
  fallback: FoundContext | undefined,
): (path: string) => FoundContext | undefined {
  const contexts = new Map<string, FoundContext>();
  for (const { path, context } of listings) {
    for (let folder = path; !contexts.has(folder); folder = parent(folder)) {
      contexts.set(folder, context);
      if (folder === '') break;
    }
  }
  return (path) => {
    for (let folder = path; folder !== ''; folder = parent(folder)) {
      const context = contexts.get(folder);
      if (context) return context;
    }
    return fallback;
  };
}

function parent(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}
