/** The value of a JSON text; undefined if the text is not JSON. */
export function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
