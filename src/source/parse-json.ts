import { createRequire } from 'node:module';
import type { ParseError } from 'jsonc-parser';
import { ExportError } from '../../integration/errors.ts';

/** Reads JSON. Throws `ConfigNotJson` with file, line and column. */
export function parseJson(text: string, file: string): unknown {
  const json = withoutByteOrderMark(text);
  try {
    return JSON.parse(json);
  } catch (cause) {
    const { offset } = parseTree(json).error ?? { offset: json.length };
    const before = json.slice(0, offset).split('\n');
    const found = offset < json.length ? `"${json[offset]}" is unexpected` : 'the file ends unexpectedly';
    throw new ExportError(
      'ConfigNotJson',
      `${file} is not valid JSON at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${found}.`,
      'Check whether a comma, a quote or a bracket is missing or superfluous there or just before.',
      { cause },
    );
  }
}

/** The lines of the values in a JSON text. */
export type JsonLines = ReturnType<typeof jsonLines>;

export function jsonLines(text: string) {
  const json = withoutByteOrderMark(text);
  const { root } = parseTree(json);
  const nodeAt = (path: readonly PropertyKey[]) =>
    root &&
    parser().findNodeAtLocation(
      root,
      path.filter((key) => typeof key !== 'symbol'),
    );
  return {
    /** 1-based line of the value at a path, or of its key. Undefined when the text does not contain it. */
    lineOf(path: readonly PropertyKey[]): number | undefined {
      const node = nodeAt(path);
      const start = node?.parent?.type === 'property' ? node.parent : node;
      return start && json.slice(0, start.offset).split('\n').length;
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
