// Examples and defaults of schemas from which properties were removed: they have the values of these properties, or their names alone.
import { isRecord, listOf } from '../../integration/text/json.ts';
import { at, type Json } from './json.ts';

/** The properties that a schema had, or that it had any that no name tells apart: then all of its examples may have them. */
export type HiddenNames = Map<object, ReadonlySet<string> | 'all'>;

// What a schema, a media type, a parameter, a header or a message says of its value.
const values = ['default', 'example', 'examples', 'x-example', 'x-examples', 'const', 'enum'];

// Their keys are names that an author chose.
const maps = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'schemas', 'parameters', 'headers', 'messages']);

/** Removes from all examples, defaults and fixed values of a document what its schemas no longer describe. Changes it. */
export function removeFromExamples(document: Json, hidden: HiddenNames): void {
  const names = new Set([...hidden.values()].flatMap((some) => (some === 'all' ? [] : [...some])));
  const prune = createPruner(document, hidden, names);
  const seen = new Set<unknown>();
  const visit = (value: unknown, isMap = false): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if (isRecord(value) && !isMap) pruneValues(value);
    for (const [key, inside] of Object.entries(value)) visit(inside, !isMap && maps.has(key));
  };
  const pruneValues = (holder: Json): void => {
    const schemas = [holder, holder.schema, holder.payload, holder.headers];
    for (const key of values) {
      if (!Object.hasOwn(holder, key)) continue;
      const isHidden = prune(schemas, holder[key]);
      if (isHidden) delete holder[key];
    }
  };
  visit(document);
}

/** Removes hidden properties from a value; gives whether the value itself has to go, since it may have them in a form that is not read. */
function createPruner(document: Json, hidden: HiddenNames, names: ReadonlySet<string>) {
  const done = new WeakMap<object, Set<object>>();
  // An example may be the text of JSON, XML or a form.
  const isNamed = (text: string) => /[{<=:]/.test(text) && (text.match(/[\w$-]+/g) ?? []).some((word) => names.has(word));

  const prune = (schema: unknown, value: unknown): boolean => {
    if (typeof value === 'string') return isNamed(value);
    if (typeof value !== 'object' || value === null) return false;
    for (const one of [schema].flat()) if (isRecord(one) && pruneBy(one, value)) return true;
    return false;
  };

  const pruneBy = (schema: Json, value: object): boolean => {
    const before = done.get(value) ?? new Set();
    if (before.has(schema)) return false;
    done.set(value, before.add(schema));
    const own = hidden.get(schema);
    if (own === 'all') return true;
    const alike = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => listOf(schema[key]));
    const referred = typeof schema.$ref === 'string' ? at(document, schema.$ref) : undefined;
    if (prune([referred, schema.if, schema.then, schema.else, ...alike], value)) return true;
    const { $ref: reference } = value as Json;
    if (typeof reference === 'string' && prune(schema, at(document, reference))) return true;
    if (Array.isArray(value)) {
      // `examples` and `enum` are lists of values; an example of a list is one itself.
      const prefix = listOf(schema.prefixItems);
      const kept = value.filter((one, index) => !prune([schema, prefix[index], schema.items], one));
      if (kept.length < value.length) value.splice(0, value.length, ...kept);
      return false;
    }
    const properties = isRecord(schema.properties) ? schema.properties : {};
    const patterns = isRecord(schema.patternProperties) ? Object.values(schema.patternProperties) : [];
    for (const [name, inside] of Object.entries(value)) {
      // In a map of examples, each has its value in `value`; in a list of those of messages, in `payload` and `headers`.
      const within = [schema, schema.additionalProperties, ...patterns];
      if (own?.has(name) || prune(Object.hasOwn(properties, name) ? [properties[name]] : within, inside))
        Reflect.deleteProperty(value, name);
    }
    return false;
  };
  return prune;
}
