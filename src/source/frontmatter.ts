import { createRequire } from 'node:module';
import { parse, YAMLParseError, type ErrorCode } from 'yaml';
import { isRecord } from '../../integration/text/json.ts';
import { unreadGroup } from './readers.ts';
import { createProblem, type Position, type Problem } from '../../integration/diagnostics.ts';
import { errorMessage } from '../../integration/errors.ts';

export interface FrontmatterResult {
  frontmatter: Record<string, unknown>;
  /** Text after the block, with `\n` line breaks. */
  body: string;
  /** Number of lines before `body`. */
  bodyLine: number;
  problem?: Problem;
}

/**
 * Splits a page into frontmatter and body. The block is YAML between lines of `---`, or TOML between lines of `+++`, as Hugo has it. Both can
 * follow empty lines. One that is neither causes a warning: of YAML, its plain `key: value` lines are used. A page whose `groups` cannot be read
 * is for nobody.
 */
export function readFrontmatter(text: string, file: string): FrontmatterResult {
  const { source, block, toml } = blockOf(text);
  if (toml)
    return {
      ...readToml(toml[2] ?? '', { file, linesBefore: countLines(toml[1]!) + 1 }),
      body: source.slice(toml[0].length),
      bodyLine: countLines(toml[0]),
    };
  if (!block) {
    const [start = ''] = /^\s*(?:---|\+\+\+|\{.*)[ \t]*\n(?:.*\S.*\n){0,100}/.exec(source) ?? [];
    return { frontmatter: unreadGroups(start), body: source, bodyLine: 0, problem: unclosedBlock(source, file) };
  }
  const yaml = block[1] ?? '';
  const body = source.slice(block[0].length);
  const bodyLine = countLines(block[0]);
  const simple = simpleBlock(yaml);
  if (simple) return { frontmatter: simple, body, bodyLine };
  try {
    const value: unknown = parse(yaml, { logLevel: 'error' }) ?? {};
    if (isRecord(value)) return { frontmatter: value, body, bodyLine };
    return {
      frontmatter: unreadGroups(yaml),
      body,
      bodyLine,
      problem: notYamlProblem(file, { line: 2 }, 'it does not contain "key: value" lines'),
    };
  } catch (error) {
    return { frontmatter: { ...unreadGroups(yaml), ...plainLines(yaml) }, body, bodyLine, problem: faultOf(file, yaml, error) };
  }
}

/** The `body` of `readFrontmatter`, for a file whose frontmatter is known. */
export function bodyOf(text: string): string {
  const { source, block, toml } = blockOf(text);
  return source.slice((block ?? toml)?.[0].length);
}

function blockOf(text: string) {
  const source = (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text).replace(/\r\n?/g, '\n');
  const block = /^---[ \t]*\n(?:([\s\S]*?)\n)?---[ \t]*(?:\n|$)/.exec(source) ?? blockBelowEmptyLines(source);
  const toml = block ? null : /^(\s*)\+\+\+[ \t]*\n(?:([\s\S]*?)\n)?\+\+\+[ \t]*(?:\n|$)/.exec(source);
  return { source, block, toml };
}

/** A block in which all is keys and values; any other begins with a thematic break. */
function blockBelowEmptyLines(source: string): RegExpExecArray | null {
  if (!/^\s*\n---[ \t]*\n[A-Za-z_][\w-]*:(?:[ \t]|\n)/.test(source)) return null;
  const block = /^\s*\n---[ \t]*\n([\s\S]*?)\n---[ \t]*(?:\n|$)/.exec(source);
  try {
    return isRecord(parse(block?.[1] ?? '', { logLevel: 'error' })) ? block : null;
  } catch {
    return null;
  }
}

function readToml(
  toml: string,
  { file, linesBefore }: { file: string; linesBefore: number },
): Pick<FrontmatterResult, 'frontmatter' | 'problem'> {
  const { parse, TomlError } = tomlParser();
  try {
    // Dates become texts, as those of YAML are.
    return { frontmatter: JSON.parse(JSON.stringify(parse(toml))) as Record<string, unknown> };
  } catch (error) {
    const position =
      error instanceof TomlError ? { line: error.line + linesBefore, column: error.column } : { line: linesBefore };
    const message = `The frontmatter of ${file} is not valid TOML: ${errorMessage(error)
      .split('\n', 1)[0]!
      .replace(/^Invalid TOML document: /, '')}. It is not used.`;
    const problem = { kind: 'frontmatter-not-yaml', severity: 'warning', page: file, ...position, message } as const;
    return { frontmatter: unreadGroups(toml), problem: { ...problem, hint: 'Quote texts, and write each key once.' } };
  }
}

const require = createRequire(import.meta.url);

/** Loaded only for a page with TOML. */
function tomlParser(): typeof import('smol-toml') {
  return require('smol-toml');
}

/** Limits a page to nobody if its frontmatter names groups but cannot be read: they must not become everybody. */
function unreadGroups(block: string): Record<string, unknown> {
  return /(?:^|[{,])\s*["']?groups["']?\s*[:=]/im.test(block) ? { groups: [unreadGroup] } : {};
}

/** A block that parsers take for text. */
function unclosedBlock(source: string, file: string): Problem | undefined {
  const [start, before = ''] = /^(\s*)---[ \t]*\n[A-Za-z_][\w-]*:(?:[ \t].*)?\n/.exec(source) ?? [];
  if (start === undefined) return undefined;
  const line = countLines(before) + 1;
  const isLate = before !== '' && /^---[ \t]*$/m.test(source.slice(start.length));
  if (before !== '' && !isLate) return undefined;
  return createProblem({
    kind: 'markdown-mistake',
    page: file,
    line,
    column: 1,
    message: `The frontmatter of ${file} is shown as text: ${isLate ? 'it is not valid YAML' : 'it is not closed'}.`,
    hint: isLate
      ? 'Remove the lines above it, and Carrel reports what is wrong with it.'
      : 'Write --- in a line of its own after its last key.',
  });
}

/** Where a file has a field of its frontmatter. */
export function positionOfField(text: string, name: string): Position | undefined {
  const [, before = '', block = ''] = /^\uFEFF?((?:\s*\n)?)---[ \t]*\r?\n([\s\S]*?)\n---/.exec(text) ?? [];
  const index = block.split('\n').findIndex((line) => line.startsWith(`${name}:`));
  return index < 0 ? undefined : { line: countLines(before) + index + 2, column: 1 };
}

function faultOf(file: string, yaml: string, error: unknown): Problem {
  const at = error instanceof YAMLParseError ? error.linePos?.[0] : undefined;
  const line = at?.line ?? 1;
  // The block begins in the second line of the file.
  const position = { line: line + 1, ...(at && { column: at.col }) };
  const [, key = '', value = ''] = /^\s*([^\s:#][^:]*):\s+(.*?)\s*$/.exec(yaml.split('\n')[line - 1] ?? '') ?? [];
  if (/:\s|\s#|^[@`%&*!|>[{]/.test(value) && !/^["']/.test(value)) {
    const quoted = `${key}: ${value.includes('"') ? `'${value.replaceAll("'", "''")}'` : `"${value}"`}`;
    return {
      ...notYamlProblem(file, position, `the value of "${key}" needs quotes`),
      hint: `Write ${quoted}`,
      suggestion: quoted,
    };
  }
  const reason = error instanceof YAMLParseError ? yamlReasons[error.code] : undefined;
  return notYamlProblem(file, position, reason ?? 'this line is not a "key: value" line');
}

/** What is wrong with a line of YAML, in the words of its author; undefined for rare mistakes. */
export const yamlReasons: Partial<Record<ErrorCode, string>> = {
  DUPLICATE_KEY: 'this key occurs twice',
  MISSING_CHAR: 'a quote or bracket is not closed, or a space is missing after a colon',
  BAD_INDENT: 'this line is indented in another way than those around it',
  TAB_AS_INDENT: 'this line is indented with a tab: use spaces',
  BAD_DQ_ESCAPE: 'a backslash in double quotes must be written twice',
  MULTILINE_IMPLICIT_KEY: 'a colon is missing after the key',
  BLOCK_AS_IMPLICIT_KEY: 'this value contains ": " and needs quotes',
  BAD_ALIAS: 'a value that begins with * or & needs quotes',
  BAD_SCALAR_START: 'a value that begins with @ or ` needs quotes',
};

function notYamlProblem(file: string, position: Pick<Problem, 'line' | 'column'>, reason: string): Problem {
  return createProblem({
    kind: 'frontmatter-not-yaml',
    page: file,
    ...position,
    message: `The frontmatter of ${file} is not valid YAML: ${reason}. Only its plain "key: value" lines are used.`,
    hint: 'Quote values that contain ": " or start with a special character.',
  });
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
  const lines = yaml.split('\n');
  for (const [index, line] of lines.entries()) {
    const [, key, value = ''] = plainLine.exec(line) ?? [];
    if (key === undefined || key === '__proto__') continue;
    const text = openQuote.test(value) ? textOfOpenQuote(value, lines, index + 1) : value.replace(/^(["'])(.*)\1$/, '$2');
    if (text !== '' || !openQuote.test(value)) result[key] = text === 'true' ? true : text === 'false' ? false : text;
  }
  return result;
}

const plainLine = /^([A-Za-z_][\w-]*): +(\S.*?) *$/;
const openQuote = /^(?:"[^"]*|'[^']*)$/;

/** The text of a quote that ends in a later line, which other parsers also accept without indentation. */
function textOfOpenQuote(value: string, lines: string[], next: number): string {
  const isEnd = (line: string) => line.trimEnd().endsWith(value.charAt(0));
  let end = next;
  while (end < lines.length && !plainLine.test(lines[end]!) && !isEnd(lines[end]!)) end++;
  const last = lines[end];
  if (last === undefined || plainLine.test(last)) return value.slice(1);
  const text = [value.slice(1), ...lines.slice(next, end), last.trimEnd().slice(0, -1)];
  return text.join(' ').replace(/\s+/g, ' ').trim();
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
