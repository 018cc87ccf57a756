/** Codes that the format accepts and that are not language tags of their own. */
const aliases: Record<string, string> = { jp: 'ja', cn: 'zh', ua: 'uk', cz: 'cs', kr: 'ko' };

/** 'jp' → 'ja', 'pt-br' → 'pt-BR'. Returns a code that is not a language tag unchanged. */
export function languageTag(code: string): string {
  const tag = aliases[code.toLowerCase()] ?? code.replaceAll('_', '-');
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? code;
  } catch {
    return code;
  }
}
