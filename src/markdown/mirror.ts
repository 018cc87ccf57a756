import type { MarkdownNode } from './tree.ts';

export function mirror(
  _nodes: MarkdownNode[],
  options: { source: string; address(href: unknown): string | undefined; untouched: boolean },
): string {
  return options.source.trim();
}
