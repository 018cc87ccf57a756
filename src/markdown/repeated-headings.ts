import type { SourcePage } from '../source/source.ts';
import type { Report } from './context.ts';
import { containerMark } from './prepare.ts';
import { type MarkdownNode, textOf } from './tree.ts';

/** Reports headings that have the text of another one in the same section: a link opens only one of them. */
export function reportRepeatedHeadings(nodes: MarkdownNode[], page: SourcePage, report: Report): void {
  // The texts in the open section of each depth.
  const texts: Set<string>[] = [];
  for (const { type, depth = 1, position, children } of nodes) {
    if (type !== 'heading') continue;
    const text = textOf({ type: 'root', children: children ?? [] }).trim();
    // The beginning and end of a container are headings until they are folded.
    if (text.startsWith(containerMark)) continue;
    texts.length = Math.min(texts.length, depth + 1);
    const inSection = (texts[depth] ??= new Set());
    if (inSection.has(text) && position)
      report({
        kind: 'heading-repeated',
        line: position.start.line + page.bodyLine,
        column: position.start.column,
        message: `The heading "${text}" occurs twice in the same section.`,
        hint: 'Give one of them another text: links to it open the first one.',
      });
    inSection.add(text);
  }
}
