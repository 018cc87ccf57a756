// The objects of a document, and which of them are schemas.
import { isRecord } from '../../integration/text/json.ts';
import type { Json } from './json.ts';
import { keywordsOf, schemaLists } from './references.ts';

export interface Container {
  value: Json;
  path: string[];
  isSchema: boolean;
}

/** All objects of a document that are not data, with the schemas among them. */
export function* containersOf(document: Json): Generator<Container> {
  const { data, nameMaps, schemas } = keywordsOf(document);
  const open: { value: unknown; path: string[]; is: 'schema' | 'names' | 'other'; names?: string }[] = [
    { value: document, path: [], is: 'other' },
  ];
  for (let one = open.pop(); one; one = open.pop()) {
    const { value, path, is, names } = one;
    if (typeof value !== 'object' || value === null || (isRecord(value) && typeof value.$ref === 'string' && is !== 'names'))
      continue;
    if (isRecord(value) && is !== 'names') yield { value, path, isSchema: is === 'schema' };
    const inside = Object.entries(value).flatMap(([key, child]): typeof open => {
      const at = { value: child as unknown, path: [...path, key] };
      if (is === 'names') return [{ ...at, is: names === 'schemas' ? 'schema' : 'other' }];
      if (Array.isArray(value)) return [{ ...at, is }];
      if (data.has(key) || (is === 'schema' && key === 'examples')) return [];
      if (nameMaps.has(key) && isRecord(child)) return [{ ...at, is: 'names', names: nameMaps.get(key) }];
      return [{ ...at, is: schemas.has(key) || schemaLists.has(key) ? 'schema' : 'other' }];
    });
    open.push(...inside.reverse());
  }
}
