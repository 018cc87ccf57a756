// A file of a GraphQL schema: definitions in the schema language, or the answer to an introspection query in JSON.
import { hash } from 'node:crypto';
import {
  buildClientSchema,
  getLocation,
  GraphQLError,
  isTypeSystemDefinitionNode,
  isTypeSystemExtensionNode,
  Kind,
  parse,
  printSchema,
  Source,
  type IntrospectionQuery,
  type NamedTypeNode,
  type TypeNode,
  type TypeSystemDefinitionNode,
  type TypeSystemExtensionNode,
} from 'graphql';
import { createProblem, type Problem } from '../../integration/diagnostics.ts';
import { errorMessage } from '../../integration/errors.ts';
import { isRecord } from '../../integration/text/json.ts';
import { SpecificationFault, type Position } from './specification-file.ts';

export type SchemaNode = TypeSystemDefinitionNode | TypeSystemExtensionNode;

export interface SchemaFile {
  /** Path in the docs folder, or URL. */
  location: string;
  nodes: SchemaNode[];
  /** SHA-256 (hex) of its bytes. */
  digest: string;
  problems: Problem[];
}

/** A schema of this many tokens has some 100,000 fields; its syntax tree takes about a gigabyte. */
const mostTokens = 2_000_000;

/** Without the definitions that cannot be read. Throws `SpecificationFault` when none can. */
export function parseSchemaFile(location: string, bytes: Uint8Array): SchemaFile {
  const text = Buffer.from(bytes)
    .toString()
    .replace(/^\uFEFF/, '');
  const digest = hash('sha256', bytes);
  if (/^\s*\{\s*"/.test(text)) return { location, nodes: definitionsIn(introspected(text), location), digest, problems: [] };
  try {
    return { location, nodes: definitionsIn(text, location), digest, problems: [] };
  } catch (error) {
    const parts = definitionTexts(text);
    const first = faultOf(error);
    if (parts.length < 2) throw first;
    return parseEach(location, parts, digest, first);
  }
}

/** Reads a file with a mistake, one definition at a time. */
function parseEach(location: string, parts: Part[], digest: string, first: SpecificationFault): SchemaFile {
  const nodes: SchemaNode[] = [];
  const faults: SpecificationFault[] = [];
  for (const { text, line } of parts) {
    try {
      nodes.push(...definitionsIn(text, location, line));
    } catch (error) {
      faults.push(faultOf(error));
    }
  }
  if (nodes.length === 0) throw first;
  const problems = faults.slice(0, shownFaults).map(({ message, position }): Problem =>
    createProblem({
      kind: 'specification-invalid',
      page: location,
      ...position,
      message: `A definition of the GraphQL schema could not be read: ${message}.`,
      hint: 'Correct the definition. It has no page until then; all others are shown.',
    }),
  );
  return { location, nodes, digest, problems };
}

const shownFaults = 100;

function definitionsIn(text: string, location: string, line = 1): SchemaNode[] {
  const { definitions } = parse(new Source(text, location, { line, column: 1 }), { maxTokens: mostTokens });
  return definitions.filter((node) => isTypeSystemDefinitionNode(node) || isTypeSystemExtensionNode(node));
}

function faultOf(error: unknown): SpecificationFault {
  if (!(error instanceof GraphQLError)) return new SpecificationFault(errorMessage(error));
  const { source, positions } = error;
  const position = source && positions?.[0] !== undefined ? positionIn(source, positions[0]) : undefined;
  return new SpecificationFault(error.message.replace(/^Syntax Error: /, '').replace(/\.$/, ''), position);
}

/** Where a node is in its file. */
export function positionOf({ loc }: SchemaNode | { loc?: SchemaNode['loc'] }): Position | undefined {
  return loc && positionIn(loc.source, loc.start);
}

function positionIn(source: Source, start: number): Position {
  const { line, column } = getLocation(source, start);
  return { line: line + source.locationOffset.line - 1, column };
}

/** The type inside lists and non-null marks. */
export function namedType(type: TypeNode): NamedTypeNode {
  let found = type;
  while (found.kind !== Kind.NAMED_TYPE) found = found.type;
  return found;
}

interface Part {
  text: string;
  line: number;
}

/** The definitions in a text that begin at the start of a line, each with its description. */
function definitionTexts(text: string): Part[] {
  const start =
    /^(?:"""(?:(?!""")[^])*"""\s*|"(?:[^"\\\n]|\\.)*"\s*)?(?:extend\s+)?(?:schema|scalar|type|interface|union|enum|input|directive)\b/gm;
  const starts = [...text.matchAll(start)].map(({ index }) => index);
  let line = 1;
  let last = 0;
  return starts.map((index, i) => {
    line += text.slice(last, index).split('\n').length - 1;
    last = index;
    return { text: text.slice(index, starts[i + 1]), line };
  });
}

/** The definitions of an introspected schema in the schema language. */
function introspected(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    const answer = isRecord(value) && isRecord(value.data) ? value.data : value;
    if (!isIntrospection(answer))
      throw new SpecificationFault('it is JSON, but not the answer to an introspection query: it has no "__schema"');
    return printSchema(buildClientSchema(answer, { assumeValid: true }));
  } catch (error) {
    throw error instanceof SpecificationFault ? error : new SpecificationFault(errorMessage(error));
  }
}

/** The library checks what is inside. */
function isIntrospection(value: unknown): value is IntrospectionQuery {
  return isRecord(value) && isRecord(value.__schema);
}
