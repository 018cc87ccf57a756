/**
 * What a site adds to the titles of its pages (` | The garden`), judged by some of them; empty if there is no such ending.
 * `names` are what the site may be called.
 */
export function titleEnding(titles: string[], names: (string | undefined)[]): string {
  const counts = new Map<string, number>();
  for (const title of new Set(titles.map((title) => title.trim())))
    for (const { index } of title.matchAll(separator)) {
      const ending = title.slice(index);
      if (index > 0) counts.set(ending, (counts.get(ending) ?? 0) + 1);
    }
  const isName = (ending: string) => names.some((name) => name !== undefined && name.trim() === nameInEnding(ending));
  const named = [...counts.keys()].find(isName);
  if (named !== undefined) return named;
  const usual = [...counts].filter(([, count]) => count > 1 && count > titles.length / 2);
  // The longest of those on most titles: a name of several parts (` - Guide - The garden`) stays whole where all have it.
  return usual.sort(([a, m], [b, n]) => n - m || b.length - a.length)[0]?.[0] ?? '';
}

/** A title without what the site adds to it. */
export function withoutEnding(title: string, ending: string): string {
  const bare = title.trim();
  return ending !== '' && bare.endsWith(ending) && bare.length > ending.length ? bare.slice(0, -ending.length).trim() : bare;
}

/** The name that is in such an ending. */
export function nameInEnding(ending: string): string | undefined {
  return ending.replace(/^\s+[|·•–—:»-]+\s+/, '').trim() || undefined;
}

const separator = /\s+[|·•–—:»-]+\s+/g;
