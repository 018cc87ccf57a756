/**
 * The suffix that a site adds to its page titles (` | The garden`), found from some of them; empty without one.
 * `names` are possible names of the site.
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
  // The longest suffix that most titles have, so that a name of several parts (` - Guide - The garden`) stays complete.
  return usual.sort(([a, m], [b, n]) => n - m || b.length - a.length)[0]?.[0] ?? '';
}

/** A title without the site's suffix. */
export function withoutEnding(title: string, ending: string): string {
  const bare = title.trim();
  return ending !== '' && bare.endsWith(ending) && bare.length > ending.length ? bare.slice(0, -ending.length).trim() : bare;
}

/** The name of the site in such a suffix. */
export function nameInEnding(ending: string): string | undefined {
  return ending.replace(/^\s+[|·•–—:»-]+\s+/, '').trim() || undefined;
}

const separator = /\s+[|·•–—:»-]+\s+/g;
