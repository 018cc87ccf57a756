// A schema as fields that a reader can open: properties, alternatives, items and maps, with their limits.
import { shortened } from '../../integration/text/beginning.ts';
import type { ReferenceLabels } from '../../integration/texts/index.ts';
import { isContainer, listOf, objectOf } from '../../integration/text/json.ts';
import { fieldAnchor } from '../markdown/components/field.ts';
import type { ComponentNode, MarkdownNode, Props } from '../markdown/tree.ts';
import { around, bulletList, code, codes, component, filled, markdown, paragraph, text } from './nodes.ts';
import { decodeSegment, literal, resolve, string, type Json } from './json.ts';
import { discriminatorValues } from './variants.ts';

/** Where a schema is shown. */
export interface SchemaContext {
  document: Json;
  /** In the page's language. */
  labels: ReferenceLabels;
  /** Whether it is sent, received or either: properties that are only read are not sent. */
  direction: 'request' | 'response' | 'either';
  /** What the page may still show, shared by all its schemas. */
  budget: Budget;
  /** Fields whose schemas have many fields within, by schema: where the same schema comes again, the page refers to the first. */
  firstFields: Map<string, { name: string; anchor: string }>;
  /** Schemas around this one, which would contain themselves. */
  around: readonly unknown[];
  /** Start of its fields' anchors. */
  anchor: string;
}

/** The limits of a page. Beyond them, a schema that the page has shown is not shown again, so that each required field is there once. */
interface Budget {
  fields: number;
  /** How many times a schema can be shown again. */
  repeats: number;
  /** The schemas that are shown, by direction. */
  shown: Record<SchemaContext['direction'], Set<unknown>>;
}

const mostFields = 1500;
const mostRepeats = 5000;

/** For the schemas of a page, each of which sets its direction and its anchor. */
export function createContext(document: Json, labels: ReferenceLabels): SchemaContext {
  const shown = { request: new Set(), response: new Set(), either: new Set() };
  const budget = { fields: mostFields, repeats: mostRepeats, shown };
  return { document, labels, direction: 'either', budget, firstFields: new Map(), around: [], anchor: '' };
}

/** Fields further inside are shown by their type alone. */
const deepest = 12;

/** A schema after its references, with what it is composed of in one object. */
export interface Shape {
  schema: Json;
  name?: string;
  /** What identifies it among the schemas around it. */
  identity: unknown;
}

const shapes = new WeakMap<Json, WeakMap<object, Shape>>();

/** Undefined where a reference is broken. The same object for the same schema of a document. */
export function shapeOf(document: Json, given: unknown): Shape | undefined {
  if (!isContainer(given)) return composed(document, given, new Set());
  let known = shapes.get(document);
  if (!known) shapes.set(document, (known = new WeakMap()));
  let shape = known.get(given);
  if (!shape) {
    shape = composed(document, given, new Set());
    if (shape) known.set(given, shape);
  }
  return shape;
}

/** `taken` has the schemas that the `allOf` has taken in: once is enough, and one that contains itself has an end. */
function composed(document: Json, given: unknown, taken: Set<unknown>): Shape | undefined {
  if (given === true) return { schema: {}, identity: given };
  const found = resolve(document, given);
  if (!found) return undefined;
  const { value, name, reference } = found;
  const identity = reference ?? value;
  const parts: unknown[] = Array.isArray(value.allOf) ? value.allOf : [];
  if (parts.length === 0) return { schema: value, name, identity };
  const { allOf: _, ...own } = value;
  taken.add(identity);
  const shapes = parts.flatMap((part) => {
    const key = resolve(document, part)?.reference ?? part;
    if (taken.has(key)) return [];
    taken.add(key);
    return composed(document, part, taken) ?? [];
  });
  const only = shapes.length === 1 && own.properties === undefined ? shapes[0]!.name : undefined;
  return { schema: [...shapes.map(({ schema }) => schema), own].reduce(merged, {}), name: name ?? only, identity };
}

