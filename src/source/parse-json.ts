import { ExportError } from '../../integration/errors.ts';

/** Reads JSON. Throws `ConfigNotJson`, naming file, line and column. */
export function parseJson(text: string, file: string): unknown {
  const json = text.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(json);
  } catch (cause) {
    const offset = firstFault(json);
    const before = json.slice(0, offset).split('\n');
    const found = offset < json.length ? `"${json[offset]}" cannot stand there` : 'the file ends too soon';
    throw new ExportError(
      'ConfigNotJson',
      `${file} is not valid JSON at line ${before.length}, column ${before.at(-1)!.length + 1}: ${found}.`,
      'Look there and right before for a comma, a quote or a bracket that is missing or too many.',
      { cause },
    );
  }
}

const scalar = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-f]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null/iuy;
const string = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-f]{4}))*"/iuy;

/** Offset of the first character that is not valid JSON. The parser's own message names it for some errors only. */
function firstFault(json: string): number {
  let at = 0;
  value();
  space();
  return at;

  function space(): string | undefined {
    while (' \n\r\t'.includes(json[at] ?? 'x')) at++;
    return json[at];
  }

  function token(pattern: RegExp): boolean {
    pattern.lastIndex = at;
    const match = pattern.exec(json);
    if (match) at += match[0].length;
    return match !== null;
  }

  function mark(one: string): boolean {
    if (space() !== one) return false;
    at++;
    return true;
  }

  function value(): boolean {
    if (mark('{')) return list('}', () => (space(), token(string)) && mark(':') && value());
    if (mark('[')) return list(']', value);
    return token(scalar);
  }

  function list(end: string, item: () => boolean): boolean {
    if (mark(end)) return true;
    do {
      if (!item()) return false;
    } while (mark(','));
    return mark(end);
  }
}
