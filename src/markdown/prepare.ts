// Changes to the source before it is parsed, for syntax that the parser would reject or misread.
// Every change stays within its line, so positions still refer to lines of the file.

/** First character of a line that opens or closes a container, from Unicode's private use area, which no author uses. */
export const containerMark = '\uE002';
/** The characters of an id are moved to a private plane, where parsers see no markup in them. */
const idPlane = 0xf0000;
// A match begins at the first of several spaces: tried at each of them, a long line would take quadratic time.
const idPattern = /(?<!\s)\s*([\u{F0000}-\u{FFFFD}]+)\s*$/u;

/** The text without an id written at its end as `{#id}`, and the id. */
export function takeId(text: string): { text: string; id?: string } {
  const [, marked] = idPattern.exec(text) ?? [];
  if (marked === undefined) return { text };
  return { text: text.replace(idPattern, ''), id: moved(marked, -idPlane) };
}

/** Prepared source, or a part of it, without our marks. */
export function withoutMarks(source: string): string {
  return source.replace(/(?<![ \t])[ \t]*[\u{F0000}-\u{FFFFD}]+|(?:###### )?\uE002[^\n]*\n?/gu, '');
}

function markId(id: string): string {
  return ` ${moved(id.replace(/[^\u{0}-\u{FFFD}]/gu, ''), idPlane)}`;
}

function moved(text: string, distance: number): string {
  return Array.from(text, (character) => String.fromCodePoint((character.codePointAt(0) ?? 0) + distance)).join('');
}

/** The source with variables replaced, `{#id}` of headings and `:::` lines marked, and single-dollar formulas doubled. */
export function prepare(body: string, variables: Record<string, string>): string {
  let source = body.includes('\r') ? body.replace(/\r\n?/g, '\n') : body;
  if (/[\uE002\u{F0000}-\u{FFFFD}]/u.test(source)) source = source.replace(/[\uE002\u{F0000}-\u{FFFFD}]/gu, '');
  if (source.includes('{{')) source = replaceVariables(source, variables);
  if (/^[ \t>]*:::|\{#|\{\\?\/\*|<!--|\$/m.test(source)) source = prepareLines(source);
  return source;
}

/** Replaces `{{name}}` for defined names only. */
function replaceVariables(source: string, variables: Record<string, string>): string {
  return source.replace(/\{\{\s*([\w.-]+)\s*\}\}/g, (whole, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name] ?? whole) : whole,
  );
}

function prepareLines(source: string): string {
  let fence: RegExp | undefined;
  return source
    .split('\n')
    .map((line) => {
      if (fence) {
        if (fence.test(line)) fence = undefined;
        return line;
      }
      const [, before = '', marks] = /^([ \t>*+-]*(?:\d+[.)][ \t]+)?)(`{3,}(?=[^`]*$)|~{3,})/.exec(line) ?? [];
      if (marks) {
        // A fence that is indented further is code in this one.
        fence = new RegExp(`^[ \\t>]{0,${before.length + 3}}${marks}${marks.charAt(0)}*\\s*$`);
        return line;
      }
      return prepareLine(line);
    })
    .join('\n');
}

function prepareLine(given: string): string {
  const line = given.includes('$') ? doubleDollars(given) : given;
  if (line.includes('#') && /^[ \t>]*#{1,6}[ \t]/.test(line)) {
    // `\{#id}`, `{/* #id */}` and `<!-- #id -->` are other tools' spellings of `{#id}`.
    return line.replace(
      /[ \t]*(?:\\?\{\s*#([^\s{}]+)\s*\}|\{\/\*\s?#([^\s{}*]+)\s?\*\/\}|\{\/\*([\w-]+)\*\/\}|<!--\s*#([^\s>]+?)\s*-->)[ \t#]*$/,
      (_, a, b, c, d) => markId(a ?? b ?? c ?? d),
    );
  }
  // A heading ends paragraphs and lists without a blank line, so headings mark the first and last line of a container.
  const container = /^([ \t>]*):{3,}[ \t]*(?:([A-Za-z][\w-]*)(.*)|)$/.exec(line);
  if (container) {
    const [, indent = '', name, title = ''] = container;
    // MDX would read `{.class}` and `{icon="heart"}` as expressions.
    const bare = title.replace(/(?<![ \t])[ \t]*\{[ \t]*(?:[.#]|[\w-]+=)[^{}]*\}[ \t]*$/, '').trim();
    return `${indent}###### ${containerMark}${name ? `${name} ${bare}` : '/'}`;
  }
  return line;
}

/** Doubles the dollars of what is clearly a formula; prices and shell variables stay text. */
export function doubleDollars(line: string): string {
  if (line.includes('$$')) return line;
  return line.replace(
    /(?<![\w$\\`{"'=])\$(?![\s$])([^$\n`]{1,300}?)(?<![\s\\])\$(?![\w$`"'])|`+[^`]*`+/g,
    (whole, formula?: string) => (formula !== undefined && isFormula(formula) ? `$$${formula}$$` : whole),
  );
}

function isFormula(text: string): boolean {
  if (/^[A-Za-z]$/.test(text)) return true;
  if (/^[A-Z][A-Z0-9_]{2,}/.test(text) && !text.includes('\\')) return false;
  return /\\[A-Za-z]+|[\^_]|[A-Za-z0-9)]\s*[=<>+]\s*[A-Za-z0-9(\\-]/.test(text);
}
