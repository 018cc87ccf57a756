import { ExportError } from '../../../integration/errors.ts';
import { languageTag } from '../languages.ts';
import type { FoundPlace } from './walk-navigation.ts';

/** Places of one language and version, where asked for. Places that have none of their own stay. */
export function wantedPlaces(
  places: readonly FoundPlace[],
  wanted: { language?: string; docsVersion?: string },
): Set<FoundPlace> {
  const languages = new Set(places.flatMap((place) => place.language ?? []));
  const language = wanted.language === undefined || languages.size === 0 ? undefined : languageTag(wanted.language);
  if (language !== undefined && !languages.has(language)) {
    throw new ExportError(
      'LanguageNotFound',
      `The docs have no language "${wanted.language}".`,
      `Use one of: ${[...languages].join(', ')}.`,
    );
  }
  const inLanguage = places.filter(
    (place) => language === undefined || place.language === undefined || place.language === language,
  );
  const versions = new Set(inLanguage.flatMap((place) => place.docsVersion ?? []));
  const { docsVersion } = wanted;
  if (docsVersion !== undefined && !versions.has(docsVersion)) {
    const hint = versions.size
      ? `Use one of: ${[...versions].map((one) => `"${one}"`).join(', ')}.`
      : 'The docs have no versions.';
    throw new ExportError('VersionNotFound', `The docs have no version "${docsVersion}".`, hint);
  }
  return new Set(
    inLanguage.filter(
      (place) => docsVersion === undefined || place.docsVersion === undefined || place.docsVersion === docsVersion,
    ),
  );
}

/** Whether what belongs to a language and a version, where it does, is asked for. */
export function isWanted(
  part: { language?: string; docsVersion?: string },
  wanted: { language?: string; docsVersion?: string },
): boolean {
  const { language, docsVersion } = part;
  if (wanted.language !== undefined && language !== undefined && language !== languageTag(wanted.language)) return false;
  return wanted.docsVersion === undefined || docsVersion === undefined || docsVersion === wanted.docsVersion;
}
