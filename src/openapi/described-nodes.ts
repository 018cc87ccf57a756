// The reference of a page after its body, whatever it describes.
import type { ReferenceLabels } from '../../integration/texts/index.ts';
import type { MarkdownNode } from '../markdown/tree.ts';
import { channelNodes } from './channel-nodes.ts';
import type { Channel } from './channels.ts';
import { componentSchemaNodes, type ComponentSchema } from './component-schemas.ts';
import { definitionNodes, type DefinitionLinks } from './definition-nodes.ts';
import type { Definition } from './definitions.ts';
import type { Json } from './json.ts';
import { operationNodes } from './operation-nodes.ts';
import type { Operation } from './operations.ts';

/** What the page of a specification describes. */
export type AnyDescribed = Operation | ComponentSchema | Channel | Definition;

/**
 * `shown` is the description in the page's head, `script` the name of the script that its playground loads, `links` the pages that a definition
 * links to.
 */
export function describedNodes(
  document: Json,
  described: AnyDescribed,
  labels: ReferenceLabels,
  shown: { shown?: unknown; script?: string; links?: DefinitionLinks } = {},
): MarkdownNode[] {
  switch (described.kind) {
    case 'operation':
      return operationNodes(document, described, labels, shown);
    case 'schema':
      return componentSchemaNodes(document, described, labels, shown);
    case 'channel':
      return channelNodes(document, described, labels, shown);
    case 'definition':
      return definitionNodes(described, labels, shown);
  }
}
