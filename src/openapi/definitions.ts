// The queries, mutations, subscriptions, types and directives of a GraphQL schema, each of which is a page.
import { hash } from 'node:crypto';
import {
  Kind,
  print,
  specifiedDirectives,
  specifiedScalarTypes,
  type ConstDirectiveNode,
  type DirectiveDefinitionNode,
  type FieldDefinitionNode,
  type TypeDefinitionNode,
  type TypeExtensionNode,
  type TypeNode,
} from 'graphql';
import { createProblem, type Problem } from '../../integration/diagnostics.ts';
import type { Described } from './described.ts';
import { fieldAnchor } from '../markdown/components/field.ts';
import type { Schema, SchemaType, TypeKind, Use } from './schema-types.ts';
import { exampleOf } from './definition-example.ts';
import { namedType, positionOf, type SchemaFile, type SchemaNode } from './schema-file.ts';

/** One page. */
export interface Definition extends Described {
  kind: 'definition';
  /** A query, mutation or subscription is a field; the rest are types and directives. */
  root?: 'query' | 'mutation' | 'subscription';
  field?: FieldDefinitionNode;
  type?: SchemaType;
  directive?: DirectiveDefinitionNode;
  schema: Schema;
}

const roots = ['query', 'mutation', 'subscription'] as const;
type Root = (typeof roots)[number];

const rootGroups = { query: 'queries', mutation: 'mutations', subscription: 'subscriptions' } as const;
const groups = {
  object: 'objects',
  interface: 'interfaces',
  union: 'unions',
  enum: 'enums',
  input: 'inputs',
  scalar: 'scalars',
} as const satisfies Record<TypeKind, string>;

const builtInTypes = new Set(specifiedScalarTypes.map(({ name }) => name));
const builtInDirectives = new Set(specifiedDirectives.map(({ name }) => name));
const mostUses = 50;

/** The definitions of the files of a schema in the order of the navigation, and what is wrong with them. */
export function definitionsOf(files: readonly SchemaFile[]): { definitions: Definition[]; problems: Problem[] } {
  const problems: Problem[] = files.flatMap((file) => file.problems);
  const report = (node: Parameters<typeof positionOf>[0], message: string, hint: string) => {
    const page = node.loc?.source.name ?? files[0]?.location ?? '';
    if (problems.length < mostProblems)
      problems.push(createProblem({ kind: 'specification-invalid', page, ...positionOf(node), message, hint }));
  };
  const { types, directives, rootTypes } = collect(
    files.flatMap(({ nodes }) => nodes),
    report,
  );
  const rootNames = new Map(roots.flatMap((root) => (rootTypes[root] === undefined ? [] : [[rootTypes[root], root]])));
  const uses = usesIn(types, directives, rootNames, report);
  const implementations = implementationsIn(types);
  const schema: Schema = {
    types,
    possibleTypes: ({ kind, name, members }) =>
      kind === 'union' ? members.map((one) => one.name.value) : (implementations.get(name) ?? []),
    usesOf: (name) => uses.get(name) ?? { shown: [], count: 0 },
  };
  const definitions = [
    ...roots.flatMap((root) => {
      const type = rootTypes[root] === undefined ? undefined : types.get(rootTypes[root]);
      return (type?.fields ?? []).map((field) => fieldDefinition(root, field, schema));
    }),
    ...typeKinds.flatMap((kind) =>
      [...types.values()]
        .filter((type) => type.kind === kind && !rootNames.has(type.name))
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map((type) => typeDefinition(type, schema)),
    ),
    ...[...directives.values()].map((directive) => directiveDefinition(directive, schema)),
  ];
  return { definitions, problems };
}

const mostProblems = 100;
const typeKinds: readonly TypeKind[] = ['object', 'interface', 'union', 'enum', 'input', 'scalar'];

type Report = (node: Parameters<typeof positionOf>[0], message: string, hint: string) => void;

