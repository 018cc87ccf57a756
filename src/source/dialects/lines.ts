/** A line of a page while it is translated, and the 1-based line of the body that it comes from. */
export interface Line {
  text: string;
  number: number;
}

// Each translation first looks for its signs in the text, and most leave the lines as they are.
const texts = new WeakMap<readonly Line[], string>();

/** The text of lines. */
export function joined(lines: readonly Line[]): string {
  let text = texts.get(lines);
  if (text === undefined) texts.set(lines, (text = lines.map((line) => line.text).join('\n')));
  return text;
}

/** What surrounds a line: translations leave code alone, and write blocks at the indentation of a list. */
export interface Surroundings {
  isCode: boolean;
  isInList: boolean;
}

const listItem = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]/;

/** Which lines are code (fenced, indented, or in `<pre>`), and which belong to a list. */
export function surroundingsOf(lines: readonly Line[], startsInList = false): Surroundings[] {
  let fence: Fence | undefined;
  let isPre = false;
  let isInList = startsInList;
  let isInTag = false;
  let mayIndent = true;
  let isIndented = false;
  return lines.map(({ text }) => {
    if (fence) {
      if (closesFence(text, fence)) fence = undefined;
      return { isCode: true, isInList };
    }
    if (isPre) {
      if (/<\/pre>/i.test(text)) isPre = false;
      return { isCode: true, isInList };
    }
    const isBlank = text.trim() === '';
    const isDeep = /^(?: {4}| {0,3}\t)/.test(text);
    fence = openedFence(text);
    if (fence) {
      isIndented = false;
      return { isCode: true, isInList };
    }
    if (isBlank) {
      mayIndent = true;
      return { isCode: isIndented, isInList };
    }
    isIndented = isDeep && !isInList && !isInTag && (mayIndent || isIndented);
    mayIndent = false;
    if (isIndented) return { isCode: true, isInList };
    // What is indented below a list item or a tag is its content.
    if (listItem.test(text)) isInList = true;
    else if (/^\S/.test(text) && !/^(?:[>|]|\{[:#.])/.test(text)) {
      isInList = false;
      isInTag = /^\{[{%]/.test(text);
    }
    if (/^[ \t]*<pre[\s>]/i.test(text) && !/<\/pre>/i.test(text)) {
      isPre = true;
      return { isCode: true, isInList };
    }
    return { isCode: false, isInList };
  });
}

/** The lines, each that is not code as `change` gives it. */
export function changeProse(lines: Line[], change: (line: Line, index: number) => Line | Line[]): Line[] {
  const around = surroundingsOf(lines);
  return lines.flatMap((line, index) => (around[index]?.isCode ? line : change(line, index)));
}

/** The backticks or tildes of an open code fence. */
export interface Fence {
  mark: string;
  length: number;
  /** Characters before it. */
  indent: number;
}

/** The fence that a line opens. */
export function openedFence(text: string): Fence | undefined {
  if (!text.includes('```') && !text.includes('~~~')) return undefined;
  const [, prefix = '', marks] = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}(?=[^`]*$)|~{3,})/.exec(text) ?? [];
  return marks ? { mark: marks.charAt(0), length: marks.length, indent: prefix.length } : undefined;
}

export function closesFence(text: string, { mark, length, indent }: Fence): boolean {
  const [prefix = ''] = /^[ \t>]*/.exec(text) ?? [];
  // A fence that is indented further is code in this one.
  if (prefix.length > indent + 3) return false;
  const closing = text.slice(prefix.length).trimEnd();
  return closing.length >= length && closing === mark.repeat(closing.length);
}
