import { expect, test } from 'vitest';
import { english } from '../../../integration/texts/index.ts';
import type { MarkdownNode } from '../../../src/markdown/tree.ts';
import { isRecord } from '../../../integration/text/json.ts';
import type { Json } from '../../../src/openapi/json.ts';
import { operationNodes } from '../../../src/openapi/operation-nodes.ts';
import { operationsOf } from '../../../src/openapi/operations.ts';
import { randomNumbers } from '../../support/generated-pages.ts';

/** Schemas of all forms that refer to each other, as often as not in circles, with names that occur once. */
function randomSchemas(seed: number): Record<string, unknown> {
  const random = randomNumbers(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  let names = 0;
  const count = 1 + below(6);
  const reference = (): Json => ({ $ref: `#/components/schemas/S${below(count + 1)}` });
  const schema = (depth: number): unknown => {
    const inner = () => (depth <= 0 || below(4) === 0 ? reference() : schema(depth - 1));
    const list = () => Array.from({ length: 1 + below(3) }, inner);
    const forms: (() => unknown)[] = [
      () => ({ type: ['string', 'integer', ['number', 'null'], 'nonsense', 7][below(5)], enum: [1, null, 'x'], default: {} }),
      () => {
        const own = Array.from({ length: 1 + below(4) }, () => `field${(names += 1)}`);
        return {
          ...(below(3) > 0 && { type: 'object' }),
          required: below(8) === 0 ? 'all' : own.filter(() => below(2) === 0),
          properties: Object.fromEntries(own.map((name) => [name, inner()])),
        };
      },
      () => ({ type: 'array', items: inner() }),
      () => ({ allOf: list() }),
      () => ({ oneOf: list(), discriminator: { propertyName: 'kind', mapping: { a: '#/components/schemas/S0', b: 3 } } }),
      () => ({ anyOf: list(), properties: { [`field${(names += 1)}`]: inner() } }),
      () => ({ type: 'object', additionalProperties: inner() }),
      () => ({ prefixItems: list() }),
      () => ({ type: 'object', patternProperties: { '^x-': inner() } }),
      () => [true, false, null, 'text', [], {}, { $ref: 7 }, { allOf: 'x', oneOf: {}, properties: [] }][below(8)],
    ];
    return forms[below(forms.length)]!();
  };
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`S${index}`, schema(3)]));
}

/** The names of required properties that a reader can come to. */
function requiredNames(given: unknown, schemas: Json, names = new Set<string>(), seen = new Set<unknown>()): Set<string> {
  if (!isRecord(given) || seen.has(given)) return names;
  seen.add(given);
  if (typeof given.$ref === 'string') return requiredNames(schemas[given.$ref.split('/').at(-1)!], schemas, names, seen);
  const properties = isRecord(given.properties) ? given.properties : {};
  for (const name of Array.isArray(given.required) ? given.required : []) if (name in properties) names.add(String(name));
  const { items, additionalProperties, patternProperties, allOf, oneOf, anyOf, prefixItems } = given;
  const lists = [allOf, oneOf, anyOf, prefixItems].flatMap((some) => (Array.isArray(some) ? some : []));
  const maps = isRecord(patternProperties) ? Object.values(patternProperties) : [];
  for (const inner of [...Object.values(properties), ...maps, ...lists, items, additionalProperties])
    requiredNames(inner, schemas, names, seen);
  return names;
}

function shownNames(nodes: readonly MarkdownNode[], names = new Set<string>()): Set<string> {
  for (const { props, children } of nodes) {
    const name = props?.body ?? props?.name;
    if (props?.required === true && typeof name === 'string') names.add(name);
    if (children) shownNames(children, names);
  }
  return names;
}

test('2,000 random schemas are shown without an error or a loop, with each required field', () => {
  let required = 0;
  for (let seed = 1; seed <= 2000; seed++) {
    const schemas = randomSchemas(seed);
    const schema = { $ref: '#/components/schemas/S0' };
    const content = { 'application/json': { schema } };
    const document = { openapi: '3.1.0', paths: { '/a': { post: { requestBody: { content } } } }, components: { schemas } };
    const nodes = operationNodes(document, operationsOf({ document })[0]!, english.reference);
    const shown = shownNames(nodes);
    const expected = [...requiredNames(schema, schemas)];
    required += expected.length;
    expect(
      expected.filter((name) => !shown.has(name)),
      `${seed}: ${JSON.stringify(schemas)}`,
    ).toEqual([]);
  }
  expect(required).toBeGreaterThan(2000);
});
