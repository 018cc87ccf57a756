// Checks a value against a schema, as far as a reader needs it before sending a request.
import { isRecord } from '../../text/json.ts';
import type { Schema } from './operation.ts';
import type { Fault, Text } from './texts.ts';

const mostFaults = 20;

/** The first faults of a value; none for what the schema does not describe. */
export function checkValue(schema: Schema, value: unknown, path = ''): Fault[] {
  const fault = (...text: Text): Fault[] => [{ path, text }];
  const types = [schema.type ?? []].flat();
  if (types.length > 0 && !types.some((type) => isOfType(type, value))) return fault('faultType', { type: types.join(' | ') });
  if (schema.enum && !schema.enum.some((option) => isSame(option, value)))
    return fault('faultOption', { options: schema.enum.slice(0, 20).map(shown).join(', ') });
  if (schema.const !== undefined && !isSame(schema.const, value)) return fault('faultConstant', { value: shown(schema.const) });
  return [
    ...checkSize(schema, value).flatMap((text) => fault(...text)),
    ...checkParts(schema, value, path),
    ...(schema.allOf ?? []).flatMap((part) => checkValue(part, value, path)),
    ...checkAlternatives(schema.oneOf, value, path),
    ...checkAlternatives(schema.anyOf, value, path),
  ].slice(0, mostFaults);
}

function checkSize(schema: Schema, value: unknown): Text[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength, minItems, maxItems } = schema;
  const limited = (name: Text[0], limit: number | undefined, isBroken: (limit: number) => boolean): Text[] =>
    limit !== undefined && isBroken(limit) ? [[name, { limit }]] : [];
  if (typeof value === 'number')
    return [
      ...limited('faultMinimum', minimum, (limit) => value < limit),
      ...limited('faultMaximum', maximum, (limit) => value > limit),
      ...limited('faultAbove', exclusiveMinimum, (limit) => value <= limit),
      ...limited('faultBelow', exclusiveMaximum, (limit) => value >= limit),
    ];
  if (typeof value === 'string') {
    // JSON Schema counts code points.
    const { length } = Array.from(value);
    return [
      ...limited('faultShort', minLength, (limit) => length < limit),
      ...limited('faultLong', maxLength, (limit) => length > limit),
    ];
  }
  if (!Array.isArray(value)) return [];
  return [
    ...limited('faultFew', minItems, (limit) => value.length < limit),
    ...limited('faultMany', maxItems, (limit) => value.length > limit),
  ];
}

function checkParts({ required, properties, additionalProperties, items }: Schema, value: unknown, path: string): Fault[] {
  if (Array.isArray(value))
    return items ? value.slice(0, 1000).flatMap((item, index) => checkValue(items, item, `${path}[${index}]`)) : [];
  if (!isRecord(value)) return [];
  const below = (name: string) => (path === '' ? name : `${path}.${name}`);
  const fault = (name: string, text: Text[0]): Fault[] => [{ path: below(name), text: [text] }];
  const known = new Map(Object.entries(properties ?? {}));
  return [
    ...(required ?? []).flatMap((name) => (Object.hasOwn(value, name) ? [] : fault(name, 'faultRequired'))),
    ...Object.entries(value).flatMap(([name, part]) => {
      const schema = known.get(name);
      if (schema) return checkValue(schema, part, below(name));
      if (additionalProperties === false) return fault(name, 'faultUnknown');
      return typeof additionalProperties === 'object' ? checkValue(additionalProperties, part, below(name)) : [];
    }),
  ];
}

/** The faults of the alternative that fits best. */
function checkAlternatives(alternatives: Schema[] | undefined, value: unknown, path: string): Fault[] {
  if (!alternatives || alternatives.length === 0) return [];
  const [best = []] = alternatives
    .map((schema) => checkValue(schema, value, path))
    .sort((one, other) => one.length - other.length);
  return best;
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isRecord(value);
  if (type === 'integer') return typeof value === 'number' && Number.isInteger(value);
  return !['string', 'number', 'boolean'].includes(type) || typeof value === type;
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
