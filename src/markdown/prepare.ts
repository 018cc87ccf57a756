// What is decided on the source before it is parsed, because the parser could not read it or would read it wrongly.
// Every change stays within its line, so that positions keep naming lines of the file.

/** First character of a line that opens or closes a container; from Unicode's private use area, so nobody writes it. */
export const containerMark = '\uE002';
/** An id's characters are moved to a private plane, where no parser sees markup in them. */
const idPlane = 0xf0000;
const idPattern = /\s*([\u{F0000}-\u{FFFFD}]+)\s*$/u;

/** Text without the id that was written at its end as `{#id}`, and the id. */
export function takeId(text: string): { text: string; id?: string } {
  const match = idPattern.exec(text);
  if (!match) return { text };
  const id = String.fromCodePoint(...Array.from(match[1]!, (character) => character.codePointAt(0)! - idPlane));
  return { text: text.slice(0, match.index), id };
}

/** Prepared source, or a piece of it, as readers may see it. */
export function withoutMarks(source: string): string {
  return source.replace(/[ \t]*[\u{F0000}-\u{FFFFD}]+|(?:###### )?\uE002[^\n]*\n?/gu, '');
}

function markId(id: string): string {
  return ` ${Array.from(id, (character) => (character.codePointAt(0)! < 0xfffe ? String.fromCodePoint(idPlane + character.codePointAt(0)!) : '')).join('')}`;
}

/** Source with variables replaced, `{#id}` of headings and `:::` lines marked, and single-dollar formulas doubled. */
export function prepare(body: string, variables: Record<string, string>): string {
  let source = body.includes('\r') ? body.replace(/\r\n?/g, '\n') : body;
  if (/[\uE002\u{F0000}-\u{FFFFD}]/u.test(source)) source = source.replace(/[\uE002\u{F0000}-\u{FFFFD}]/gu, '');
  if (source.includes('{{')) source = replaceVariables(source, variables);
  if (/^[ \t>]*:::|\{#|\{\\?\/\*|<!--|\$/m.test(source)) source = prepareLines(source);
  return source;
}

/** Replaces `{{name}}` for defined names; all others stay as they are. */
function replaceVariables(source: string, variables: Record<string, string>): string {
  return source.replace(/\{\{\s*([\w.-]+)\s*\}\}/g, (whole, name: string) =>
    Object.hasOwn(variables, name) ? variables[name]! : whole,
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
      const open = /^[ \t>*+-]*(?:\d+[.)][ \t]+)?(`{3,}(?=[^`]*$)|~{3,})/.exec(line);
      if (open) {
        fence = new RegExp(`^[ \\t>]*${open[1]}${open[1]![0]}*\\s*$`);
        return line;
      }
      return prepareLine(line);
    })
    .join('\n');
}

function prepareLine(line: string): string {
  if (line.includes('#') && /^[ \t>]*#{1,6}[ \t]/.test(line)) {
    // `\{#id}`, `{/* #id */}` and `<!-- #id -->` are other tools' spellings of `{#id}`.
    return line.replace(
      /[ \t]*(?:\\?\{\s*#([^\s{}]+)\s*\}|\{\/\*\s?#([^\s{}*]+)\s?\*\/\}|\{\/\*([\w-]+)\*\/\}|<!--\s*#([^\s>]+?)\s*-->)[ \t#]*$/,
      (_, a, b, c, d) => markId(a ?? b ?? c ?? d),
    );
  }
  // A heading ends paragraphs and lists without a blank line, so it serves as the mark of a container's first and last line.
  const container = /^([ \t>]*)(:{3,})[ \t]*(?:([A-Za-z][\w-]*)(.*)|)$/.exec(line);
  if (container) return `${container[1]}###### ${containerMark}${container[3] ? `${container[3]} ${container[4]!.trim()}` : '/'}`;
  if (line.includes('$')) return doubleDollars(line);
  return line;
}

/** Doubles the dollars of what clearly is a formula; prices and shell variables stay text. */
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
