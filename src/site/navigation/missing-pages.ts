import type { Problem } from '../../../integration/diagnostics.ts';
import type { FoundContext, UnresolvedEntry } from './walk-navigation.ts';

const shownPages = 20;

/** One warning for each part of the navigation and reason. The report has the full list. */
export function unresolvedEntryProblems(pages: readonly UnresolvedEntry[], configFile: string): Problem[] {
  const parts = new Map<string, UnresolvedEntry[]>();
  for (const page of pages) {
    const key = `${page.at}\n${page.reason}`;
    parts.set(key, [...(parts.get(key) ?? []), page]);
  }
  return [...parts.values()].map((its): Problem => {
    const { at, reason } = its[0]!;
    const names = its.slice(0, shownPages).map(({ entry }) => (entry.startsWith('"') ? entry : `"${entry}"`));
    const more = its.length > shownPages ? ` and ${its.length - shownPages} more` : '';
    return {
      kind: 'specification-page-missing',
      severity: 'warning',
      page: configFile,
      message: `No page for ${names.join(', ')}${more} (in ${at}): ${reason}.`,
      hint: 'Correct the entry, or add the specification to the docs folder. The report lists all missing entries under "navigation.missing".',
    };
  });
}

const shownEntries = 3;

/** One warning for each context whose navigation contains missing pages. The report has the full list. */
export function missingEntries(missing: readonly { entry: string; context: FoundContext }[], configFile: string): Problem[] {
  const contexts = new Map<FoundContext, string[]>();
  for (const { entry, context } of missing) contexts.set(context, [...(contexts.get(context) ?? []), entry]);
  return [...contexts].map(([context, entries]): Problem => {
    const names = entries.slice(0, shownEntries).map((entry) => `"${entry}"`);
    const more = entries.length > shownEntries ? ` and ${entries.length - shownEntries} more` : '';
    const what = entries.length === 1 ? 'a page that does not exist' : `${entries.length} pages that do not exist`;
    return {
      kind: 'navigation-entry-without-file',
      severity: 'warning',
      page: configFile,
      message: `${context.key === 'site' ? 'The navigation' : `The navigation of ${context.key}`} contains ${what}: ${names.join(', ')}${more}.`,
      hint: `Add the pages or remove their entries from ${configFile}. The report lists all of them under "navigation.missing".`,
    };
  });
}
