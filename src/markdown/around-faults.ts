// A page with a few faults is MDX all the same: the lines around each fault are read as Markdown, the rest as MDX.
import type { MdxFault } from './mdx-fault.ts';
import type { MarkdownNode } from './tree.ts';

/** After so many faults the page is Markdown, so that the time stays linear: each costs a parse of the page. */
const mostFaults = 20;

interface Lines {
  first: number;
  last: number;
  fault: MdxFault;
}

export interface AroundFaults {
  tree: MarkdownNode;
  /** Source that the positions refer to. */
  source: string;
  faults: MdxFault[];
}

/**
 * Parses MDX with faults. `first` is the error of the whole source. The line of a fault is read as Markdown, and if that does not help, the
 * lines around it up to blank ones. Throws the error that remains when neither helps.
 */
export function parseAroundFaults(
  source: string,
  first: unknown,
  faultOf: (error: unknown, text: string) => MdxFault,
  parse: (text: string, kind: 'mdx' | 'md') => MarkdownNode,
): AroundFaults {
  const lines = source.split('\n');
  let isolated: Lines[] = [];
  let error = first;
  for (let tries = 0; tries < mostFaults; tries++) {
    const text = masked(lines, isolated);
    const next = widened(isolated, faultOf(error, text), lines);
    if (next === undefined) throw error;
    isolated = next;
    try {
      const tree = parse(masked(lines, isolated), 'mdx');
      if (!placeParts(tree, lines, isolated, parse)) throw error;
      return { tree, source: lines.join('\n'), faults: isolated.map(({ fault }) => fault) };
    } catch (again) {
      if (again === error) throw error;
      error = again;
    }
  }
  throw error;
}

/** The lines with those of one more fault; undefined if they are all that can be read apart. */
function widened(isolated: Lines[], fault: MdxFault, lines: string[]): Lines[] | undefined {
  const at = (fault.line ?? 0) - 1;
  if (lines[at] === undefined || lines[at].trim() === '') return undefined;
  const known = isolated.find(({ first, last }) => first <= at && at <= last);
  // A row is only a row with the others of its table.
  if (!known && !/^\s*\|/.test(lines[at])) return [...isolated, { first: at, last: at, fault }];
  let [first, last] = [known?.first ?? at, known?.last ?? at];
  while (first > 0 && lines[first - 1]!.trim() !== '') first--;
  while (last < lines.length - 1 && lines[last + 1]!.trim() !== '') last++;
  if (known && first === known.first && last === known.last) return undefined;
  const others = isolated.filter((one) => one.last < first || one.first > last);
  return [...others, { first, last, fault: known?.fault ?? fault }];
}

// Marks of lists and quotes stay, so that what is around them stays one block.
const containers = /^(?:\s|[-*+]\s|\d+[.)]\s|>)*/;

/** The source with `{0}`, `{1}`, … in place of the isolated lines; every other character keeps its position. */
function masked(lines: string[], isolated: readonly Lines[]): string {
  const text = [...lines];
  for (const [number, { first, last }] of isolated.entries()) {
    const mark = `{${number}}`;
    const before = beforePart(lines[first]!);
    lines[first] = lines[first]!.padEnd(before.length + mark.length);
    for (let at = first; at <= last; at++)
      text[at] = at === first ? (before + mark).padEnd(lines[at]!.length) : ' '.repeat(lines[at]!.length);
  }
  return text.join('\n');
}

function beforePart(line: string): string {
  return containers.exec(line)![0];
}

/** Puts the isolated lines, parsed as Markdown, in place of their marks; false if a mark is missing or stands elsewhere. */
function placeParts(
  tree: MarkdownNode,
  lines: string[],
  isolated: readonly Lines[],
  parse: (text: string, kind: 'mdx' | 'md') => MarkdownNode,
): boolean {
  const starts = [0];
  for (const line of lines) starts.push(starts.at(-1)! + line.length + 1);
  const parts = new Map(isolated.map((part) => [starts[part.first]! + beforePart(lines[part.first]!).length, part] as const));
  const visit = (parent: MarkdownNode): void => {
    parent.children = parent.children?.flatMap((node) => {
      const offset = node.position?.start.offset;
      const part = /^mdx(?:Flow|Text)Expression$/.test(node.type) && offset !== undefined ? parts.get(offset) : undefined;
      if (!part) {
        visit(node);
        return [node];
      }
      parts.delete(offset!);
      const nodes = markdownOf(part, lines, starts, parse);
      return node.type === 'mdxTextExpression' ? nodes.flatMap(inline) : nodes;
    });
  };
  visit(tree);
  return parts.size === 0;
}

function inline(node: MarkdownNode): MarkdownNode[] {
  return node.type === 'paragraph' ? (node.children ?? []) : [node];
}

function markdownOf(
  { first, last }: Lines,
  lines: string[],
  starts: number[],
  parse: (text: string, kind: 'mdx' | 'md') => MarkdownNode,
): MarkdownNode[] {
  const own = lines.slice(first, last + 1);
  const blank = Math.min(...own.slice(1).flatMap((line) => (line.trim() === '' ? [] : [/^\s*/.exec(line)![0].length])));
  const indents = own.map((line, at) => (at === 0 ? beforePart(line).length : Math.min(blank, line.length)));
  const tree = parse(own.map((line, at) => line.slice(indents[at])).join('\n'), 'md');
  const moved = (point: { line: number; column?: number }) => {
    const column = (point.column ?? 1) + (indents[point.line - 1] ?? 0);
    return { line: point.line + first, column, offset: starts[point.line + first - 1]! + column - 1 };
  };
  const move = (node: MarkdownNode): void => {
    if (node.position) node.position = { start: moved(node.position.start), end: moved(node.position.end) };
    node.children?.forEach(move);
  };
  move(tree);
  return tree.children ?? [];
}
