// Values of a specification, which can be anything.
import { isRecord } from '../../integration/text/json.ts';

export type Json = Record<string, unknown>;

export function objects(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function string(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** A value as one line of text: text itself, everything else as JSON. */
export function literal(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** What a value refers to, with the name of the last reference: `User` of `#/components/schemas/User`. Undefined where a reference is broken. */
export function resolve(document: Json, value: unknown): { value: Json; name?: string; reference?: string } | undefined {
  let found: unknown = value;
  let reference: string | undefined;
  for (let step = 0; step < 100; step++) {
    if (!isRecord(found)) return undefined;
    if (typeof found.$ref !== 'string') {
      const name = reference === undefined ? undefined : decodeSegment(reference.slice(reference.lastIndexOf('/') + 1));
      return { value: found, ...(name !== undefined && { name, reference }) };
    }
    const { $ref, ...beside } = found;
    reference = $ref;
    const target = at(document, reference);
    // What stands beside a reference adds to what it refers to, such as a description.
    found = isRecord(target) && Object.keys(beside).length > 0 ? { ...target, ...beside } : target;
  }
  return undefined;
}

/** The same value alone; an empty object where a reference is broken. */
export function resolved(document: Json, value: unknown): Json {
  return resolve(document, value)?.value ?? {};
}

/** The value at a reference within a document: `#/components/schemas/User`. References on the way are followed. */
export function at(document: unknown, reference: string, followed = 0): unknown {
  if (!reference.startsWith('#/')) return reference === '#' ? document : undefined;
  let found: unknown = document;
  for (const segment of reference.slice(2).split('/')) {
    const key = decodeSegment(segment);
    if (isRecord(found) && !Object.hasOwn(found, key) && typeof found.$ref === 'string' && followed < 100)
      found = at(document, found.$ref, followed + 1);
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Json)[key];
  }
  return found;
}

/** A key in a JSON pointer: `a/b` of `a~1b`. */
export function decodeSegment(segment: string): string {
  const plain = segment.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

/** `#/paths/~1users/get` */
export function pointerOf(path: readonly string[]): string {
  return `#/${path.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
}
