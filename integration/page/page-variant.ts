import { canonicalTag } from '../text/language-tag.ts';

export interface VariantRules {
  /** Language by path prefix: `{ fr: 'fr', 'pt-br': 'pt-BR' }`. It wins over what the page says. */
  languages: Record<string, string>;
  /** The same from the site's routing, for pages that do not state a language. */
  routedLanguages: Record<string, string>;
  /** Docs version by path prefix: `{ 'v1': '1.x', 'fr/v1': '1.x' }`. */
  versions: Record<string, string>;
  defaultLanguage: string;
}

/** Language and docs version of a page, from its path and from what it says of itself. */
export function variantOf(
  path: string,
  said: { language?: string; docsVersion?: string },
  rules: VariantRules,
): { language: string; docsVersion?: string } {
  const given = atStart(path, rules.languages);
  const found = languageTag(given ?? said.language ?? atStart(path, rules.routedLanguages) ?? rules.defaultLanguage);
  const usual = languageTag(rules.defaultLanguage);
  const isApart = isAtStart(path, found) || Object.values(rules.routedLanguages).map(languageTag).includes(found);
  const language = given === undefined && isSameBut(found, usual) && !isApart ? usual : found;
  const docsVersion = said.docsVersion ?? atStart(path, rules.versions);
  return docsVersion === undefined ? { language } : { language, docsVersion };
}

/** Whether one of two languages is only more specific: `en-US` and `en`. A generated reference is often less specific than the other pages. */
function isSameBut(one: string, other: string): boolean {
  return one !== other && (one.startsWith(`${other}-`) || other.startsWith(`${one}-`));
}

// A translation has its own folder: `pt` beside `pt-br`.
function isAtStart(path: string, language: string): boolean {
  return `${path}/`.toLowerCase().startsWith(`${language}/`.toLowerCase());
}

function languageTag(written: string): string {
  const tag = written.trim().replaceAll('_', '-');
  return canonicalTag(tag) ?? tag;
}

/** The value of the longest key that a path begins with; the key '' applies to all. */
function atStart(path: string, values: Record<string, string>): string | undefined {
  let best: { key: string; value: string } | undefined;
  for (const [written, value] of Object.entries(values)) {
    const key = written.replace(/^\/+|\/+$/g, '');
    if (key !== '' && path !== key && !path.startsWith(`${key}/`)) continue;
    if (!best || key.length > best.key.length) best = { key, value };
  }
  return best?.value;
}
