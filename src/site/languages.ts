/** Codes that the format accepts and that are not language tags of their own. */
const aliases: Record<string, string> = { jp: 'ja', cn: 'zh', ua: 'uk', cz: 'cs', kr: 'ko' };

const rightToLeft = new Set(['ar', 'he', 'fa', 'ur']);

/** 'jp' → 'ja', 'pt-br' → 'pt-BR'. A code that is no language tag is given back as it is. */
export function languageTag(code: string): string {
  const tag = aliases[code.toLowerCase()] ?? code.replaceAll('_', '-');
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? code;
  } catch {
    return code;
  }
}

export function direction(language: string): 'ltr' | 'rtl' {
  return rightToLeft.has(language.split('-')[0]!.toLowerCase()) ? 'rtl' : 'ltr';
}

/** A language's name in itself: 'Deutsch', '日本語'. */
export function languageName(language: string): string {
  try {
    const name = new Intl.DisplayNames([language], { type: 'language', languageDisplay: 'standard' }).of(language) ?? language;
    return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
  } catch {
    return language;
  }
}
