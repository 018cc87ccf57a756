// The JSON schema of docs.json, for editors: made from the schema that reads the file.
import { z } from 'zod';
import { carrelVersion, isPublished } from '../version.ts';
import { membersOf } from './by-kind.ts';
import { docsConfigSchema, navigationEntry } from './docs-json.ts';

/** Where editors find the schema of this version, in the published package. */
export const schemaUrl: string | undefined = isPublished
  ? `https://unpkg.com/carrel@${carrelVersion}/build/docs.schema.json`
  : undefined;

/** JSON Schema 2020-12 of what docs.json can contain. */
export function configSchema(): object {
  const definitions: Record<string, unknown> = {};
  const root = converted(docsConfigSchema, definitions);
  definitions.entry = converted(navigationEntry, definitions);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: schemaUrl,
    title: 'docs.json of Carrel',
    ...root,
    $defs: definitions,
  };
}

/** Entries contain entries, so those inside a schema refer to one definition. Adds the other definitions that the schema needs. */
function converted(schema: z.ZodType, definitions: Record<string, unknown>): object {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema, path }) {
      const members = membersOf(zodSchema);
      const isEntryInside = Object.is(zodSchema, navigationEntry) && path.length > 0;
      if (members) replace(jsonSchema, { ...jsonSchema, anyOf: members.map((one) => member(one, definitions)) });
      else if (isEntryInside) replace(jsonSchema, entryReference);
      else if (jsonSchema.properties)
        jsonSchema.properties.$ref = { type: 'string', description: 'File of the docs folder with this value' };
    },
  });
  // Each conversion names its definitions __schema0, __schema1, …, and itself #.
  const prefix = `part${Object.keys(definitions).length}_`;
  const text = JSON.stringify(json)
    .replaceAll(/(?<="(?:#\/\$defs\/)?)__schema(?=\d+")/g, prefix)
    .replaceAll('"$ref":"#"', '"$ref":"#/$defs/entry"');
  const { $defs = {}, ...named } = JSON.parse(text) as Record<string, object>;
  Object.assign(definitions, $defs);
  return named;
}

const entryReference = { $ref: '#/$defs/entry' };

function member(schema: z.ZodType, definitions: Record<string, unknown>): object {
  return schema === navigationEntry ? entryReference : converted(schema, definitions);
}

function replace(schema: object, by: object): void {
  for (const key of Object.keys(schema)) delete schema[key as never];
  Object.assign(schema, by);
}
