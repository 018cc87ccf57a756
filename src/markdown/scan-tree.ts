import { classLanguage } from './components/props.ts';
import { readFence } from './fence.ts';
import { Content, isComponent, type MarkdownNode, type Props } from './tree.ts';

/** What the renderer must know of a whole tree before it renders any part. */
export interface TreeScan {
  /** Languages of the code in it, whose grammars are loaded on demand. */
  languages: Set<string>;
  /** Definitions of links and footnotes, which can follow their use. */
  definitions: MarkdownNode[];
}

export function scanTree(nodes: MarkdownNode[], scan: TreeScan = { languages: new Set(), definitions: [] }): TreeScan {
  for (const node of nodes) {
    if (node.type === 'code') scan.languages.add(readFence(node.lang ?? '', '').language);
    else if (node.type === 'definition' || node.type === 'footnoteDefinition') scan.definitions.push(node);
    else if (isComponent(node)) scanProps(node.props, scan);
    if (node.children) scanTree(node.children, scan);
  }
  return scan;
}

function scanProps(props: Props, scan: TreeScan): void {
  for (const value of Object.values(props)) if (value instanceof Content) scanTree(value.nodes, scan);
  for (const name of [props.language, props.lang]) if (typeof name === 'string') scan.languages.add(name.toLowerCase());
  const language = classLanguage(props);
  if (language) scan.languages.add(language);
}
