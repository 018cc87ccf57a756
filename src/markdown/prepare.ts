// What is decided on the source before it is parsed, because the parser could not read it or would read it wrongly.
// Every change stays within its line, so that positions keep naming lines of the file.

/** Marks in prepared source, from Unicode's private use area: no keyboard writes them and both parsers leave them alone. */
export const marks = { id: '\uE000', idEnd: '\uE001', container: '\uE002' } as const;

/** Source with variables replaced, `{#id}` of headings and `:::` lines marked, and single-dollar formulas doubled. */
export function prepare(body: string, variables: Record<string, string>): string {
  let source = body.includes('\r') ? body.replace(/\r\n?/g, '\n') : body;
  if (/[\uE000-\uE002]/.test(source)) source = source.replace(/[\uE000-\uE002]/g, '');
  if (source.includes('{{')) source = replaceVariables(source, variables);
  if (/^[ \t>]*:::|\{#|\{\\?\/\*|<!--|\$/m.test(source)) source = prepareLines(source);
  return source;
}

/** Replaces `{{name}}` for defined names; all others stay as they are. */
export function replaceVariables(source: string, variables: Record<string, string>): string {
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
      (_, a, b, c, d) => `${marks.id}${a ?? b ?? c ?? d}${marks.idEnd}`,
    );
  }
  // A heading ends paragraphs and lists without a blank line, so it serves as the mark of a container's first and last line.
  const container = /^([ \t>]*)(:{3,})[ \t]*(?:([A-Za-z][\w-]*)(.*)|)$/.exec(line);
  if (container)
    return `${container[1]}###### ${marks.container}${container[3] ? `${container[3]} ${container[4]!.trim()}` : '/'}`;
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
