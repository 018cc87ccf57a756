// A file of a specification, JSON or YAML, which knows the line of each of its values.
import { hash } from 'node:crypto';
import { errorMessage } from '../../integration/errors.ts';
import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { isMap, isNode, isPair, isScalar, isSeq, LineCounter, parseDocument, type YAMLError } from 'yaml';
import { yamlReasons } from '../source/frontmatter.ts';
import { conflictIn } from '../source/merge-conflict.ts';
import { jsonFault } from '../source/parse-json.ts';

export interface Position {
  /** 1-based. */
  line: number;
  column: number;
}

export interface SpecificationFile {
  /** Path in the docs folder, or URL. */
  location: string;
  value: unknown;
  /** SHA-256 (hex) of its bytes. */
  digest: string;
  /** Where the value at these keys is; of a value that does not exist, where the nearest one around it is. */
  positionOf(path: readonly string[]): Position | undefined;
}

/** Why a specification cannot be used, as part of a sentence. */
export class SpecificationFault extends Error {
  readonly position?: Position;
  constructor(message: string, position?: Position) {
    super(message);
    this.position = position;
  }
}

/** Larger files are not read: parsing one would take longer than the export. */
export const largestFile = 64 * 1024 * 1024;
/** The parser of YAML takes fifty times the size of the file in memory, and a kilobyte for each value. */
const largestYaml = 20 * 1024 * 1024;
const mostYamlValues = 750_000;
/** In a larger file of YAML, the lines of problems are not looked for: that takes longer than the export. */
const largestForLines = 8 * 1024 * 1024;

/** Throws `SpecificationFault` with the place of the first mistake. */
export function parseFile(location: string, bytes: Uint8Array): SpecificationFile {
  const text = Buffer.from(bytes).toString();
  const digest = hash('sha256', bytes);
  // Schemas in other languages are shown as they are.
  if (/\.(?:proto|raml|xsd)$/i.test(location.replace(/[?#].*$/s, '')))
    return { location, value: text, digest, positionOf: () => undefined };
  const json = /^\s*[{[]/.test(text) ? fromJson(text) : undefined;
  if (json) {
    let tree: ReturnType<typeof parseTree>;
    return {
      ...{ location, value: json.value, digest },
      positionOf(path) {
        tree ??= parseTree(text);
        for (let length = path.length; tree && length > 0; length--) {
          const node = findNodeAtLocation(tree, indexes(json.value, path.slice(0, length)));
          if (node) return positionAt(text, node.parent?.type === 'property' ? node.parent.offset : node.offset);
        }
        return undefined;
      },
    };
  }
  checkYamlSize(bytes);
  const parsed = parseYaml(text);
  const [error] = parsed.document.errors;
  if (error) throw faultOf(text, error, linePosition(parsed.lines, error.pos[0]));
  // The lines of several problems are looked for one after the other.
  let last = new WeakRef(parsed);
  return {
    ...{ location, value: parsed.document.toJS({ maxAliasCount: 1000 }), digest },
    positionOf(path) {
      if (text.length > largestForLines) return undefined;
      const found = last.deref() ?? parseYaml(text);
      last = new WeakRef(found);
      const { document, lines } = found;
      const offset = yamlOffset(document.contents, path);
      return offset === undefined ? undefined : linePosition(lines, offset);
    },
  };
}

/** Why a text is neither JSON nor the YAML that it looks like, and where. */
function faultOf(text: string, { code, message }: YAMLError, position: Position): SpecificationFault {
  if (/^\s*[{[]/.test(text) || conflictIn(text) !== undefined) {
    const { reason, ...at } = jsonFault(text);
    return new SpecificationFault(reason, at);
  }
  return new SpecificationFault(yamlReasons[code] ?? message.split(/ at line |\n/, 1)[0]!, position);
}

/** JSON.parse is faster; where it fails, the parser of YAML says why, if the file is not too large for it. */
function fromJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (text.length <= largestForLines) return undefined;
    throw new SpecificationFault(errorMessage(error));
  }
}

function checkYamlSize(bytes: Uint8Array): void {
  if (bytes.length > largestYaml) throw new SpecificationFault('YAML is read up to 20 MB, JSON up to 64 MB');
  let values = 0;
  // Each value but the first follows a line break, or a comma or bracket of a list in one line.
  for (const byte of bytes) if (byte === 0x0a || byte === 0x2c || byte === 0x5b || byte === 0x7b) values++;
  if (values > mostYamlValues)
    throw new SpecificationFault(
      'it has more than 750,000 lines and items, which is the limit of YAML: convert it to JSON, which is read up to 64 MB',
    );
}

function parseYaml(text: string) {
  const lines = new LineCounter();
  return { document: parseDocument(text, { lineCounter: lines, logLevel: 'silent', uniqueKeys: false }), lines };
}

function linePosition(lines: LineCounter, offset: number): Position {
  const { line, col: column } = lines.linePos(offset);
  return { line, column };
}

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

/** Keys of arrays as numbers. */
function indexes(value: unknown, path: readonly string[]): (string | number)[] {
  let within: unknown = value;
  return path.map((key) => {
    const isIndex = Array.isArray(within);
    within = typeof within === 'object' && within !== null && Object.hasOwn(within, key) ? Reflect.get(within, key) : undefined;
    return isIndex ? Number(key) : key;
  });
}

function yamlOffset(contents: unknown, path: readonly string[]): number | undefined {
  let node: unknown = contents;
  let offset: number | undefined;
  for (const key of path) {
    if (isMap(node)) {
      const pair = node.items.find((one) => isPair(one) && String(isScalar(one.key) ? one.key.value : one.key) === key);
      if (!pair) break;
      offset = isNode(pair.key) ? pair.key.range?.[0] : offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(key)];
      offset = isNode(node) ? node.range?.[0] : offset;
    } else break;
  }
  return offset;
}