/** Two parts of an `allOf`: what both require, with all that is in either. */
function merged(a: Json, b: Json): Json {
  const required = [...listOf(a.required), ...listOf(b.required)];
  const result: Json = { ...a, ...b };
  for (const key of ['properties', 'patternProperties']) {
    const own = objectOf(a[key]);
    const all = { ...own };
    for (const [name, value] of Object.entries(objectOf(b[key]))) all[name] = name in own ? both(own[name], value) : value;
    if (Object.keys(all).length > 0) result[key] = all;
  }
  for (const key of ['items', 'additionalProperties'])
    if (isContainer(a[key])) result[key] = isContainer(b[key]) ? both(a[key], b[key]) : a[key];
  const items = listOf(b.prefixItems);
  if (items.length > 0) {
    const own = listOf(a.prefixItems);
    result.prefixItems = [...items.map((item, i) => (i in own ? both(own[i], item) : item)), ...own.slice(items.length)];
  }
  const alternatives = [a, b].flatMap(alternativesOf);
  for (const key of ['oneOf', 'anyOf', allAlternatives]) delete result[key];
  const [only] = alternatives;
  if (alternatives.length === 1) result.oneOf = only;
  else if (only) result[allAlternatives] = alternatives;
  if (required.length > 0) result.required = [...new Set(required)];
  if ((a.description ?? b.description) !== undefined) result.description = b.description ?? a.description;
  return result;
}

const pairs = new WeakMap<object, WeakMap<object, unknown>>();

/** Both schemas at once; the same object for the same two, which is how a schema is found that contains itself. */
function both(a: unknown, b: unknown): unknown {
  if (!isContainer(a) || !isContainer(b) || a === b || (a.$ref !== undefined && a.$ref === b.$ref)) return isContainer(b) ? b : a;
  let known = pairs.get(a);
  if (!known) pairs.set(a, (known = new WeakMap()));
  if (!known.has(b)) known.set(b, { allOf: [a, b] });
  return known.get(b);
}

/** Key of several lists of alternatives, each of which applies. */
const allAlternatives = 'x-carrel-alternatives';

/** The lists of alternatives of a schema: a value fits one of each. */
function alternativesOf(schema: Json): unknown[][] {
  const merged = listOf(schema[allAlternatives]).map(listOf);
  return [...merged, listOf(schema.oneOf), listOf(schema.anyOf)].filter((some) => some.length > 0);
}

/** The fields of an object, or the schema as one field without a name. */
export function schemaNodes(given: unknown, context: SchemaContext): MarkdownNode[] {
  const shape = shapeOf(context.document, given);
  if (!shape) return [];
  if (context.around.includes(shape.identity)) return [];
  const { schema } = shape;
  const nodes = membersOf(shape, context);
  if (nodes.length > 0) return nodes;
  const rules = ruleNodes(schema, context.labels);
  return [...markdown(schema.description), ...rules];
}

/** Whether the page shows what a schema consists of. */
function isShown({ identity }: Shape, { around, budget, direction }: SchemaContext): boolean {
  if (around.includes(identity) || around.length >= deepest * 2 || budget.fields < -mostFields) return false;
  return (budget.fields > 0 && budget.repeats > 0) || !budget.shown[direction].has(identity);
}

/** What a schema consists of, if the page shows it. */
function membersOf(shape: Shape, context: SchemaContext): MarkdownNode[] {
  if (!isShown(shape, context)) return [];
  const shown = context.budget.shown[context.direction];
  if (shown.has(shape.identity)) context.budget.repeats--;
  shown.add(shape.identity);
  return members(shape.schema, { ...context, around: [...context.around, shape.identity] });
}

