import type { SiteIndex } from './site-data.ts';

/**
 * The index for a page's language and docs version, or the nearest there is, and those of the language's other versions.
 * Undefined `own`: the site has no index.
 */
export function chooseIndexes(
  indexes: SiteIndex[],
  language: string,
  docsVersion: string | undefined,
): { own: SiteIndex | undefined; others: SiteIndex[] } {
  const inLanguage = indexes.filter((index) => index.language === language);
  const inFamily = indexes.filter((index) => family(index.language) === family(language));
  const readable = [inLanguage, inFamily, indexes].find((some) => some.length > 0) ?? [];
  const own = readable.find((index) => index.docsVersion === docsVersion) ?? readable[0];
  return { own, others: readable.filter((index) => index.language === own?.language && index !== own) };
}

function family(language: string): string {
  return language.toLowerCase().split('-')[0]!;
}