interface Collected {
  types: Map<string, SchemaType>;
  directives: Map<string, DirectiveDefinitionNode>;
  rootTypes: Partial<Record<Root, string>>;
}

/** All types with what extensions add, by name. */
function collect(nodes: readonly SchemaNode[], report: Report): Collected {
  const types = new Map<string, SchemaType>();
  const directives = new Map<string, DirectiveDefinitionNode>();
  const rootTypes: Partial<Record<Root, string>> = {};
  const defined = new Set<string>();
  let hasSchema = false;
  for (const node of nodes) {
    if (node.kind === Kind.SCHEMA_DEFINITION || node.kind === Kind.SCHEMA_EXTENSION) {
      hasSchema ||= node.kind === Kind.SCHEMA_DEFINITION;
      for (const { operation, type } of node.operationTypes ?? []) rootTypes[operation] ??= type.name.value;
      continue;
    }
    // Only adds directives to a directive, which no page shows.
    if (node.kind === Kind.DIRECTIVE_EXTENSION) continue;
    const name = node.name.value;
    if (node.kind === Kind.DIRECTIVE_DEFINITION) {
      if (directives.has(name)) report(node, `"@${name}" is defined twice.`, 'Remove one. The first is shown.');
      else if (!builtInDirectives.has(name)) directives.set(name, node);
      continue;
    }
    const isExtension = node.kind.endsWith('Extension');
    if (!isExtension && defined.has(name))
      report(node, `"${name}" is defined twice.`, 'Remove one, or write "extend". The page shows the fields of both.');
    if (!isExtension) defined.add(name);
    const part = partOf(node);
    const known = types.get(name);
    if (known && known.kind !== part.kind)
      report(node, `"${name}" is of the kind ${known.kind}, and here ${part.kind}.`, 'Rename one. The first is shown.');
    else types.set(name, known ? merged(known, part) : part);
  }
  const usual = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' };
  if (!hasSchema) for (const root of roots) if (types.has(usual[root])) rootTypes[root] ??= usual[root];
  return { types, directives, rootTypes };
}

type TypePart = TypeDefinitionNode | TypeExtensionNode;

const kinds = {
  [Kind.OBJECT_TYPE_DEFINITION]: 'object',
  [Kind.OBJECT_TYPE_EXTENSION]: 'object',
  [Kind.INTERFACE_TYPE_DEFINITION]: 'interface',
  [Kind.INTERFACE_TYPE_EXTENSION]: 'interface',
  [Kind.UNION_TYPE_DEFINITION]: 'union',
  [Kind.UNION_TYPE_EXTENSION]: 'union',
  [Kind.ENUM_TYPE_DEFINITION]: 'enum',
  [Kind.ENUM_TYPE_EXTENSION]: 'enum',
  [Kind.INPUT_OBJECT_TYPE_DEFINITION]: 'input',
  [Kind.INPUT_OBJECT_TYPE_EXTENSION]: 'input',
  [Kind.SCALAR_TYPE_DEFINITION]: 'scalar',
  [Kind.SCALAR_TYPE_EXTENSION]: 'scalar',
} as const satisfies Record<TypePart['kind'], TypeKind>;

function partOf(node: TypePart): SchemaType {
  const description = 'description' in node ? node.description?.value : undefined;
  const part: SchemaType = {
    kind: kinds[node.kind],
    name: node.name.value,
    ...(description !== undefined && { description }),
    directives: [...(node.directives ?? [])],
    interfaces: 'interfaces' in node ? [...(node.interfaces ?? [])] : [],
    fields: [],
    inputs: [],
    members: 'types' in node ? [...(node.types ?? [])] : [],
    values: 'values' in node ? [...(node.values ?? [])] : [],
  };
  if (node.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION || node.kind === Kind.INPUT_OBJECT_TYPE_EXTENSION)
    part.inputs.push(...(node.fields ?? []));
  else if ('fields' in node) part.fields.push(...(node.fields ?? []));
  return part;
}

