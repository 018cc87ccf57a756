/** The name of the labels of a language tag such as `zh-TW`, in any case, with `-` or `_`: that of its script, else its language. */
export function labelKey(language = ''): string {
  const tag = language.replaceAll('_', '-');
  return traditionalChinese.test(tag) ? 'zh-Hant' : tag.toLowerCase().replace(/-.*/s, '');
}

// The script, or regions that write it.
const traditionalChinese = /^zh-(?:Hant|TW|HK|MO)\b/i;
