import { voidNames } from '../../integration/html/read-html.ts';
import { decodeEntities } from '../source/entities.ts';
import { withoutMarks } from './prepare.ts';
import type { MarkdownNode } from './tree.ts';

// Raw HTML in Markdown comes in pieces: `<div>` in one node, `</div>` in another, Markdown between them.
// This step joins the pieces to elements, so that HTML in Markdown and JSX in MDX are handled alike.

type Piece =
  | { kind: 'text'; value: string }
  | { kind: 'open'; name: string; attributes: Record<string, string | true>; closed: boolean; source: string }
  | { kind: 'close'; name: string };

/** Siblings whose raw HTML nodes are replaced by elements with the nodes between their tags. Comments are removed. */
export function foldHtml(nodes: MarkdownNode[], inline: boolean, isKnown: (name: string) => boolean): MarkdownNode[] {
  const root: MarkdownNode[] = [];
  const open: { name: string; node: MarkdownNode; source: string; known: boolean }[] = [];
  const target = () => open.at(-1)?.node.children ?? root;
  let rawEnd: string | undefined;
  const pieces = nodes.map((node) => (node.type === 'html' ? piecesOf(node.value ?? '') : []));
  /** Closing tags that follow, by name. */
  const left = new Map<string, number>();
  for (const piece of pieces.flat())
    if (piece.kind === 'close') left.set(piece.name.toLowerCase(), (left.get(piece.name.toLowerCase()) ?? 0) + 1);
  for (const [i, node] of nodes.entries()) {
    if (node.type !== 'html') {
      if (!rawEnd) target().push(node);
      continue;
    }
    for (const piece of pieces[i] ?? []) {
      if (piece.kind === 'close') left.set(piece.name.toLowerCase(), (left.get(piece.name.toLowerCase()) ?? 0) - 1);
      if (rawEnd) {
        if (piece.kind === 'close' && piece.name.toLowerCase() === rawEnd) rawEnd = undefined;
      } else if (piece.kind === 'text') target().push({ type: 'text', value: piece.value });
      else if (piece.kind === 'close') {
        const at = open.findLastIndex((entry) => entry.name.toLowerCase() === piece.name.toLowerCase());
        if (at !== -1) while (open.length > at) open.pop();
      } else {
        if (!piece.closed && rawTextTags.has(piece.name.toLowerCase())) {
          // Without an end, as in code within HTML, it would take the rest of the page with it.
          if (left.get(piece.name.toLowerCase())) rawEnd = piece.name.toLowerCase();
          else target().push({ type: 'text', value: piece.source });
          continue;
        }
        const element = elementOf(piece, inline, node);
        target().push(element);
        if (!piece.closed && !voidNames.has(piece.name.toLowerCase()) && open.length < deepestTags)
          open.push({ name: piece.name, node: element, source: piece.source, known: isKnown(piece.name) });
      }
    }
  }
  // `List<String>` in text is not an unclosed element.
  for (const { node, source, known } of open) if (!known) Object.assign(node, { type: 'unclosed', source });
  return root.flatMap(unwrapUnclosed);
}

function unwrapUnclosed(node: MarkdownNode): MarkdownNode[] {
  if (node.type !== 'unclosed' && node.type !== 'mdxJsxFlowElement' && node.type !== 'mdxJsxTextElement') return [node];
  const children = node.children?.flatMap(unwrapUnclosed) ?? [];
  return node.type === 'unclosed' ? [{ type: 'text', value: node.source }, ...children] : [{ ...node, children }];
}

function elementOf(piece: Piece & { kind: 'open' }, inline: boolean, node: MarkdownNode): MarkdownNode {
  return {
    type: inline ? 'mdxJsxTextElement' : 'mdxJsxFlowElement',
    name: piece.name,
    attributes: Object.entries(piece.attributes).map(([name, value]) => ({
      type: 'mdxJsxAttribute',
      name,
      value: value === true ? null : value,
    })),
    children: [],
    position: node.position,
  };
}

/** Deepest level of tags within tags; deeper tags become siblings. */
const deepestTags = 200;

const rawTextTags = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'noembed', 'noframes', 'template']);

const tag = /<(\/?)([A-Za-z][\w.:-]*)((?:"[^"]*"|'[^']*'|[^"'<>])*)>|<!--[\s\S]*?(?:-->|$)|<[!?][^>]*>/g;
const attribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|\{([^{}]*)\}|([^\s"'=<>`]+)))?/g;

function piecesOf(html: string): Piece[] {
  const pieces: Piece[] = [];
  let last = 0;
  const addText = (text: string) => text && pieces.push({ kind: 'text', value: decodeEntities(withoutMarks(text)) });
  for (const match of html.matchAll(tag)) {
    addText(html.slice(last, match.index));
    last = match.index + match[0].length;
    const [source, slash, name, rest = ''] = match;
    if (!name) continue;
    if (slash) pieces.push({ kind: 'close', name });
    else {
      const attributes: Record<string, string | true> = Object.create(null);
      for (const [, key = '', double, single, braces, bare] of rest.matchAll(attribute)) {
        const value = double ?? single ?? braces ?? bare;
        attributes[key] = value === undefined ? true : decodeEntities(value);
      }
      pieces.push({ kind: 'open', name, attributes, closed: rest.trimEnd().endsWith('/'), source });
    }
  }
  addText(html.slice(last));
  return pieces;
}
