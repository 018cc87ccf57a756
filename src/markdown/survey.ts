import { readFence } from './fence.ts';
import { Content, type MarkdownNode, type PropValue } from './tree.ts';

/** What has to be known of a whole tree before any of it is rendered. */
export interface Survey {
  /** Languages of its code, whose grammars are loaded on demand. */
  languages: Set<string>;
  /** Definitions of links and footnotes, which stand anywhere. */
  definitions: MarkdownNode[];
}

export function survey(nodes: MarkdownNode[], found: Survey = { languages: new Set(), definitions: [] }): Survey {
  for (const node of nodes) {
    if (node.type === 'code') found.languages.add(readFence(node.lang ?? '', '').language);
    else if (node.type === 'definition' || node.type === 'footnoteDefinition') found.definitions.push(node);
    else if (node.type === 'component') surveyProps(node.props, found);
    if (node.children) survey(node.children, found);
  }
  return found;
}

function surveyProps(props: Record<string, PropValue>, found: Survey): void {
  for (const value of Object.values(props)) if (value instanceof Content) survey(value.nodes, found);
  for (const name of [props.language, props.lang]) if (typeof name === 'string') found.languages.add(name.toLowerCase());
  const named = /language-([\w+#-]+)/.exec(String(props.className ?? props.class ?? ''))?.[1];
  if (named) found.languages.add(named);
}
