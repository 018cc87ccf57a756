// A schema as fields that a reader can open: properties, alternatives, items and maps, with their limits.
import type { ComponentNode, MarkdownNode, Props } from '../markdown/tree.ts';
import { literal, object, resolve, string, type Json } from './json.ts';

/** Where a schema is shown. */
export interface SchemaContext {
  document: Json;
  /** Whether it is sent or received: properties that are only read are not sent. */
  direction: 'request' | 'response';
  /** Limit of fields on the page, shared by all its schemas. */
  budget: { fields: number };
  /** Schemas around this one, which would contain themselves. */
  around: readonly unknown[];
  /** Start of its fields' anchors. */
  anchor: string;
}

export const mostFields = 1500;
/** Fields further inside are shown by their type alone. */
const deepest = 12;

/** A schema after its references, with what it is composed of in one object. */
export interface Shape {
  schema: Json;
  name?: string;
  /** What identifies it among the schemas around it. */
  identity: unknown;
}

/** `taken` has the schemas that a surrounding `allOf` has taken in: once is enough, and one that contains itself has an end. */
export function shapeOf(document: Json, given: unknown, taken: ReadonlySet<unknown> = new Set()): Shape | undefined {
  if (given === true) return { schema: {}, identity: given };
  const found = resolve(document, given);
  if (!found) return undefined;
  const { value, name, reference } = found;
  const identity = reference ?? value;
  const parts: unknown[] = Array.isArray(value.allOf) ? value.allOf : [];
  if (parts.length === 0) return { schema: value, name, identity };
  const { allOf: _, ...own } = value;
  const within = new Set(taken).add(identity);
  const shapes = parts.flatMap((part) => {
    const key = resolve(document, part)?.reference ?? part;
    if (within.has(key)) return [];
    const shape = shapeOf(document, part, within);
    within.add(key);
    return shape ?? [];
  });
  const only = shapes.length === 1 && own.properties === undefined ? shapes[0]!.name : undefined;
  return { schema: [...shapes.map(({ schema }) => schema), own].reduce(merged, {}), name: name ?? only, identity };
}

/** Two parts of an `allOf`: what both require, with the properties of both. */
function merged(a: Json, b: Json): Json {
  const properties = { ...object(a.properties) };
  for (const [key, value] of Object.entries(object(b.properties))) {
    properties[key] = Object.hasOwn(properties, key) && !('$ref' in object(value)) ? { allOf: [properties[key], value] } : value;
  }
  const required = [...list(a.required), ...list(b.required)];
  return {
    ...a,
    ...b,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required: [...new Set(required)] }),
    ...((a.description ?? b.description) !== undefined && { description: b.description ?? a.description }),
  };
}

/** The fields of an object, or the schema as one field without a name. */
export function schemaNodes(given: unknown, context: SchemaContext): MarkdownNode[] {
  const shape = shapeOf(context.document, given);
  if (!shape) return [];
  if (context.around.includes(shape.identity)) return [];
  const inner = { ...context, around: [...context.around, shape.identity] };
  const { schema } = shape;
  const nodes = members(schema, inner);
  if (nodes.length > 0) return nodes;
  const rules = ruleNodes(schema);
  return [...(string(schema.description) ? [markdown(schema.description as string)] : []), ...rules];
}

/** What a schema consists of: its properties, alternatives, items. */
function members(schema: Json, context: SchemaContext): MarkdownNode[] {
  const nodes: MarkdownNode[] = [];
  const required = new Set(list(schema.required));
  for (const [name, property] of Object.entries(object(schema.properties))) {
    // Beyond the limit of the page, only what must be sent is named, and that with a limit, too.
    if (context.budget.fields < (required.has(name) ? -mostFields : 0)) continue;
    const node = fieldNode(name, property, { required: required.has(name) }, context);
    if (node) nodes.push(node);
  }
  for (const [pattern, property] of Object.entries(object(schema.patternProperties))) {
    const node = fieldNode(`/${pattern}/`, property, { required: false }, context);
    if (node) nodes.push(node);
  }
  const { additionalProperties: more } = schema;
  if (typeof more === 'object' && more !== null && Object.keys(more).length > 0) {
    const node = fieldNode(string((more as Json)['x-additionalPropertiesName']) ?? '{key}', more, { required: false }, context);
    if (node) nodes.push(node);
  }
  nodes.push(...alternatives(schema, context));
  if (Array.isArray(schema.prefixItems)) {
    for (const [index, item] of schema.prefixItems.entries()) {
      const node = fieldNode(`[${index}]`, item, { required: false }, context);
      if (node) nodes.push(node);
    }
  }
  if (isObjectLike(schema.items)) {
    const items = shapeOf(context.document, schema.items);
    if (items && !context.around.includes(items.identity))
      nodes.push(...members(items.schema, { ...context, around: [...context.around, items.identity] }));
  }
  return nodes;
}

