/** What a table has for a language tag such as `zh-TW`: of its script where that is another than the bare language's, else of the language. */
export function translated<Words>(translations: Record<string, Words>, language = ''): Words | undefined {
  const tag = language.replaceAll('_', '-');
  const key = traditional.test(tag) ? 'zh-Hant' : tag.split('-')[0]!.toLowerCase();
  return Object.hasOwn(translations, key) ? translations[key] : undefined;
}

// The script, or regions that write it.
const traditional = /^zh-(?:Hant|TW|HK|MO)\b/i;
