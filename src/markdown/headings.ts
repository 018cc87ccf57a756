/** Anchor of a heading's text, by the rules of docs.json sites: "Config.json options" → "config-json-options". */
export function headingId(text: string): string {
  return text
    .toLowerCase()
    .replace(/'/g, '’')
    .replace(/[.\s]+/g, '-')
    .replace(/[()[\]{},:;?!"`*<>=+|\\^~#@%]/g, '')
    .replace(/-+/g, '-')
    .replace(/^-|-$/g, '');
}
