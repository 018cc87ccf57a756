/** The value of a JSON text; undefined if the text is not JSON. */
export function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether an object in a JSON text has a key twice, of which `JSON.parse`, which gave the value, takes the last, and other parsers the first. */
export function hasRepeatedKey(text: string, value: unknown): boolean {
  return keysInText(text) !== keysInValue(value);
}

/** The strings that are followed by a colon. */
function keysInText(text: string): number {
  let keys = 0;
  for (let start = text.indexOf('"'); start >= 0;) {
    let end = text.indexOf('"', start + 1);
    while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
    for (end++; isSpace.has(text[end]);) end++;
    if (text[end] === ':') keys++;
    start = text.indexOf('"', end);
  }
  return keys;
}

const isSpace = new Set<string | undefined>([' ', '\t', '\n', '\r']);

/** Whether an odd number of backslashes is before the character. */
function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text[start - 1] === '\\') start--;
  return (at - start) % 2 === 1;
}

function keysInValue(value: unknown): number {
  let keys = 0;
  const waiting = [value];
  while (waiting.length > 0) {
    const one = waiting.pop();
    if (!isContainer(one)) continue;
    const values = Object.values(one);
    if (!Array.isArray(one)) keys += values.length;
    for (const inner of values) if (isContainer(inner)) waiting.push(inner);
  }
  return keys;
}

/** Whether a value is an object whose properties can be read. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is an object or a list, whose entries can be visited alike. */
export function isContainer(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The object itself; without properties if the value is not an object. */
export function objectOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

/** The list itself; empty if the value is not a list. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
