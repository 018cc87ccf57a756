// Schemas that only some readers may see: `x-mint.groups` on a property, a variant, a parameter, an example. Pages of operations and channels are
// limited as all pages are.
import { isRecord, listOf } from '../../integration/text/json.ts';
import { readersIn, type MayRead } from '../source/readers.ts';
import { at, type Json } from './json.ts';
import { removeFromExamples, type HiddenNames } from './limited-examples.ts';

/** Removes from a document what these readers may not see, and gives whether it had any of it, operations and channels included. Changes it. */
export function removeLimited(document: Json, mayRead: MayRead): boolean {
  inheritFromPaths(document);
  const isLimited = (value: unknown): boolean => isRecord(value) && !mayRead(readersOf(value));
  if (!holdsLimited(document, isLimited)) return false;
  const limited = new Map<string, Json>();
  for (const [kind, named] of Object.entries(isRecord(document.components) ? document.components : {}))
    for (const [name, value] of Object.entries(isRecord(named) ? named : {}))
      if (isLimited(value)) limited.set(`#/components/${escaped(kind)}/${escaped(name)}`, value as Json);
  const isHidden = (value: unknown): boolean =>
    isLimited(value) || (isRecord(value) && typeof value.$ref === 'string' && limited.has(value.$ref));
  const hidden: HiddenNames = new Map();
  const namesIn = (schema: unknown): string[] => propertyNames(document, limited, schema);
  const seen = new Set<object>([document]);
  const visit = (value: object, isPageLevel: boolean): void => {
    if (seen.has(value) && value !== document) return;
    seen.add(value);
    if (!isPageLevel) removeFrom(value, { isHidden, namesIn, hidden });
    for (const [key, inside] of Object.entries(value))
      if (typeof inside === 'object' && inside !== null) visit(inside, holdsPages(value, key, document));
  };
  visit(document, true);
  if (hidden.size > 0) removeFromExamples(document, hidden);
  return true;
}

function holdsLimited(document: Json, isLimited: (value: unknown) => boolean): boolean {
  const seen = new Set<object>([document]);
  for (const value of seen)
    for (const inside of Object.values(value)) {
      if (isLimited(inside)) return true;
      if (typeof inside === 'object' && inside !== null) seen.add(inside);
    }
  return false;
}

/** Whether the entries below a key are what pages describe: the methods of a path, webhooks, channels. */
function holdsPages(parent: object, key: string, document: Json): boolean {
  const isTop = parent === document && ['paths', 'webhooks', 'channels', 'operations'].includes(key);
  return isTop || parent === document.paths || parent === document.webhooks;
}

interface Removing {
  isHidden: (one: unknown) => boolean;
  namesIn: (schema: unknown) => string[];
  hidden: HiddenNames;
}

// Without these, nothing says which parts of the value are for whom.
const wholes = ['schema', 'payload', 'headers', 'items', 'additionalProperties', 'not', 'contains'];
const variants = ['oneOf', 'anyOf', 'allOf', 'prefixItems', 'if', 'then', 'else'];

function removeFrom(value: object, { isHidden, namesIn, hidden }: Removing): void {
  if (Array.isArray(value)) {
    const kept = value.filter((one) => !isHidden(one));
    if (kept.length < value.length) value.splice(0, value.length, ...kept);
    return;
  }
  const container = value as Json;
  const properties = isRecord(container.properties) ? container.properties : {};
  const patterns = isRecord(container.patternProperties) ? container.patternProperties : {};
  const isWhole = wholes.some((key) => isHidden(container[key])) || Object.values(patterns).some(isHidden);
  const names = Object.keys(properties).filter((name) => isHidden(properties[name]));
  if (Array.isArray(container.required)) container.required = container.required.filter((name) => !names.includes(String(name)));
  const ofVariants = variants.flatMap((key) => [container[key]].flat().filter(isHidden).flatMap(namesIn));
  const shown = new Set(Object.keys(properties).filter((name) => !names.includes(name)));
  const all = [...names, ...ofVariants.filter((name) => !shown.has(name))];
  if (isWhole) hidden.set(container, 'all');
  else if (all.length > 0) hidden.set(container, new Set(all));
  for (const [key, one] of Object.entries(container)) if (isHidden(one)) delete container[key];
}

/** The names of the properties of a schema that is removed, with those of the schemas that it consists of. */
function propertyNames(document: Json, limited: ReadonlyMap<string, Json>, schema: unknown, seen = new Set<unknown>()): string[] {
  if (!isRecord(schema) || seen.has(schema)) return [];
  seen.add(schema);
  const { $ref: reference } = schema;
  const referred = typeof reference === 'string' ? (limited.get(reference) ?? at(document, reference)) : undefined;
  const parts = [referred, ...['allOf', 'anyOf', 'oneOf'].flatMap((key) => listOf(schema[key]))];
  const own = isRecord(schema.properties) ? Object.keys(schema.properties) : [];
  return [...own, ...parts.flatMap((part) => propertyNames(document, limited, part, seen))];
}

/** Operations of a limited path are limited like it. */
function inheritFromPaths(document: Json): void {
  for (const items of [document.paths, document.webhooks])
    for (const item of Object.values(isRecord(items) ? items : {})) {
      const groups = isRecord(item) ? readersOf(item) : [];
      if (groups.length === 0) continue;
      for (const operation of Object.values(item as Json))
        if (isRecord(operation) && readersOf(operation).length === 0)
          operation['x-mint'] = { ...(isRecord(operation['x-mint']) && operation['x-mint']), groups };
    }
}

function readersOf(value: Json): string[] {
  const mint = value['x-mint'];
  return isRecord(mint) ? readersIn(mint.groups) : [];
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
