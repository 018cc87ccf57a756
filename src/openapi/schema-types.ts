// The types of a GraphQL schema, and where they are used.
import type {
  ConstDirectiveNode,
  EnumValueDefinitionNode,
  FieldDefinitionNode,
  InputValueDefinitionNode,
  NamedTypeNode,
} from 'graphql';

export type TypeKind = 'object' | 'interface' | 'union' | 'enum' | 'input' | 'scalar';

/** A type with all its extensions. */
export interface SchemaType {
  kind: TypeKind;
  name: string;
  description?: string;
  directives: ConstDirectiveNode[];
  interfaces: NamedTypeNode[];
  fields: FieldDefinitionNode[];
  inputs: InputValueDefinitionNode[];
  members: NamedTypeNode[];
  values: EnumValueDefinitionNode[];
}

/** Where a type is used: a field, or a type that consists of it. */
export interface Use {
  text: string;
  /** Name of the definition whose page shows it, and the anchor of the field there. */
  definition: string;
  anchor?: string;
}

export interface Schema {
  types: Map<string, SchemaType>;
  /** The object types of an interface or a union. */
  possibleTypes(type: SchemaType): string[];
  /** The first places that use a type, and how many there are. */
  usesOf(name: string): { shown: Use[]; count: number };
}
