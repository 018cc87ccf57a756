// Markdown that parsers take for text or code, although its author meant something else.
import { didYouMean, type Problem } from '../../integration/diagnostics.ts';
import { lineAndColumn } from '../../integration/text/edit.ts';
import { nearest } from '../../integration/text/nearest.ts';
import { alertNames, containerNames, markOf } from './containers.ts';
import type { MarkdownNode } from './tree.ts';

type Mistake = Pick<Problem, 'message' | 'hint' | 'suggestion'> & { at: number };

/** A mistake of Markdown, at a line of the source that was parsed. */
export type MarkdownMistake = Pick<Problem, 'kind' | 'severity' | 'message' | 'hint' | 'suggestion' | 'line' | 'column'>;

/** The mistakes in a parsed page; `source` is what the positions in its tree refer to. */
export function markdownMistakes(tree: MarkdownNode, source: string): MarkdownMistake[] {
  const checks = [
    /^[ \t>]*#{2,6}[^\s#]|^[ \t>]*#{2,6}\u00a0/m.test(source) && headingsWithoutSpace,
    /\]\([^()\n]* [^()\n]*\)/.test(source) && urlsWithSpaces,
    /^[ \t>]*\|.*\|/m.test(source) && brokenTables,
  ].filter((check) => check !== false);
  return [...mistakesIn(tree.children ?? [], source, checks)].map(({ at, ...problem }) => ({
    kind: 'markdown-mistake',
    severity: 'warning',
    ...lineAndColumn(source, at),
    ...problem,
  }));
}

type Check = (text: MarkdownNode, source: string, start: number) => Iterable<Mistake>;

function* mistakesIn(nodes: MarkdownNode[], source: string, checks: Check[]): Generator<Mistake> {
  for (const node of nodes) {
    const { type, children = [], position } = node;
    const start = position?.start.offset;
    if (start !== undefined) {
      if (type === 'code') yield* unclosedFence(source, start, position?.end.offset);
      if (type === 'blockquote') yield* unknownAlert(children, source, start);
      if (type === 'heading') yield* unknownContainer(node, start);
      if (children.some((child) => child.type === 'text')) for (const check of checks) yield* check(node, source, start);
    }
    if (type !== 'paragraph') yield* mistakesIn(children, source, checks);
  }
}

export const openFence = 'The code block is not closed: all that follows it is code.';