/** What a schema consists of: its properties, alternatives, items, and what a text contains. */
function members(schema: Json, context: SchemaContext): MarkdownNode[] {
  const required = new Set(listOf(schema.required));
  const discriminator = objectOf(schema.discriminator);
  const some = alternativesOf(schema);
  const optional = (name: string, given: unknown) => fieldNode(name, given, { required: false }, context) ?? [];
  const { additionalProperties: more } = schema;
  return [
    ...Object.entries(objectOf(schema.properties)).flatMap(([name, property]) => {
      // Beyond the limit of the page, only what must be sent is named, and that with a limit, too.
      if (context.budget.fields < (required.has(name) ? -mostFields : 0)) return [];
      const mapping = some.length === 0 && discriminator.propertyName === name ? objectOf(discriminator.mapping) : {};
      return fieldNode(name, property, { required: required.has(name), mapping }, context) ?? [];
    }),
    ...Object.entries(objectOf(schema.patternProperties)).flatMap(([pattern, property]) => optional(`/${pattern}/`, property)),
    ...(isContainer(more) && Object.keys(more).length > 0
      ? [optional(string(more['x-additionalPropertiesName']) ?? '{key}', more)].flat()
      : []),
    ...some.flatMap((given) => alternatives(given, schema, context)),
    ...listOf(schema.prefixItems).flatMap((item, index) => optional(`[${index}]`, item)),
    ...[schema.items, schema.contentSchema].flatMap((inner) => {
      const shape = isContainer(inner) ? shapeOf(context.document, inner) : undefined;
      return shape ? membersOf(shape, context) : [];
    }),
  ];
}

/** Of `base`, whose own fields are there already. */
function alternatives(given: readonly unknown[], base: Json, context: SchemaContext): MarkdownNode[] {
  const discriminator = objectOf(base.discriminator);
  const shapes = given.flatMap((one) => shapeOf(context.document, one) ?? []).filter(({ schema: { type } }) => type !== 'null');
  const [only] = shapes;
  if (shapes.length === 1 && only) return membersOf(only, context);
  const tabs = shapes.flatMap((shape, index): ComponentNode[] => {
    if (context.budget.fields <= 0 && !isShown(shape, context)) return [];
    context.budget.fields--;
    const chosenBy = discriminatorNodes(shape, discriminator);
    const own = withoutFieldsOf(base, shape, chosenBy.length > 0 ? discriminator.propertyName : undefined);
    const found = membersOf(own, { ...context, anchor: `${context.anchor}-${index + 1}` });
    const description = string(shape.schema.description);
    const title = titleOf(shape, context.document);
    const content = [
      ...chosenBy,
      ...markdown(description),
      ...(found.length > 0 || own !== shape
        ? found
        : [
            paragraph([text(`${context.labels.type}: `), code(typeOf(shape, context.document))]),
            ...ruleNodes(shape.schema, context.labels),
          ]),
    ];
    return [component('Tab', { title }, content)];
  });
  if (
    discriminator.propertyName === undefined &&
    tabs.every(({ children }) => children.every(({ type }) => type === 'paragraph'))
  )
    return [];
  const isCut = tabs.length < shapes.length;
  return [component('Tabs', { sync: false }, tabs), ...(isCut ? [paragraph([text(context.labels.moreAlternatives)])] : [])];
}

/** An alternative without the fields that its base shows, unless it changes or requires them. `chosenBy` is the discriminator's property. */
function withoutFieldsOf(base: Json, shape: Shape, chosenBy: unknown): Shape {
  const shown = objectOf(base.properties);
  const required = new Set(listOf(base.required));
  const requires = new Set(listOf(shape.schema.required).filter((name) => !required.has(name)));
  const fields = Object.entries(objectOf(shape.schema.properties));
  const own = fields.filter(
    ([name, field]) => !(name in shown && (name === chosenBy || (field === shown[name] && !requires.has(name)))),
  );
  return own.length === fields.length ? shape : { ...shape, schema: { ...shape.schema, properties: Object.fromEntries(own) } };
}

/** The values by which a schema is chosen: '`kind`: `cat`, `kitten`'. */
function discriminatorNodes({ name, identity }: Shape, { propertyName, mapping }: Json): MarkdownNode[] {
  const property = string(propertyName);
  if (property === undefined || name === undefined) return [];
  const values = discriminatorValues({ name, reference: identity }, mapping);
  return [paragraph([code(property), text(': '), ...codes(values)])];
}

function titleOf({ schema, name }: Shape, document: Json): string {
  return string(schema.title) ?? name ?? typeOf({ schema, identity: schema }, document);
}

export interface FieldFacts {
  required: boolean;
  location?: 'path' | 'query' | 'header' | 'cookie' | 'body';
  description?: string;
  deprecated?: boolean;
  example?: unknown;
  /** The schemas that its values choose, as in a discriminator. */
  mapping?: Json;
}

