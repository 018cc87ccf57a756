import { ExportError } from '../../../integration/errors.ts';
import { languageTag } from '../languages.ts';
import type { FoundContext } from './walk-navigation.ts';

/** The contexts of the requested language and version. Contexts without a language or version are included. */
export function selectedContexts(
  contexts: readonly FoundContext[],
  wanted: { language?: string; docsVersion?: string },
): Set<FoundContext> {
  const languages = new Set(contexts.flatMap((context) => context.language ?? []));
  const language = wanted.language === undefined || languages.size === 0 ? undefined : languageTag(wanted.language);
  if (language !== undefined && !languages.has(language)) {
    throw new ExportError(
      'LanguageNotFound',
      `The docs do not have a language "${wanted.language}".`,
      `Use one of: ${[...languages].join(', ')}.`,
    );
  }
  const inLanguage = contexts.filter(
    (context) => language === undefined || context.language === undefined || context.language === language,
  );
  const versions = new Set(inLanguage.flatMap((context) => context.docsVersion ?? []));
  const { docsVersion } = wanted;
  if (docsVersion !== undefined && !versions.has(docsVersion)) {
    const hint = versions.size
      ? `Use one of: ${[...versions].map((one) => `"${one}"`).join(', ')}.`
      : 'The docs do not have versions.';
    throw new ExportError('VersionNotFound', `The docs do not have a version "${docsVersion}".`, hint);
  }
  return new Set(
    inLanguage.filter(
      (context) => docsVersion === undefined || context.docsVersion === undefined || context.docsVersion === docsVersion,
    ),
  );
}

/** Whether a part belongs to the requested language and version; a part without one always does. */
export function isWanted(
  part: { language?: string; docsVersion?: string },
  wanted: { language?: string; docsVersion?: string },
): boolean {
  const { language, docsVersion } = part;
  if (wanted.language !== undefined && language !== undefined && language !== languageTag(wanted.language)) return false;
  return wanted.docsVersion === undefined || docsVersion === undefined || docsVersion === wanted.docsVersion;
}