function* unclosedFence(source: string, start: number, end: number | undefined): Generator<Mistake> {
  const [, fence] = /^(`{3,}|~{3,})/.exec(source.slice(start, start + 50)) ?? [];
  if (fence === undefined) return;
  const lines = source.slice(start, end).trimEnd().split('\n');
  const isFence = (line: string) => line.replace(/^[ \t>]*/, '').startsWith(fence);
  if (lines.length > 1 && isFence(lines.at(-1)!)) return;
  const hint = `Write ${fence} in a line of its own after the code.`;
  yield { at: start, message: openFence, hint };
}

function* unknownAlert([first]: MarkdownNode[], source: string, start: number): Generator<Mistake> {
  const text = first?.type === 'paragraph' ? source.slice(first.position?.start.offset, first.position?.end.offset) : '';
  const [, word] = /^\[!([A-Za-z-]+)\]/.exec(text) ?? [];
  if (word === undefined || alertNames.includes(word.toLowerCase())) return;
  const types = alertNames.map((name) => `[!${name.toUpperCase()}]`);
  const names = nearest(word, alertNames).map((name) => `[!${name.toUpperCase()}]`);
  const message = `"[!${word}]" is not a type of callout: the quotation is shown with these words.`;
  yield { at: start, message, ...didYouMean(names.slice(0, 1), `The types are ${types.join(', ')}.`) };
}

function* unknownContainer(heading: MarkdownNode, start: number): Generator<Mistake> {
  const name = markOf(heading);
  if (name === undefined || name === '/' || containerNames.includes(name.toLowerCase())) return;
  const similar = nearest(name, containerNames).slice(0, 1);
  // Other generators have containers that only group.
  if (similar.length === 0) return;
  const message = `":::${name}" is not a type of callout: its content is shown as text.`;
  yield { at: start, message, ...didYouMean(similar.map((one) => `:::${one}`)) };
}

/** The lines of a text, without the marks of quotations, each with its start. */
function linesOf({ position }: MarkdownNode, source: string): { text: string; at: number }[] {
  let at = position?.start.offset ?? 0;
  return source
    .slice(at, position?.end.offset)
    .split('\n')
    .map((line) => {
      const text = line.replace(/^[ \t>]*/, '');
      const start = at + line.length - text.length;
      at += line.length + 1;
      return { text: text.trimEnd(), at: start };
    });
}

function* headingsWithoutSpace(node: MarkdownNode, source: string): Generator<Mistake> {
  if (node.type !== 'paragraph') return;
  for (const { text, at } of linesOf(node, source)) {
    const [, marks = '', rest = ''] = /^(#{2,6})(?![# \t])(\S?.*)$/.exec(text) ?? [];
    if (rest === '' || !isText(node, at)) continue;
    const suggestion = `${marks} ${rest.trim().slice(0, 60)}`;
    const message = `"${text.slice(0, 60)}" is shown as text, not as a heading: a space must follow the ${marks}.`;
    yield { at, message, hint: `Write "${suggestion}".`, suggestion };
  }
}

const path = /^(?:\.{0,2}\/|https?:\/\/)|\.(?:mdx?|html|pdf|png|jpe?g|gif|svg|webp|avif|mp4)$/i;

function* urlsWithSpaces(node: MarkdownNode, source: string, start: number): Generator<Mistake> {
  for (const found of source.slice(start, node.position?.end.offset).matchAll(/(?<!\\)(!?)\[[^\]\n]*\]\(([^()<>"'\n]+)\)/g)) {
    const [, image, written = ''] = found;
    const url = written.trim();
    if (!url.includes(' ') || !path.test(url) || !isText(node, start + found.index)) continue;
    const suggestion = url.replaceAll(' ', '%20');
    const message = `The URL "${url}" of ${image ? 'an image' : 'a link'} has spaces: ${image ? 'the image' : 'the link'} is shown as text.`;
    yield { at: start + found.index, message, hint: `Write ${suggestion}, or <${url}>.`, suggestion };
  }
}

const separator = /^(?=.*\|)(?=.*[-–—=])[\s|:\-–—=_]+$/;
const cellsOf = (row: string) => row.replace(/^\||(?<!\\)\|$/g, '').split(/(?<!\\)\|/).length;

/** A text with rows of a table: the line below its first one is not what parsers expect. */
function* brokenTables(node: MarkdownNode, source: string): Generator<Mistake> {
  if (node.type !== 'paragraph') return;
  const lines = linesOf(node, source);
  const first = lines.findIndex(({ text }) => /^\|.*\|$/.test(text));
  const rows = lines.slice(first);
  if (first < 0 || rows.length < 2 || !rows.every(({ text }) => /^\|.*\|$/.test(text))) return;
  const [head, below] = rows;
  if (!head || !below || !isText(node, head.at)) return;
  const columns = cellsOf(head.text);
  const line = `|${' --- |'.repeat(columns)}`;
  const problem = separator.test(head.text)
    ? 'the line above its hyphens is missing'
    : !separator.test(below.text)
      ? 'a line of hyphens below its first row is missing'
      : cellsOf(below.text) === columns
        ? 'the line below its first row is not one of hyphens'
        : `its first row has ${columns} columns, and the line below it ${cellsOf(below.text)}`;
  if (columns < 2 && cellsOf(below.text) < 2) return;
  const hint = separator.test(head.text) ? 'Write the row of titles above it, without a blank line between.' : `Write ${line}`;
  yield { at: separator.test(below.text) ? below.at : head.at, message: `The table is shown as text: ${problem}.`, hint };
}

/** Whether the character at a place is text, and not code, a link or the like. */
function isText(node: MarkdownNode, at: number): boolean {
  const child = node.children?.find(
    ({ position }) => (position?.start.offset ?? 0) <= at && at < (position?.end.offset ?? Number.POSITIVE_INFINITY),
  );
  if (child === undefined || child.type === 'text') return true;
  return /^(?:emphasis|strong|delete)$/.test(child.type) && isText(child, at);
}