/** A field with all that is within it; undefined when it is not part of this direction. */
export function fieldNode(name: string, given: unknown, facts: FieldFacts, context: SchemaContext): ComponentNode | undefined {
  const shape = shapeOf(context.document, given) ?? { schema: {}, identity: given };
  const { schema } = shape;
  const { direction, labels } = context;
  if (direction === 'request' && schema.readOnly === true) return undefined;
  if (direction === 'response' && schema.writeOnly === true) return undefined;
  const mint = objectOf(schema['x-mint']);
  const anchor = context.anchor ? `${context.anchor}-${name}` : name;
  const description = facts.description ?? string(schema.description);
  const isRecursive = context.around.includes(shape.identity);
  const isCut = !isRecursive && !isShown(shape, context);
  context.budget.fields--;
  const key = isRecursive || isCut ? undefined : sharedKey(shape, context);
  const first = key === undefined ? undefined : context.firstFields.get(key);
  const fieldsBefore = context.budget.fields;
  const within = isCut || first ? [] : membersOf(shape, { ...context, anchor });
  if (key !== undefined && !first && fieldsBefore - context.budget.fields >= manyFields)
    context.firstFields.set(key, { name, anchor });
  const props: Props = {
    [facts.location && facts.location !== 'cookie' ? facts.location : 'name']: name,
    id: anchor,
    type: typeOf(shape, context.document),
    required: facts.required,
    deprecated: facts.deprecated === true || schema.deprecated === true,
    ...(schema.default !== undefined && { default: literal(schema.default) }),
    pre: strings(mint.pre),
    post: [
      ...(schema.readOnly === true ? [labels.readOnly] : []),
      ...(schema.writeOnly === true ? [labels.writeOnly] : []),
      ...strings(mint.post),
    ],
  };
  return component(facts.location ? 'ParamField' : 'ResponseField', props, [
    ...markdown(description),
    ...ruleNodes(schema, labels, facts.example),
    ...mappingNodes(facts.mapping),
    ...((isRecursive && hasMembers(schema)) || hasRecursiveItems(shape, context) ? [paragraph([text(labels.recursive)])] : []),
    ...(first ? [paragraph(filled(labels.sameFields, fieldLink(first)))] : []),
    ...(isCut && hasMembers(schema) ? [paragraph([text(labels.moreFields)])] : []),
    ...around('Expandable', { title: labels.fields }, within),
  ]);
}

function hasRecursiveItems({ schema: { items } }: Shape, { document, around }: SchemaContext): boolean {
  const shape = isContainer(items) ? shapeOf(document, items) : undefined;
  return shape !== undefined && around.includes(shape.identity) && hasMembers(shape.schema);
}

function mappingNodes(mapping: Json = {}): MarkdownNode[] {
  const lines = Object.entries(mapping).flatMap(([value, target]) => {
    const name = string(target);
    return name === undefined ? [] : [[code(value), text(`: ${decodeSegment(name.slice(name.lastIndexOf('/') + 1))}`)]];
  });
  return lines.length > 0 ? [bulletList(lines)] : [];
}

const manyFields = 8;

/** What a schema that is defined once is known by, also in a list. */
function sharedKey({ schema, identity }: Shape, { document, direction }: SchemaContext): string | undefined {
  if (typeof identity === 'string') return `${direction} ${identity}`;
  const items = isContainer(schema.items) ? resolve(document, schema.items)?.reference : undefined;
  return items === undefined || schema.properties !== undefined ? undefined : `${direction} ${items}`;
}

function fieldLink({ name, anchor }: { name: string; anchor: string }): MarkdownNode {
  return { type: 'link', url: `#${fieldAnchor(anchor)}`, children: [code(name)] };
}

function hasMembers(schema: Json): boolean {
  return ['properties', 'items', 'oneOf', 'anyOf', 'additionalProperties'].some((key) => isContainer(schema[key]));
}

