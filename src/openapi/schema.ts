// A GraphQL schema: the definitions of its files, which can be several.
import type { Problem } from '../../integration/diagnostics.ts';
import { definitionsOf, type Definition } from './definitions.ts';
import type { SchemaFile } from './schema-file.ts';
import { SpecificationFault } from './specification-file.ts';

export interface ReadSchema {
  definitions: Definition[];
  problems: Problem[];
  /** Why files could not be read. */
  faults: { location: string; fault: SpecificationFault }[];
}

/** What the files define that can be read. */
export async function readSchema(
  locations: readonly string[],
  readFile: (location: string) => Promise<SchemaFile>,
): Promise<ReadSchema> {
  const files: SchemaFile[] = [];
  const faults: ReadSchema['faults'] = [];
  for (const location of locations) {
    try {
      files.push(await readFile(location));
    } catch (fault) {
      if (!(fault instanceof SpecificationFault)) throw fault;
      faults.push({ location, fault });
    }
  }
  return { ...definitionsOf(files), faults };
}
