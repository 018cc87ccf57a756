// All texts in the languages that Carrel supports; a name in braces stands for a value. English defines which texts there are. A new language is
// one file beside this one, and its lines here and in reader/analytics/texts.ts.
import english from './en.json' with { type: 'json' };
import { labelKey } from './label-key.ts';

export { english };

/** All texts of one language: what English has. A text that a language lacks is a type error. */
export type Labels = typeof english;

/** Texts of the reference of an operation, and the fields of hand-written ones. */
export type ReferenceLabels = Labels['reference'];

/** The labels of a language tag such as `zh-TW`, in any case, with `-` or `_`: those of its script, else of its language, else English. */
export async function labelsOf(language = ''): Promise<Labels> {
  return (await languages.get(labelKey(language))?.())?.default ?? english;
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
const languages = new Map<string, () => Promise<{ default: Labels }>>([
  ['ar', () => import('./ar.json', { with: { type: 'json' } })],
  ['de', () => import('./de.json', { with: { type: 'json' } })],
  ['es', () => import('./es.json', { with: { type: 'json' } })],
  ['fr', () => import('./fr.json', { with: { type: 'json' } })],
  ['he', () => import('./he.json', { with: { type: 'json' } })],
  ['hi', () => import('./hi.json', { with: { type: 'json' } })],
  ['id', () => import('./id.json', { with: { type: 'json' } })],
  ['it', () => import('./it.json', { with: { type: 'json' } })],
  ['ja', () => import('./ja.json', { with: { type: 'json' } })],
  ['ko', () => import('./ko.json', { with: { type: 'json' } })],
  ['nl', () => import('./nl.json', { with: { type: 'json' } })],
  ['pl', () => import('./pl.json', { with: { type: 'json' } })],
  ['pt', () => import('./pt.json', { with: { type: 'json' } })],
  ['ru', () => import('./ru.json', { with: { type: 'json' } })],
  ['tr', () => import('./tr.json', { with: { type: 'json' } })],
  ['uk', () => import('./uk.json', { with: { type: 'json' } })],
  ['vi', () => import('./vi.json', { with: { type: 'json' } })],
  ['zh-Hant', () => import('./zh-Hant.json', { with: { type: 'json' } })],
  ['zh', () => import('./zh.json', { with: { type: 'json' } })],
]);
