import type { Problem } from '../../../integration/diagnostics.ts';
import type { FoundPlace } from './walk-navigation.ts';

const shown = 3;

/** One warning for each place whose navigation names pages that do not exist. The report holds the whole list. */
export function missingEntries(missing: readonly { entry: string; place: FoundPlace }[], configFile: string): Problem[] {
  const places = new Map<FoundPlace, string[]>();
  for (const { entry, place } of missing) places.set(place, [...(places.get(place) ?? []), entry]);
  return [...places].map(([place, entries]): Problem => {
    const names = entries.slice(0, shown).map((entry) => `"${entry}"`);
    const more = entries.length > shown ? ` and ${entries.length - shown} more` : '';
    const what = entries.length === 1 ? 'a page that does not exist' : `${entries.length} pages that do not exist`;
    return {
      kind: 'navigation-entry-without-file',
      severity: 'warning',
      page: configFile,
      message: `${place.key === 'site' ? 'The navigation' : `The navigation of ${place.key}`} names ${what}: ${names.join(', ')}${more}.`,
      hint: `Add the pages or remove their entries from ${configFile}. The report names them all under "navigation.missing".`,
    };
  });
}
