import { createRequire } from 'node:module';
import type { Node, ParseError } from 'jsonc-parser';
import type { Position } from '../../integration/diagnostics.ts';
import { ExportError } from '../../integration/errors.ts';
import { each } from '../../integration/text/each.ts';
import { lineAndColumn } from '../../integration/text/edit.ts';
import { conflictIn, unmerged } from './merge-conflict.ts';

/** Reads JSON. Throws `ConfigNotJson` with file, line and column. */
export function parseJson(text: string, file: string): unknown {
  const json = withoutByteOrderMark(text);
  try {
    return JSON.parse(json);
  } catch (cause) {
    const { line, column, reason } = jsonFault(json);
    throw new ExportError(
      'ConfigNotJson',
      `${file} is not valid JSON at line ${line}, column ${column}: ${reason}.`,
      'Correct it there.',
      { cause, at: { file, line, column } },
    );
  }
}

/** Where an author has to change a text that is not JSON, and why. */
export function jsonFault(json: string): Position & { reason: string } {
  const conflict = conflictIn(json);
  const { offset, reason } =
    conflict === undefined ? faultOf(json, parseTree(json).error) : { offset: conflict, reason: `it ${unmerged}` };
  return { ...lineAndColumn(json, offset), reason };
}

function faultOf(json: string, error: ParseError | undefined): { offset: number; reason: string } {
  if (json.trim() === '') return { offset: 0, reason: 'the file is empty' };
  if (!error) return { offset: json.length, reason: 'the file ends unexpectedly' };
  const { offset, length, error: code } = error;
  const before = json.slice(0, offset).trimEnd();
  const end = before.length;
  const next = json.slice(offset).trimStart()[0];
  const name = parser().printParseErrorCode(code);
  if (name === 'PropertyNameExpected' || name === 'ValueExpected') {
    if (next === undefined && name === 'PropertyNameExpected')
      return { offset: end, reason: `the file ends unexpectedly after "${before.at(-1)}"` };
    if ((next === '}' || next === ']') && before.endsWith(','))
      return { offset: end - 1, reason: `this comma is superfluous: "${next}" follows it` };
    if (name === 'ValueExpected') return { offset: Math.min(offset, end), reason: 'a value is missing here' };
  }
  if (name === 'InvalidSymbol')
    return { offset, reason: `${json.slice(offset, offset + Math.min(length, 40))} needs double quotes` };
  if (Object.hasOwn(missing, name)) return { offset: end, reason: missing[name]! };
  if (Object.hasOwn(faults, name)) return { offset, reason: faults[name]! };
  return { offset, reason: offset < json.length ? `"${json[offset]}" is unexpected` : 'the file ends unexpectedly' };
}

/** What is missing after the text before the place that the parser names. */
const missing: Record<string, string> = {
  CommaExpected: 'a comma is missing after this value',
  ColonExpected: 'a colon is missing after this key',
  CloseBraceExpected: 'the file ends unexpectedly: a closing } is missing',
  CloseBracketExpected: 'the file ends unexpectedly: a closing ] is missing',
};

/** What is wrong at the place that the parser names. */
const faults: Record<string, string> = {
  PropertyNameExpected: 'a key is missing here: it needs double quotes',
  UnexpectedEndOfString: 'the closing quote of this text is missing',
  InvalidCommentToken: 'JSON does not have comments: remove it',
  EndOfFileExpected: 'this text comes after the end of the JSON',
  ...each('this text contains a backslash that must be written twice (\\\\)', 'InvalidEscapeCharacter InvalidUnicode'),
  InvalidCharacter: 'this text contains a line break or a tab, which must be written as \\n or \\t',
};

/** The positions of the values in a JSON text. */
export type JsonPositions = ReturnType<typeof jsonPositions>;

export function jsonPositions(text: string) {
  const json = withoutByteOrderMark(text);
  const { root } = parseTree(json);
  const nodeAt = (path: readonly PropertyKey[]) =>
    root &&
    parser().findNodeAtLocation(
      root,
      path.filter((key) => typeof key !== 'symbol'),
    );
  const startOf = (node: Node) => lineAndColumn(json, (node.parent?.type === 'property' ? node.parent : node).offset);
  let texts: Map<string, Position> | undefined;
  return {
    /** Of the value at a path, or of its key. Undefined when the text does not contain it. */
    at(path: readonly PropertyKey[]): Position | undefined {
      const node = nodeAt(path);
      return node && startOf(node);
    },
    /** Of the first value that is this text. */
    ofText(wanted: string): Position | undefined {
      texts ??= textsIn(root, startOf);
      return texts.get(wanted);
    },
    /** Removes a value: the items after it in an array get lower indexes. */
    remove(path: readonly PropertyKey[]): void {
      const siblings = nodeAt(path.slice(0, -1))?.children;
      const node = nodeAt(path);
      const index = siblings?.findIndex((one) => one === node || one === node?.parent) ?? -1;
      if (node && index !== -1) siblings?.splice(index, 1);
    },
  };
}

function textsIn(root: Node | undefined, startOf: (node: Node) => Position): Map<string, Position> {
  const found = new Map<string, Position>();
  const open = root ? [root] : [];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'string' && !found.has(node.value)) found.set(node.value, startOf(node));
    // The key of a property is its first child.
    const children = node.type === 'property' ? node.children?.slice(1) : node.children;
    open.push(...(children ?? []).toReversed());
  }
  return found;
}

function parseTree(json: string) {
  const errors: ParseError[] = [];
  const root = parser().parseTree(json, errors, { disallowComments: true });
  return { root, error: errors[0] };
}

function withoutByteOrderMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

const require = createRequire(import.meta.url);

/** Loaded only for a file with a fault. */
function parser(): typeof import('jsonc-parser') {
  return require('jsonc-parser');
}
