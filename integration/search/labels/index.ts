// All texts in the languages that Carrel supports. A new language is one file beside this one, and its line here.
import { labelKey } from '../label-key.ts';
import * as english from './en.ts';
import type { Labels } from './en.ts';

export { english };

/** The labels of a language tag such as `zh-TW`, in any case, with `-` or `_`: those of its script, else of its language, else English. */
export async function labelsOf(language = ''): Promise<Labels> {
  return languages.get(labelKey(language))?.() ?? english;
}

/** The texts of the playground, with those that it shares with the rest of the page. */
export function playgroundLabels({ playground, reference, dialogs, theme, ask }: Labels) {
  const { pathParameters, queryParameters, headers, authorization, body, required, example } = reference;
  return {
    ...{ ...playground, pathParameters, queryParameters, headers, authorization, body, required, example },
    ...{ close: dialogs.close, copy: theme.copy, copied: ask.askCopied, send: ask.askSend, stop: ask.askStop },
  };
}

// A site has one or two languages: the others are not loaded.
const languages = new Map<string, () => Promise<Labels>>([
  ['ar', () => import('./ar.ts')],
  ['de', () => import('./de.ts')],
  ['es', () => import('./es.ts')],
  ['fr', () => import('./fr.ts')],
  ['he', () => import('./he.ts')],
  ['hi', () => import('./hi.ts')],
  ['id', () => import('./id.ts')],
  ['it', () => import('./it.ts')],
  ['ja', () => import('./ja.ts')],
  ['ko', () => import('./ko.ts')],
  ['nl', () => import('./nl.ts')],
  ['pl', () => import('./pl.ts')],
  ['pt', () => import('./pt.ts')],
  ['ru', () => import('./ru.ts')],
  ['tr', () => import('./tr.ts')],
  ['uk', () => import('./uk.ts')],
  ['vi', () => import('./vi.ts')],
  ['zh-Hant', () => import('./zh-Hant.ts')],
  ['zh', () => import('./zh.ts')],
]);
