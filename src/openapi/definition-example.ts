// An operation that asks for a field of a GraphQL schema, with its variables and what the API answers.
import {
  Kind,
  print,
  valueFromASTUntyped,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  type TypeNode,
} from 'graphql';
import type { Schema, SchemaType } from './schema-types.ts';
import { namedType } from './schema-file.ts';

export interface Example {
  operation: string;
  /** JSON, if the operation has variables. */
  variables?: string;
  answer: string;
}

/** Types further inside are left out. */
const deepest = 4;
const mostFields = 20;
const mostValues = 60;
const mostAlternatives = 3;

export function exampleOf(root: 'query' | 'mutation' | 'subscription', field: FieldDefinitionNode, schema: Schema): Example {
  const name = field.name.value;
  const given = (field.arguments ?? []).filter(isRequired);
  const variables = Object.fromEntries(
    given.map((one) => [one.name.value, inputValue(one.type, schema, { values: mostValues, around: [] })]),
  );
  const declared = given.map((one) => `$${one.name.value}: ${print(one.type)}`).join(', ');
  const passed = given.map((one) => `${one.name.value}: $${one.name.value}`).join(', ');
  const { lines, value } = selectionOf(field.type, schema, { fields: mostFields, around: [] });
  const call = `${name}${passed && `(${passed})`}`;
  const operationName = name.charAt(0).toUpperCase() + name.slice(1);
  return {
    operation: [
      `${root} ${operationName}${declared && `(${declared})`} {`,
      ...(lines.length > 0 ? [`  ${call} {`, ...lines.map((line) => `    ${line}`), '  }'] : [`  ${call}`]),
      '}',
    ].join('\n'),
    ...(given.length > 0 && { variables: JSON.stringify(variables, null, 2) }),
    answer: JSON.stringify({ data: { [name]: value } }, null, 2),
  };
}

function isRequired({ type, defaultValue }: InputValueDefinitionNode): boolean {
  return type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined;
}

interface Selection {
  lines: string[];
  value: unknown;
}

interface SelectionState {
  /** How many fields the example can still have. */
  fields: number;
  /** Names of the types around this one. */
  around: readonly string[];
}

/** What an example shows of a type: values first, then the objects within that do not contain themselves. */
function selectionOf(type: TypeNode, schema: Schema, state: SelectionState): Selection {
  const name = namedType(type).name.value;
  const found = schema.types.get(name);
  const inList = (value: unknown) => (isList(type) ? [value] : value);
  if (!found || found.kind === 'scalar' || found.kind === 'enum') return { lines: [], value: inList(leafValue(name, found)) };
  const around = [...state.around, name];
  const lines: string[] = [];
  const value: Record<string, unknown> = {};
  const isAbstract = found.kind === 'union' || found.kind === 'interface';
  const possible = isAbstract ? schema.possibleTypes(found).slice(0, mostAlternatives) : [];
  if (isAbstract) {
    lines.push('__typename');
    value.__typename = possible[0] ?? name;
  }
  add(found, lines, value);
  if (found.kind === 'union') {
    for (const [index, one] of possible.entries()) {
      const member = schema.types.get(one);
      const inner: string[] = [];
      if (member) add(member, inner, index === 0 ? value : {});
      if (inner.length > 0) lines.push(`... on ${one} {`, ...inner.map((line) => `  ${line}`), '}');
    }
  }
  if (lines.length === 0) {
    lines.push('__typename');
    value.__typename = name;
  }
  return { lines, value: inList(value) };

  function add({ fields }: SchemaType, into: string[], values: Record<string, unknown>): void {
    const wanted = fields.filter(
      (one) => !one.arguments?.some(isRequired) && !one.directives?.some((directive) => directive.name.value === 'deprecated'),
    );
    const isLeaf = (field: FieldDefinitionNode) => {
      const kind = schema.types.get(namedType(field.type).name.value)?.kind;
      return kind === undefined || kind === 'scalar' || kind === 'enum';
    };
    for (const field of wanted.filter(isLeaf).slice(0, mostLeaves)) {
      if (state.fields-- <= 0) return;
      into.push(field.name.value);
      values[field.name.value] = selectionOf(field.type, schema, state).value;
    }
    const objects = around.length < deepest ? wanted.filter((field) => !isLeaf(field)) : [];
    for (const field of objects.slice(0, mostObjects)) {
      if (around.includes(namedType(field.type).name.value)) continue;
      if (state.fields-- <= 0) return;
      const inner = { fields: state.fields, around };
      const selected = selectionOf(field.type, schema, inner);
      state.fields = inner.fields;
      into.push(`${field.name.value} {`, ...selected.lines.map((line) => `  ${line}`), '}');
      values[field.name.value] = selected.value;
    }
  }
}

const mostLeaves = 8;
const mostObjects = 3;

function isList(type: TypeNode): boolean {
  return type.kind === Kind.LIST_TYPE || (type.kind === Kind.NON_NULL_TYPE && type.type.kind === Kind.LIST_TYPE);
}

interface InputState {
  values: number;
  around: readonly string[];
}

/** A value that an argument takes: of an input, what is required, else its first fields. */
function inputValue(type: TypeNode, schema: Schema, state: InputState): unknown {
  const name = namedType(type).name.value;
  const found = schema.types.get(name);
  state.values--;
  if (found?.kind !== 'input') return isList(type) ? [leafValue(name, found)] : leafValue(name, found);
  if (state.around.includes(name) || state.around.length > deepest || state.values <= 0) return isList(type) ? [] : null;
  const isOneOf = found.directives.some((one) => one.name.value === 'oneOf');
  const required = found.inputs.filter(isRequired);
  const wanted = isOneOf ? found.inputs.slice(0, 1) : required.length > 0 ? required : found.inputs.slice(0, 3);
  const inner = { values: state.values, around: [...state.around, name] };
  const value = Object.fromEntries(
    wanted.map((one) => [
      one.name.value,
      one.defaultValue ? valueFromASTUntyped(one.defaultValue) : inputValue(one.type, schema, inner),
    ]),
  );
  state.values = inner.values;
  return isList(type) ? [value] : value;
}

const leaves = new Map<string, unknown>([
  ['Int', 1],
  ['Float', 1.5],
  ['Boolean', true],
  ['ID', '1'],
]);

const named: [RegExp, unknown][] = [
  [/^date-?time$|timestamp/i, '2026-01-31T12:00:00Z'],
  [/^date$/i, '2026-01-31'],
  [/^time$/i, '12:00:00Z'],
  [/^ur[il]$/i, 'https://example.com'],
  [/^uuid$/i, '3f2b8c1e-5d4a-4c6b-9e7f-1a2b3c4d5e6f'],
  [/^(?:long|big_?int|int64|decimal|float64)$/i, 1],
  [/^(?:json|object|map|any)$/i, {}],
];

function leafValue(name: string, type: SchemaType | undefined): unknown {
  if (type?.kind === 'enum') return type.values[0]?.name.value ?? null;
  return leaves.get(name) ?? named.find(([pattern]) => pattern.test(name))?.[1] ?? 'string';
}