/** Of two fields with the same name, the first. */
function merged(a: SchemaType, b: SchemaType): SchemaType {
  const description = a.description ?? b.description;
  return {
    ...a,
    ...(description !== undefined && { description }),
    directives: [...a.directives, ...b.directives],
    interfaces: distinct(a.interfaces, b.interfaces),
    fields: distinct(a.fields, b.fields),
    inputs: distinct(a.inputs, b.inputs),
    members: distinct(a.members, b.members),
    values: distinct(a.values, b.values),
  };
}

function distinct<Node extends { name: { value: string } }>(a: readonly Node[], b: readonly Node[]): Node[] {
  const names = new Set(a.map(({ name }) => name.value));
  return [...a, ...b.filter(({ name }) => !names.has(name.value))];
}

/** Where each type is used; reports types that are not defined. */
function usesIn(
  types: ReadonlyMap<string, SchemaType>,
  directives: ReadonlyMap<string, DirectiveDefinitionNode>,
  rootNames: ReadonlyMap<string, Root>,
  report: Report,
): Map<string, { shown: Use[]; count: number }> {
  const uses = new Map<string, { shown: Use[]; count: number }>();
  const add = (type: TypeNode, use: Use) => {
    const node = namedType(type);
    const name = node.name.value;
    if (!types.has(name)) {
      if (!builtInTypes.has(name))
        report(node, `"${name}" is not defined, but "${use.text}" has this type.`, 'Define the type, or correct the name.');
      return;
    }
    const known = uses.get(name) ?? { shown: [], count: 0 };
    if (known.count === 0) uses.set(name, known);
    if (known.shown.at(-1)?.text === use.text) return;
    known.count++;
    if (known.shown.length < mostUses) known.shown.push(use);
  };
  for (const { name, fields, inputs, members, interfaces } of types.values()) {
    const root = rootNames.get(name);
    for (const field of fields) {
      const own = field.name.value;
      const use = root
        ? { text: own, definition: `${root} ${own}` }
        : { text: `${name}.${own}`, definition: typeKey(name), anchor: fieldAnchor(own) };
      add(field.type, use);
      for (const { type } of field.arguments ?? []) add(type, use);
    }
    for (const { name: own, type } of inputs)
      add(type, { text: `${name}.${own.value}`, definition: typeKey(name), anchor: fieldAnchor(own.value) });
    for (const type of members) add(type, { text: name, definition: typeKey(name) });
    // An interface lists the types that implement it anyway.
    for (const type of interfaces)
      if (!types.has(type.name.value))
        report(
          type,
          `"${type.name.value}" is not defined, but "${name}" implements it.`,
          'Define the interface, or correct the name.',
        );
  }
  for (const [name, directive] of directives)
    for (const { type } of directive.arguments ?? []) add(type, { text: `@${name}`, definition: `directive ${name}` });
  return uses;
}

function implementationsIn(types: ReadonlyMap<string, SchemaType>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { name, kind, interfaces } of types.values()) {
    if (kind !== 'object') continue;
    for (const one of interfaces) {
      const known = found.get(one.name.value);
      if (known) known.push(name);
      else found.set(one.name.value, [name]);
    }
  }
  return found;
}

/** Name of the definition of a type. */
export function typeKey(name: string): string {
  return `type ${name}`;
}

/** Why something is deprecated; undefined if it is not. */
export function deprecation(directives: readonly ConstDirectiveNode[] = []): string | undefined {
  const directive = directives.find(({ name }) => name.value === 'deprecated');
  if (!directive) return undefined;
  return stringArgument(directive, 'reason') ?? '';
}

export function stringArgument({ arguments: given = [] }: ConstDirectiveNode, name: string): string | undefined {
  const value = given.find((one) => one.name.value === name)?.value;
  return value?.kind === Kind.STRING ? value.value : undefined;
}

