// The named schemas of an OpenAPI specification. A page that names one shows it; the navigation lists none by itself.
import type { ReferenceLabels } from '../../integration/texts/index.ts';
import { objectOf } from '../../integration/text/json.ts';
import type { MarkdownNode } from '../markdown/tree.ts';
import { createDigests } from './digests.ts';
import { extensionsOf, type Described } from './described.ts';
import { schemaExample } from './examples.ts';
import { pointerOf, resolved, string, type Json } from './json.ts';
import { externalDocs, fieldsOf } from './operation-nodes.ts';
import { around, markdown } from './nodes.ts';
import { createContext } from './schema-nodes.ts';
import type { Specification } from './specification.ts';

/** An entry of `components.schemas`. */
export interface ComponentSchema extends Described {
  kind: 'schema';
  /** '#/components/schemas/User' */
  reference: string;
}

export function componentSchemasOf({ document }: Pick<Specification, 'document'>): ComponentSchema[] {
  const digestOf = createDigests(document);
  return Object.entries(objectOf(objectOf(document.components).schemas)).map(([key, schema]) => {
    const reference = pointerOf(['components', 'schemas', encodeURIComponent(key)]);
    const value = resolved(document, schema);
    const title = string(value.title) ?? key;
    const description = string(value.description);
    return {
      kind: 'schema',
      name: `schema ${key}`,
      ...{ reference, title, summary: title, ...extensionsOf(value) },
      ...(description !== undefined && { description }),
      deprecated: value.deprecated === true,
      hidden: true,
      digest: () => digestOf([key, schema]),
    };
  });
}

/** The content of a schema's page after its body. `shown` is the description in the page's head. */
export function componentSchemaNodes(
  document: Json,
  { reference, description }: ComponentSchema,
  labels: ReferenceLabels,
  { shown }: { shown?: unknown } = {},
): MarkdownNode[] {
  const example = schemaExample(document, { $ref: reference });
  return [
    ...markdown(description?.trim() === shown ? undefined : description),
    ...externalDocs(resolved(document, { $ref: reference })),
    ...around('ResponseExample', {}, example),
    // Its description is there already.
    ...fieldsOf({ $ref: reference, description: undefined }, createContext(document, labels), false),
  ];
}
