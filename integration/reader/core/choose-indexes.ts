import type { SiteData, SiteIndex } from './site-data.ts';

/**
 * The index for a page's language and docs version, or the closest one, the site's defaults before others; and those of the language's
 * other versions. `own` is undefined where the site has no index.
 */
export function chooseIndexes(
  { indexes, defaultLanguage, defaultDocsVersion }: Pick<SiteData, 'indexes' | 'defaultLanguage' | 'defaultDocsVersion'>,
  language: string,
  docsVersion: string | undefined,
): { own: SiteIndex | undefined; others: SiteIndex[] } {
  const ofLanguages = [
    indexes.filter((index) => index.language === language),
    indexes.filter((index) => family(index.language) === family(language)),
    indexes.filter((index) => index.language === defaultLanguage),
    indexes,
  ];
  const readable = ofLanguages.find((some) => some.length > 0) ?? [];
  const ofVersion = (version: string | undefined) => readable.find((index) => index.docsVersion === version);
  const own = ofVersion(docsVersion) ?? ofVersion(defaultDocsVersion) ?? readable[0];
  return { own, others: readable.filter((index) => index.language === own?.language && index !== own) };
}

function family(language: string): string {
  return language.toLowerCase().replace(/-.*/s, '');
}
