import type { Problem } from '../../../integration/diagnostics.ts';
import type { FoundContext } from './walk-navigation.ts';

const shown = 3;

/** One warning for each context whose navigation contains missing pages. The report has the full list. */
export function missingEntries(missing: readonly { entry: string; context: FoundContext }[], configFile: string): Problem[] {
  const contexts = new Map<FoundContext, string[]>();
  for (const { entry, context } of missing) contexts.set(context, [...(contexts.get(context) ?? []), entry]);
  return [...contexts].map(([context, entries]): Problem => {
    const names = entries.slice(0, shown).map((entry) => `"${entry}"`);
    const more = entries.length > shown ? ` and ${entries.length - shown} more` : '';
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