function alternatives(schema: Json, context: SchemaContext): MarkdownNode[] {
  const given = [schema.oneOf, schema.anyOf].find((some): some is unknown[] => Array.isArray(some) && some.length > 0);
  if (!given) return [];
  const shapes = given.flatMap((one) => shapeOf(context.document, one) ?? []).filter(({ schema: { type } }) => type !== 'null');
  const [only] = shapes;
  if (shapes.length === 1 && only) {
    if (context.around.includes(only.identity)) return [];
    return members(only.schema, { ...context, around: [...context.around, only.identity] });
  }
  const tabs = shapes.slice(0, Math.max(1, context.budget.fields)).map((shape, index): ComponentNode => {
    const isAround = context.around.includes(shape.identity);
    const inner = { ...context, around: [...context.around, shape.identity], anchor: `${context.anchor}-${index + 1}` };
    const found = isAround ? [] : members(shape.schema, inner);
    const description = string(shape.schema.description);
    return component('Tab', { title: titleOf(shape, context.document) }, [
      ...(description ? [markdown(description)] : []),
      ...(found.length > 0
        ? found
        : [paragraph([text('Type: '), code(typeOf(shape, context.document))]), ...ruleNodes(shape.schema)]),
    ]);
  });
  return tabs.every(({ children }) => children.every(({ type }) => type === 'paragraph'))
    ? []
    : [component('Tabs', { sync: false }, tabs)];
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
}

/** A field with all that is within it; undefined when it is not part of this direction. */
export function fieldNode(name: string, given: unknown, facts: FieldFacts, context: SchemaContext): ComponentNode | undefined {
  const shape = shapeOf(context.document, given) ?? { schema: {}, identity: given };
  const { schema } = shape;
  if (context.direction === 'request' ? schema.readOnly === true : schema.writeOnly === true) return undefined;
  const anchor = context.anchor ? `${context.anchor}-${name}` : name;
  const description = facts.description ?? string(schema.description);
  const isRecursive = context.around.includes(shape.identity);
  const isCut = !isRecursive && (context.budget.fields <= 0 || context.around.length >= deepest * 2);
  context.budget.fields--;
  const inner = { ...context, around: [...context.around, shape.identity], anchor };
  const within = isRecursive || isCut ? [] : members(schema, inner);
  const props: Props = {
    [facts.location && facts.location !== 'cookie' ? facts.location : 'name']: name,
    id: anchor,
    type: typeOf(shape, context.document),
    required: facts.required,
    deprecated: facts.deprecated === true || schema.deprecated === true,
    ...(schema.default !== undefined && { default: literal(schema.default) }),
    ...(schema.readOnly === true && { post: ['read-only'] }),
    ...(schema.writeOnly === true && { post: ['write-only'] }),
  };
  return component(facts.location ? 'ParamField' : 'ResponseField', props, [
    ...(description ? [markdown(description)] : []),
    ...ruleNodes(schema, facts.example),
    ...(isRecursive && hasMembers(schema) ? [paragraph([text('Contains the same fields again.')])] : []),
    ...(isCut && hasMembers(schema) ? [paragraph([text('More fields are in the specification.')])] : []),
    ...(within.length > 0 ? [component('Expandable', { title: 'fields' }, within)] : []),
  ]);
}

function hasMembers(schema: Json): boolean {
  return ['properties', 'items', 'oneOf', 'anyOf', 'additionalProperties'].some((key) => isObjectLike(schema[key]));
}

