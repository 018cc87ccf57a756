// An API specification: read, its files made one document, OpenAPI brought to 3.1. References within it stay and are followed one by one:
// a specification that is dereferenced whole has no end where a schema contains itself.
import { upgrade } from '@scalar/openapi-upgrader';
import { isRecord } from '../../integration/text/json.ts';
import { literal, type Json } from './json.ts';
import type { PageFormat } from './named-specifications.ts';
import { containersOf } from './containers.ts';
import { bundleFiles, type BrokenReference, type PlaceOf, type ReadFile } from './references.ts';
import { SpecificationFault, type SpecificationFile } from './specification-file.ts';

export interface Specification {
  format: PageFormat;
  /** Path in the docs folder, or URL. */
  path: string;
  /** The file that it begins with. */
  file: SpecificationFile;
  document: Json;
  broken: BrokenReference[];
  placeOf: PlaceOf;
}

/** Undefined when the file is not an API specification. Throws `SpecificationFault` when it cannot be used. */
export async function readSpecification(path: string, readFile: ReadFile): Promise<Specification | undefined> {
  const file = await readFile(path);
  const { value } = file;
  if (!isRecord(value)) return undefined;
  if (value.asyncapi !== undefined) return readAsync(path, { ...file, value }, readFile);
  if (value.openapi === undefined && value.swagger === undefined) return undefined;
  if (!value.paths && !value.webhooks) throw new SpecificationFault('it has neither paths nor webhooks');
  const isSwagger = value.swagger !== undefined;
  const { document, broken, placeOf } = await bundleFiles({ ...file, value }, readFile);
  return {
    ...{ format: 'openapi', path, file, broken },
    document: upgraded(document),
    placeOf(keys) {
      const place = placeOf(isSwagger ? swaggerPath(keys) : keys);
      return { ...place, path: originalPath(place.file.value, place.path) };
    },
  };
}

async function readAsync(path: string, file: SpecificationFile & { value: Json }, readFile: ReadFile): Promise<Specification> {
  const version = literal(file.value.asyncapi);
  if (!version.startsWith('3.'))
    throw new SpecificationFault(
      `it is AsyncAPI ${version.slice(0, 20)}, and version 3 is read: convert it with "npx @asyncapi/cli convert ${path} --target-version=3.0.0"`,
      file.positionOf(['asyncapi']),
    );
  if (!isRecord(file.value.channels)) throw new SpecificationFault('it has no channels');
  const bundled = await bundleFiles(file, readFile);
  for (const { value, isSchema } of containersOf(bundled.document)) if (isSchema) upgradeSchema(value);
  return { format: 'asyncapi', path, file, ...bundled };
}

/** Brings a schema of AsyncAPI, which is of draft 7, to the form of OpenAPI 3.1. */
function upgradeSchema(schema: Json): void {
  if (typeof schema.discriminator === 'string') schema.discriminator = { propertyName: schema.discriminator };
  if (!Array.isArray(schema.items)) return;
  schema.prefixItems = schema.items;
  delete schema.items;
  if (isRecord(schema.additionalItems)) schema.items = schema.additionalItems;
}

/** The path in a Swagger 2.0 document of what is at a path of OpenAPI 3. */
function swaggerPath([first = '', kind = '', ...rest]: readonly string[]): string[] {
  if (first !== 'components') return [first, kind, ...rest];
  return [kind === 'schemas' ? 'definitions' : kind, ...rest];
}

function upgraded(document: Json): Json {
  try {
    return { ...upgrade(document, '3.1') };
  } catch (error) {
    throw new SpecificationFault(error instanceof Error ? error.message : String(error));
  }
}

/** The path as far as the file has it: an upgrade turns `example` into a list. */
function originalPath(value: unknown, path: readonly string[]): string[] {
  const found: string[] = [];
  let within = value;
  for (const key of path) {
    if (typeof within !== 'object' || within === null) break;
    const own = [key, ...(key === 'examples' ? ['example'] : [])].find((one) => Object.hasOwn(Object(within), one));
    if (own === undefined) break;
    found.push(own);
    if (own !== key) break;
    within = Reflect.get(within, own);
  }
  return found;
}
