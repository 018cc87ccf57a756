// The reference of a page after its body, whatever it describes.
import type { ReferenceLabels } from '../../integration/search/labels/en.ts';
import type { MarkdownNode } from '../markdown/tree.ts';
import { channelNodes } from './channel-nodes.ts';
import type { Channel } from './channels.ts';
import { definitionNodes, type DefinitionLinks } from './definition-nodes.ts';
import type { Definition } from './definitions.ts';
import type { Json } from './json.ts';
import { operationNodes } from './operation-nodes.ts';
import type { Operation } from './operations.ts';

/**
 * `shown` is the description in the page's head, `script` the name of the script that its playground loads, `links` the pages that a definition
 * links to.
 */
export function describedNodes(
  document: Json,
  described: Operation | Channel | Definition,
  labels: ReferenceLabels,
  shown: { shown?: unknown; script?: string; links?: DefinitionLinks } = {},
): MarkdownNode[] {
  if (described.kind === 'definition') return definitionNodes(described, labels, shown);
  return described.kind === 'operation'
    ? operationNodes(document, described, labels, shown)
    : channelNodes(document, described, labels, shown);
}
