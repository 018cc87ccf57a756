import type { Problem } from '../../integration/diagnostics.ts';
import { mainLanguage } from './navigation/folder-languages.ts';
import { languageName, languageTag } from './languages.ts';
import type { PageFacts } from './page-facts.ts';
import type { FoundPlace } from './navigation/walk-navigation.ts';

/** The language of all that names none: as asked for, else the site's first, else as the pages' script tells, else English. */
export function siteLanguage(
  places: readonly FoundPlace[],
  pages: readonly PageFacts[],
  asked: string | undefined,
): { tag: string; problems: Problem[] } {
  const named = places.find((place) => place.language !== undefined)?.language;
  if (named !== undefined) return { tag: named, problems: [] };
  if (asked !== undefined) return { tag: languageTag(asked), problems: [] };
  const guessed = mainLanguage(pages);
  if (guessed === undefined) return { tag: 'en', problems: [] };
  const problem: Problem = {
    kind: 'language-guessed',
    severity: 'note',
    message: `The docs name no language; their script looks like ${languageName(guessed)} ("${guessed}").`,
    hint: `Say "--language ${guessed}", or the language it is, to be sure.`,
  };
  return { tag: guessed, problems: [problem] };
}