/** The limits of a value, one line for each kind. */
function ruleNodes(schema: Json, example: unknown = exampleOf(schema)): MarkdownNode[] {
  const nodes: MarkdownNode[] = [];
  const source = list(schema.enum).length > 0 ? schema : object(schema.items);
  const options = list(source.enum);
  const meanings = object(source['x-enumDescriptions'] ?? source['x-enum-descriptions']);
  if (options.length > 0) {
    nodes.push(
      Object.keys(meanings).length > 0
        ? {
            type: 'list',
            ordered: false,
            spread: false,
            children: options.map((option) => ({
              type: 'listItem',
              spread: false,
              children: [
                paragraph([
                  code(literal(option)),
                  ...(string(meanings[String(option)]) ? [text(`: ${String(meanings[String(option)])}`)] : []),
                ]),
              ],
            })),
          }
        : paragraph([text('Options: '), ...options.flatMap((option, i) => [...(i ? [text(', ')] : []), code(literal(option))])]),
    );
  }
  const rules: [string, unknown][] = [
    ['Constant', schema.const],
    ['Minimum', schema.minimum],
    ['Above', schema.exclusiveMinimum],
    ['Maximum', schema.maximum],
    ['Below', schema.exclusiveMaximum],
    ['Multiple of', schema.multipleOf],
    ['Minimum length', schema.minLength],
    ['Maximum length', schema.maxLength],
    ['Pattern', schema.pattern],
    ['Minimum items', schema.minItems],
    ['Maximum items', schema.maxItems],
    ['Unique items', schema.uniqueItems === true ? true : undefined],
    ['Minimum properties', schema.minProperties],
    ['Maximum properties', schema.maxProperties],
    ['Content', schema.contentMediaType],
    ['Encoding', schema.contentEncoding],
    ['Example', example],
  ];
  const shown = rules.filter(([, value]) => value !== undefined && value !== null);
  if (shown.length > 0) {
    nodes.push(paragraph(shown.flatMap(([name, value], i) => [text(`${i ? ' · ' : ''}${name}: `), code(short(literal(value)))])));
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

function short(value: string): string {
  return value.length > 200 ? `${value.slice(0, 200)}…` : value;
}

const mostTypes = 6;

/** 'string<date-time> | null', 'User[]', 'object'. */
export function typeOf({ schema, name }: Shape, document: Json, depth = 0): string {
  if (depth > 4) return 'object';
  const inner = (given: unknown) => {
    const shape = shapeOf(document, given);
    return shape ? typeOf(shape, document, depth + 1) : 'any';
  };
  const some = [schema.oneOf, schema.anyOf].find((one): one is unknown[] => Array.isArray(one) && one.length > 0);
  if (some) {
    const types = [...new Set(some.slice(0, mostTypes).map(inner))];
    return [...types, ...(some.length > mostTypes ? ['…'] : [])].join(' | ');
  }
  const types = Array.isArray(schema.type) ? schema.type.map(literal) : schema.type === undefined ? [] : [literal(schema.type)];
  const given = types.length > 0 ? types : [impliedType(schema)];
  return given
    .map((type) => {
      if (type === 'array') {
        const items = isObjectLike(schema.items) ? inner(schema.items) : 'any';
        return / \| /.test(items) ? `(${items})[]` : `${items}[]`;
      }
      if (type === 'object') {
        const more = schema.additionalProperties;
        if (!schema.properties && isObjectLike(more) && Object.keys(more).length > 0) return `map<string, ${inner(more)}>`;
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

function isObjectLike(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function component(name: string, props: Props, children: MarkdownNode[] = []): ComponentNode {
  return { type: 'component', name, props, children, inline: false };
}

/** Text of a specification, which is Markdown; it is parsed where the page is rendered. */
export function markdown(value: string): MarkdownNode {
  return { type: 'markdown', value };
}

export function paragraph(children: MarkdownNode[]): MarkdownNode {
  return { type: 'paragraph', children };
}

export function text(value: string): MarkdownNode {
  return { type: 'text', value };
}

export function code(value: string): MarkdownNode {
  return { type: 'inlineCode', value };
}

export function heading(depth: number, value: string): MarkdownNode {
  return { type: 'heading', depth, children: [text(value)] };
}
