// The language of a question, as far as its script shows it: most languages of the Latin script look alike in a question.

const scripts: { pattern: RegExp; language: string; of: string[] }[] = [
  { pattern: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu, language: 'ja', of: ['Jpan'] },
  { pattern: /\p{Script=Hangul}/gu, language: 'ko', of: ['Kore'] },
  { pattern: /\p{Script=Han}/gu, language: 'zh', of: ['Hans', 'Hant', 'Jpan'] },
  { pattern: /\p{Script=Cyrillic}/gu, language: 'ru', of: ['Cyrl'] },
  { pattern: /\p{Script=Arabic}/gu, language: 'ar', of: ['Arab'] },
  { pattern: /\p{Script=Hebrew}/gu, language: 'he', of: ['Hebr'] },
  { pattern: /\p{Script=Devanagari}/gu, language: 'hi', of: ['Deva'] },
];

/** The language of a question whose script differs from that of the docs; else the language of the docs. */
export function readerLanguage(question: string, docsLanguage: string): string {
  const letters = question.match(/\p{L}/gu)?.length ?? 0;
  for (const { pattern, language, of } of scripts) {
    const count = question.match(pattern)?.length ?? 0;
    // Names and commands keep their own letters between the words; Japanese has Han between its kana.
    if (count < Math.max(1, letters / 4)) continue;
    return of.includes(scriptOf(docsLanguage)) ? docsLanguage : language;
  }
  return docsLanguage;
}

function scriptOf(language: string): string {
  try {
    return new Intl.Locale(language.replaceAll('_', '-')).maximize().script ?? 'Latn';
  } catch {
    return 'Latn';
  }
}