/** The limits of a value, one line for each kind. */
function ruleNodes(schema: Json, labels: ReferenceLabels, example: unknown = exampleOf(schema)): MarkdownNode[] {
  const nodes: MarkdownNode[] = [];
  const source = listOf(schema.enum).length > 0 ? schema : objectOf(schema.items);
  const options = listOf(source.enum);
  const meanings = objectOf(source['x-enumDescriptions'] ?? source['x-enum-descriptions']);
  if (options.length > 0) {
    nodes.push(
      Object.keys(meanings).length > 0
        ? bulletList(
            options.map((option) => [
              code(literal(option)),
              ...(string(meanings[String(option)]) ? [text(`: ${String(meanings[String(option)])}`)] : []),
            ]),
          )
        : paragraph([text(`${labels.options}: `), ...codes(options)]),
    );
  }
  const rules: [keyof ReferenceLabels, unknown][] = [
    ['constant', schema.const],
    ['minimum', schema.minimum],
    ['above', schema.exclusiveMinimum],
    ['maximum', schema.maximum],
    ['below', schema.exclusiveMaximum],
    ['multipleOf', schema.multipleOf],
    ['minLength', schema.minLength],
    ['maxLength', schema.maxLength],
    ['pattern', schema.pattern],
    ['minItems', schema.minItems],
    ['maxItems', schema.maxItems],
    ['uniqueItems', schema.uniqueItems === true ? true : undefined],
    ['minProperties', schema.minProperties],
    ['maxProperties', schema.maxProperties],
    ['content', schema.contentMediaType],
    ['encoding', schema.contentEncoding],
    ['example', example],
  ];
  const shown = rules.filter(([, value]) => value !== undefined && value !== null);
  if (shown.length > 0) {
    nodes.push(
      paragraph(
        shown.flatMap(([name, value], i) => [text(`${i ? ' · ' : ''}${labels[name]}: `), code(shortened(literal(value), 200))]),
      ),
    );
  }
  return nodes;
}

function exampleOf(schema: Json): unknown {
  if (schema.example !== undefined) return simple(schema.example);
  return Array.isArray(schema.examples) ? simple(schema.examples[0]) : undefined;
}

function simple(value: unknown): unknown {
  return typeof value === 'object' ? undefined : value;
}

const mostTypes = 6;

const knownTypes = new WeakMap<Shape, string[]>();

/** 'string<date-time> | null', 'User[]', 'object'. */
export function typeOf(shape: Shape, document: Json, depth = 0): string {
  if (depth > 4) return 'object';
  let known = knownTypes.get(shape);
  if (!known) knownTypes.set(shape, (known = []));
  return (known[depth] ??= readType(shape, document, depth));
}

function readType({ schema, name }: Shape, document: Json, depth: number): string {
  const inner = (given: unknown) => {
    const shape = shapeOf(document, given);
    return shape ? typeOf(shape, document, depth + 1) : 'any';
  };
  const [some] = alternativesOf(schema);
  if (some) {
    const types = [...new Set(some.slice(0, mostTypes).map(inner))];
    return [...types, ...(some.length > mostTypes ? ['…'] : [])].join(' | ');
  }
  const types = Array.isArray(schema.type) ? schema.type.map(literal) : schema.type === undefined ? [] : [literal(schema.type)];
  const given = types.length > 0 ? types : [impliedType(schema)];
  return given
    .map((type) => {
      if (type === 'array') {
        const items = isContainer(schema.items) ? inner(schema.items) : 'any';
        return / \| /.test(items) ? `(${items})[]` : `${items}[]`;
      }
      if (type === 'object') {
        const more = schema.additionalProperties;
        if (!schema.properties && isContainer(more) && Object.keys(more).length > 0) return `map<string, ${inner(more)}>`;
        return string(schema.title) ?? name ?? 'object';
      }
      const format = string(schema.format);
      return format === 'binary' ? 'file' : format && type !== 'null' ? `${type}<${format}>` : type;
    })
    .join(' | ');
}

function impliedType(schema: Json): string {
  if (schema.properties || schema.additionalProperties) return 'object';
  if (schema.items || schema.prefixItems) return 'array';
  if (schema.const !== undefined) return schema.const === null ? 'null' : typeof schema.const;
  if (Array.isArray(schema.enum) && schema.enum.length > 0)
    return schema.enum.every((one) => typeof one === 'string') ? 'string' : 'any';
  return schema.format === undefined ? 'any' : 'string';
}

function strings(value: unknown): string[] {
  return listOf(value).flatMap((one) => string(one) ?? []);
}
