/** Whether a question asks for a number, such as a time or a count. */
export function asksForNumber(question: string): boolean {
  return numberQuestion.test(question);
}

/** Whether a text has a number, in digits or a word. */
export function hasNumber(text: string): boolean {
  return number.test(text);
}

const numberQuestion = new RegExp(
  [
    '\\bhow (?:long|many|much|often|big|large|fast|old|far|high)\\b|\\b(?:maximum|minimum|largest|smallest|(?:rate )?limits?|which size|what size)\\b',
    '\\bwie (?:lange|viele?|oft|gro(?:ß|ss)|hoch|schnell)\\b|\\bcombien\\b|\\bcu[aá]nt[oa]s?\\b|\\bquant[oaie]s?\\b|\\bhoe(?:veel| lang| vaak| groot)\\b',
    'сколько|скільки|как (?:часто|долго)|كم|多久|多少|几|幾|多大|何(?:秒|分|時間|回|個|日)|どのくらい|얼마|몇|कितन|πόσ|\\bbao (?:lâu|nhiêu)|\\bberapa\\b|\\bkaç\\b|\\bile\\b|כמה',
  ].join('|'),
  'iu',
);

const number =
  /\p{Nd}|[一二三四五六七八九十百千半両两]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|half|once|twice|hours?|minutes?|seconds?|days?|weeks?|months?|years?)\b/iu;
