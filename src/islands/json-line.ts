/** A value as one line of JSON; `readline` ends lines at two signs that JSON leaves as they are, too. */
export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`;
}