/** What the pages of all definitions have. A definition is known by its kind and name: 'type User'. */
function definition(
  name: string,
  shown: Pick<Definition, 'title' | 'schema'>,
  { description, group }: { description: string | undefined; group: NonNullable<Described['groupLabel']> },
) {
  const [, summary = ''] = name.split(' ');
  return {
    kind: 'definition' as const,
    ...{ name, summary, ...shown },
    ...(description !== undefined && { description }),
    ...{ deprecated: false, hidden: false, metadata: {}, content: '', tag: group, groupLabel: group },
  };
}

function fieldDefinition(root: Root, field: FieldDefinitionNode, schema: Schema): Definition {
  const { name, description, directives } = field;
  const title = name.value;
  return {
    ...definition(`${root} ${title}`, { title, schema }, { description: description?.value, group: rootGroups[root] }),
    ...{ root, field, badge: root.toUpperCase() },
    deprecated: deprecation(directives) !== undefined,
    uses: () => typesOf(field).map(typeKey),
    digest: () => hash('sha256', JSON.stringify([print(field), exampleOf(root, field, schema)])),
  };
}

function typesOf({ type, arguments: given = [] }: FieldDefinitionNode): string[] {
  return [type, ...given.map((one) => one.type)].map((one) => namedType(one).name.value);
}

function typeDefinition(type: SchemaType, schema: Schema): Definition {
  const { name, kind, description } = type;
  const uses = () => [
    ...type.fields.flatMap(typesOf),
    ...type.inputs.map((one) => namedType(one.type).name.value),
    ...[...type.interfaces, ...type.members].map((one) => one.name.value),
    ...(kind === 'interface' ? schema.possibleTypes(type) : []),
  ];
  return {
    ...definition(typeKey(name), { title: name, schema }, { description, group: groups[kind] }),
    type,
    uses: () => [...uses().map(typeKey), ...schema.usesOf(name).shown.map(({ definition }) => definition)],
    digest: () =>
      hash(
        'sha256',
        JSON.stringify([
          description,
          signatureOf(type),
          [...type.fields, ...type.inputs, ...type.values].map((one) => print(one)),
          schema.possibleTypes(type),
          schema.usesOf(name),
        ]),
      ),
  };
}

function directiveDefinition(directive: DirectiveDefinitionNode, schema: Schema): Definition {
  const name = directive.name.value;
  const description = directive.description?.value;
  return {
    ...definition(`directive ${name}`, { title: `@${name}`, schema }, { description, group: 'directives' }),
    directive,
    uses: () => (directive.arguments ?? []).map((one) => typeKey(namedType(one.type).name.value)),
    digest: () => hash('sha256', print(directive)),
  };
}

const keywords: Record<TypeKind, string> = {
  ...{ object: 'type', interface: 'interface', union: 'union', enum: 'enum', input: 'input', scalar: 'scalar' },
};

/** A type in the schema language, without descriptions; undefined without a type. */
export function signatureOf(type: SchemaType | undefined): string | undefined {
  if (!type) return undefined;
  const { kind, name, interfaces, members } = type;
  const head = [
    `${keywords[kind]} ${name}`,
    ...(interfaces.length > 0 ? [`implements ${interfaces.map((one) => one.name.value).join(' & ')}`] : []),
    ...type.directives.map((one) => print(one)),
  ].join(' ');
  if (kind === 'union') return `${head} =\n${members.map((one) => `  | ${one.name.value}`).join('\n')}`;
  const lines = [...type.fields.map(plainText), ...[...type.inputs, ...type.values].map((one) => print(plain(one)))];
  return lines.length === 0 ? head : `${head} {\n${lines.map((line) => `  ${line.replaceAll('\n', '\n  ')}`).join('\n')}\n}`;
}

/** A field or directive in the schema language, without descriptions. */
export function plainText(node: FieldDefinitionNode | DirectiveDefinitionNode): string {
  return print({ ...plain(node), arguments: node.arguments?.map(plain) });
}

function plain<Node extends { description?: unknown }>(node: Node): Node {
  return { ...node, description: undefined };
}
