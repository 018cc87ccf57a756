import { readFence } from './fence.ts';
import type { MarkdownNode, PropValue } from './tree.ts';
import { Content } from './tree.ts';

/** Languages of all the code in a tree, for loading their grammars before it is rendered. */
export function languagesOf(nodes: MarkdownNode[], found = new Set<string>()): Set<string> {
  for (const node of nodes) {
    if (node.type === 'code') found.add(readFence(node.lang ?? '', '').language);
    if (node.type === 'component') {
      for (const value of Object.values(node.props as Record<string, PropValue>))
        if (value instanceof Content) languagesOf(value.nodes, found);
      const { language, lang, className } = node.props;
      for (const name of [language, lang]) if (typeof name === 'string') found.add(name.toLowerCase());
      const named = /language-([\w+#-]+)/.exec(String(className ?? node.props.class ?? ''))?.[1];
      if (named) found.add(named);
    }
    if (node.children) languagesOf(node.children, found);
  }
  return found;
}
