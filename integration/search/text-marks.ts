/**
 * Marks in the stored text of a section, which keep what a plain text loses: inline code, table cells, list items, and where code stands.
 * Each is a character that HTML does not allow in a text, so a text without marks is its own plain text.
 */
export const marks = {
  /** Before inline code of one word, which ends where `codeWord` ends. */
  codeWord: '\x7f',
  /** On both sides of other inline code. */
  inlineCode: '\x85',
  /** Between the cells of a table row. */
  cell: '\t',
  /** At the beginning of a line: the head of a table, an item of a numbered list, of another list, and the description of the page. */
  head: '\x80',
  step: '\x81',
  item: '\x82',
  description: '\x83',
  /** On both sides of a code block, which may also end with the text. */
  code: '\x84',
} as const;

/** Text and code of a section, joined with marks. */
export function markedText({ text, code }: { text: string; code: string }): string {
  return code === '' ? text : `${text}${marks.code}${code}`;
}

/** The parts of a marked text in order: lines with marks, and code blocks. */
export function markedParts(marked: string): { text: string; isCode: boolean }[] {
  return marked.split(marks.code).flatMap((text, i) => (text === '' ? [] : [{ text, isCode: i % 2 === 1 }]));
}

/** Text and code of a section as a reader sees them, with tabs between the cells of tables. */
export function textAndCode(marked: string): { text: string; code: string } {
  const parts = markedParts(marked);
  const joined = (isCode: boolean) => parts.flatMap((part) => (part.isCode === isCode ? [part.text] : [])).join('\n');
  return { text: plainText(joined(false)), code: joined(true) };
}

/** The description of the page, if the text has it. */
export function descriptionIn(marked: string): string {
  return plainText(/^\x83.*$/m.exec(marked)?.[0] ?? '');
}

/** Lines without their marks, but for the tabs between cells. */
export function plainText(lines: string): string {
  if (!/[\t\x7f-\x85]/.test(lines)) return lines;
  return lines
    .replace(invisible, '')
    .replace(/ *\t[ \t]*/g, '\t')
    .replace(/ +/g, ' ')
    .replace(/[ \t]*\n[ \t\n]*/g, '\n')
    .trim();
}

/** A text without the characters of marks. */
export function unmarked(text: string): string {
  return text.replace(invisible, '');
}

const invisible = /[\x7f-\x85]/g;

/** Marks inline code that is between two `inlineCode` in as few characters as possible, since an index has a lot of it. */
export function withCodeWords(line: string): string {
  return line.replace(/\x85([^\x85]*)\x85/g, (whole, code: string, at: number) => {
    if (code.trim() === '') return code;
    const rest = `${code}${line.slice(at + whole.length)}`;
    return codeWord.exec(rest)?.[0] === code ? `${marks.codeWord}${code}` : whole;
  });
}

/** Calls for inline code and for what is between, in order, and joins the results. */
export function withInlineCode(line: string, code: (text: string) => string, other: (text: string) => string): string {
  let result = '';
  let at = 0;
  for (const { 0: found, index } of line.matchAll(inlineCode)) {
    const text = found.startsWith(marks.codeWord) ? found.slice(1) : found.slice(1, -1);
    result += other(line.slice(at, index)) + code(text);
    at = index + found.length;
  }
  return result + other(line.slice(at));
}

// A word, without the punctuation that follows it; brackets only as those of a call.
const codeWord = /^(?:[^\s()\x7f-\x85]*\([^\s()\x7f-\x85]*\)|[^\s()\x7f-\x85]*[^\s().,;:!?\x7f-\x85])/;
const inlineCode = new RegExp(`${marks.codeWord}${codeWord.source.slice(1)}|\x85[^\x85]*\x85`, 'g');
