import type { Problem } from '../../integration/diagnostics.ts';
import { mainLanguage } from './navigation/folder-languages.ts';
import { languageName, languageTag } from './languages.ts';
import type { PageFacts } from './page-facts.ts';
import type { FoundContext } from './navigation/walk-navigation.ts';

/** The language of pages without one: as requested, or else the site's first, or else guessed from the script of the pages, or else English. */
export function siteLanguage(
  contexts: readonly FoundContext[],
  pages: readonly PageFacts[],
  asked: string | undefined,
): { tag: string; problems: Problem[] } {
  const named = contexts.find((context) => context.language !== undefined)?.language;
  if (named !== undefined) return { tag: named, problems: [] };
  if (asked !== undefined) return { tag: languageTag(asked), problems: [] };
  const guessed = mainLanguage(pages);
  if (guessed === undefined) return { tag: 'en', problems: [] };
  const problem: Problem = {
    kind: 'language-guessed',
    severity: 'note',
    message: `The docs do not name their language. Their script looks like ${languageName(guessed)} ("${guessed}").`,
    hint: `Set --language ${guessed}, or the correct language, to be sure.`,
  };
  return { tag: guessed, problems: [problem] };
}
