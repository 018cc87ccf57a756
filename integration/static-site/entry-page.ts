import { cleanPath, decode, isElsewhere, splitUrl } from '../urls/parts.ts';
import type { SiteFile } from './read-folder.ts';

export interface EntryPageOptions {
  /** Paths without the base. */
  redirects: { from: string; to: string }[];
  /** Path, without the base, that a page names for readers of any other language (`hreflang="x-default"`). */
  forAnyLanguage?: string;
  /** Whether a page is in the site's default language; undefined where none is set. */
  isDefaultLanguage?: (page: SiteFile) => Promise<boolean>;
}

/**
 * The page that a reader gets who names neither a language nor a version: the one at the root, else the one that the root redirects to,
 * the one for any other language, the first of the default language, the first of all.
 */
export async function entryPage(
  pages: SiteFile[],
  { redirects, forAnyLanguage, isDefaultLanguage }: EntryPageOptions,
): Promise<SiteFile> {
  const find = (url: string): SiteFile | undefined => {
    const wanted = cleanPath(decode(splitUrl(url).path));
    return pages.find(({ path, file }) => path === wanted || file === wanted);
  };
  const redirected = (from: string, times = 0): SiteFile | undefined => {
    const to = redirects.find((redirect) => cleanPath(redirect.from) === from)?.to;
    if (to === undefined || isElsewhere(to) || times === 20) return undefined;
    return find(to) ?? redirected(cleanPath(decode(splitUrl(to).path)), times + 1);
  };
  const known =
    pages.find(({ path }) => path === '') ?? redirected('') ?? (forAnyLanguage === undefined ? undefined : find(forAnyLanguage));
  if (known) return known;
  // Start pages are close to the root.
  if (isDefaultLanguage)
    for (const page of pages.toSorted((a, b) => depth(a) - depth(b))) if (await isDefaultLanguage(page)) return page;
  return pages[0]!;
}

function depth({ path }: SiteFile): number {
  return path.split('/').length;
}
