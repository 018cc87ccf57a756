import { parse, YAMLParseError } from 'yaml';
import { errorMessage } from '../../integration/errors.ts';
import { isObject } from './by-kind.ts';
import type { Problem } from '../../integration/diagnostics.ts';

export interface FrontmatterResult {
  frontmatter: Record<string, unknown>;
  /** Text after the block, with `\n` line breaks. */
  body: string;
  /** Number of lines before `body`. */
  bodyLine: number;
  problem?: Problem;
}

/** Splits a page into frontmatter and body. A block that is not YAML causes a warning; its plain `key: value` lines are used. */
export function readFrontmatter(text: string, file: string): FrontmatterResult {
  const source = (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text).replace(/\r\n?/g, '\n');
  const block = /^---[ \t]*\n(?:([\s\S]*?)\n)?---[ \t]*(?:\n|$)/.exec(source);
  if (!block) return { frontmatter: {}, body: source, bodyLine: 0 };
  const yaml = block[1] ?? '';
  const body = source.slice(block[0].length);
  const bodyLine = countLines(block[0]);
  const simple = simpleBlock(yaml);
  if (simple) return { frontmatter: simple, body, bodyLine };
  try {
    const value: unknown = parse(yaml, { logLevel: 'error' }) ?? {};
    if (isObject(value)) return { frontmatter: value, body, bodyLine };
    return { frontmatter: {}, body, bodyLine, problem: notYamlProblem(file, 2, 'it does not contain "key: value" lines') };
  } catch (error) {
    const line = error instanceof YAMLParseError ? (error.linePos?.[0].line ?? 1) : 1;
    const [reason = ''] = errorMessage(error).split(/ at line |\n/);
    return { frontmatter: plainLines(yaml), body, bodyLine, problem: notYamlProblem(file, line + 1, reason) };
  }
}

function notYamlProblem(file: string, line: number, reason: string): Problem {
  return {
    kind: 'frontmatter-not-yaml',
    severity: 'warning',
    page: file,
    line,
    message: `The frontmatter of ${file} is not valid YAML: ${reason}. Only its plain "key: value" lines are used.`,
    hint: 'Quote values that contain ": " or start with a special character.',
  };
}

const simpleLine = /^([A-Za-z_][\w-]*):(?: +(?:"([^"\\]*)"|'([^']*)'|(\S.*?)))? *$/;
// A plain scalar that YAML reads as exactly this text.
const plainText = /^\p{L}(?:[^:#]|:(?=[^\s])|(?<=\S)#)*$/u;
const quotedList = /^\[(?:"[^"\\\p{Cc}]*"(?:, ?"[^"\\\p{Cc}]*")*)?\]$/u;
const reserved = /^(?:true|false|null|True|TRUE|False|FALSE|Null|NULL)$/;

/**
 * Parses a block of plain `key: value` lines with the same result as a YAML parser, which costs more than reading the rest of a page;
 * null for any other block.
 */
export function simpleBlock(yaml: string): Record<string, unknown> | null {
  const result: Record<string, unknown> = {};
  for (const line of yaml.split('\n')) {
    if (line === '') continue;
    const match = simpleLine.exec(line);
    if (!match || line.includes('\t')) return null;
    const [, key = '', double, single, plain] = match;
    if (Object.hasOwn(result, key) || key === '__proto__') return null;
    const value = double ?? single ?? (plain === undefined ? null : plainValue(plain));
    if (value === undefined) return null;
    result[key] = value;
  }
  return result;
}

function plainValue(text: string): string | number | boolean | string[] | undefined {
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^(?:0|[1-9]\d{0,14})$/.test(text)) return Number(text);
  if (text.startsWith('[')) return quotedList.test(text) ? (JSON.parse(text) as string[]) : undefined;
  return plainText.test(text) && !reserved.test(text) && !text.endsWith(':') ? text : undefined;
}

function plainLines(yaml: string): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const line of yaml.split('\n')) {
    const [, key, value = ''] = /^([A-Za-z_][\w-]*): +(\S.*?) *$/.exec(line) ?? [];
    if (key === undefined || key === '__proto__') continue;
    const text = value.replace(/^(["'])(.*)\1$/, '$2');
    result[key] = text === 'true' ? true : text === 'false' ? false : text;
  }
  return result;
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
