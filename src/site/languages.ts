export { languageTag } from '../../integration/text/language-tag.ts';

const rightToLeft = new Set(['ar', 'he', 'fa', 'ur']);

export function direction(language: string): 'ltr' | 'rtl' {
  return rightToLeft.has(language.split('-')[0]!.toLowerCase()) ? 'rtl' : 'ltr';
}

/** The name of a language in that language: 'Deutsch', '日本語'. */
export function languageName(language: string): string {
  try {
    const name = new Intl.DisplayNames([language], { type: 'language', languageDisplay: 'standard' }).of(language) ?? language;
    return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
  } catch {
    return language;
  }
}
