/** Codes that the format accepts and that are not language tags of their own. */
const aliases: Record<string, string> = { jp: 'ja', cn: 'zh', ua: 'uk', cz: 'cs', kr: 'ko' };

/** 'jp' → 'ja', 'pt-br' → 'pt-BR'. Returns a code that is not a language tag unchanged. */
export function languageTag(code: string): string {
  return canonicalTag(aliases[code.toLowerCase()] ?? code) ?? code;
}

/** `PT_br` → `pt-BR`, so that different spellings are one language; undefined for text that is not a language tag. */
export function canonicalTag(written: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(written.replaceAll('_', '-'))[0];
  } catch {
    return undefined;
  }
}
