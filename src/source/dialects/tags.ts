// Tags of Hugo (`{{< note >}}`), Liquid and GitBook (`{% hint %}`): found outside code, matched with their closing tags, and replaced.
import { joined, type Line, type Surroundings, surroundingsOf } from './lines.ts';

export const hasTags = /\{\{[<%]|\{%|\{\{-?\s*(?:(?:page|site|include|layout|book)\.|["'])/;

/** A tag: `{{< name … >}}`, `{% name … %}`, or `{{ page.name }}`, whose name is `=`. */
export interface Tag {
  syntax: 'hugo' | 'liquid';
  name: string;
  /** Verbatim, after the name. */
  rest: string;
  named: Record<string, string>;
  positional: string[];
  source: string;
  /** 1-based line of the body. */
  line: number;
  /** Verbatim text up to the closing tag; undefined without one. */
  inner?: string;
  /** The tag around it. */
  parent?: Tag;
  /** Number of tags of the same name before it in `parent`. */
  index: number;
}

/** What replaces a tag. */
export interface Replacement {
  /** Lines of their own before and after the content. */
  before?: string[];
  after?: string[];
  /** Text in place of the opening tag, within its line. */
  text?: string;
  /** Text in place of the closing tag. */
  end?: string;
  /** Text in place of the content, for code that no other translation may change. */
  inner?: string;
}

export type Translate = (tag: Tag) => Replacement;

interface Token {
  tag: Tag;
  start: number;
  end: number;
  /** Index of the token that closes or opens this one. */
  partner?: number;
  isClosing: boolean;
  depth: number;
}

/** A longer tag is text. */
const longestTag = 4000;
/** Deeper tags show only their content. */
const deepest = 40;

/** The lines with all tags replaced. */
export function translateTags(lines: Line[], translate: Translate): Line[] {
  const output = new TagOutput(lines);
  const { text, starts, around } = output;
  const tokens = tokensOf(text, lines, starts, (row) => around[row]?.isCode ?? false);
  if (tokens.length === 0) return lines.map((line) => ({ text: unescaped(line.text), number: line.number }));
  pair(tokens, text);

  let at = 0;
  const replacements: ((Replacement & { isInline: boolean }) | undefined)[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token.start < at) continue;
    output.copy(at, token.start);
    output.moveTo(token.start);
    at = token.end;
    const opening = token.isClosing ? token.partner : i;
    if (opening === undefined) continue;
    // Headings and tables have no room for blocks.
    const isInline = /^[ \t>]*(?:#{1,6}[ \t]|\|)/.test(output.line) || token.depth > deepest;
    if (!token.isClosing) replacements[i] = { ...translate(token.tag), isInline };
    const replacement = replacements[opening];
    if (!replacement) continue;
    const own = token.isClosing ? replacement.after : replacement.before;
    // The rest of a line that has only the tag is no content.
    if (own && !replacement.isInline) at = output.addLines(own, at) ? afterLine(text, at) : at;
    else output.addWords((token.isClosing ? replacement.end : replacement.text) ?? '');
    if (!token.isClosing && token.partner !== undefined && replacement.inner !== undefined) {
      output.addContent(replacement.inner);
      at = tokens[token.partner]!.start;
    }
  }
  output.copy(at, text.length);
  output.breakLine();
  return output.translated.map((line) => ({ text: unescaped(line.text), number: line.number }));
}

/** The translated lines while they are written. */
class TagOutput {
  readonly text: string;
  /** Offsets of the lines in the text. */
  readonly starts: number[] = [];
  readonly around: Surroundings[];
  readonly translated: Line[] = [];
  /** The line that is being written. */
  line = '';
  private readonly lines: readonly Line[];
  private row = 0;
  private lastRow = 0;

  constructor(lines: readonly Line[]) {
    this.lines = lines;
    this.around = surroundingsOf(lines);
    this.text = joined(lines);
    let offset = 0;
    for (const line of lines) {
      this.starts.push(offset);
      offset += line.text.length + 1;
    }
  }

  breakLine(): void {
    this.add(this.line);
    this.line = '';
  }

  /** Goes on after what is at an offset. */
  moveTo(offset: number): void {
    while (this.row + 1 < this.starts.length && (this.starts[this.row + 1] ?? 0) <= offset) this.row++;
    this.lastRow = this.row;
  }

  copy(from: number, to: number): void {
    let at = from;
    while (at < to) {
      this.moveTo(at);
      const end = Math.min(to, (this.starts[this.row] ?? 0) + (this.lines[this.row]?.text.length ?? 0));
      this.line += this.text.slice(at, end);
      at = end;
      if (at < to) {
        this.breakLine();
        at++;
        this.lastRow = ++this.row;
      }
    }
  }

  /** Adds lines of their own, at the indentation of this one; whether the tag that ends at `next` is the last of its line. */
  addLines(own: readonly string[], next: number): boolean {
    const prefix = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*/.exec(this.line)?.[0] ?? '';
    let indent = prefix.replace(/[^\s>]/g, ' ');
    if (this.line.trim() !== '' && this.line.trim() !== '>') this.breakLine();
    if (!this.around[this.lastRow]?.isInList && /^ {4}|\t/.test(indent)) indent = '';
    if (this.isBelowHtml()) this.add('');
    for (const line of own) this.add(indent + line);
    const isLast = /^[ \t]*(?:\n|$)/.test(this.text.slice(next, next + 200));
    this.line = isLast ? '' : indent;
    return isLast;
  }

  addWords(words: string): void {
    // Markdown directly below an HTML tag would be part of the HTML.
    if (/^!?\[/.test(words) && this.line.trim() === '' && this.isBelowHtml()) this.add('');
    this.line += words;
  }

  /** Adds the lines of a content, at the indentation of this one. */
  addContent(content: string): void {
    const indent = this.line;
    for (const [index, line] of content.split('\n').entries()) {
      if (index > 0) this.breakLine();
      this.line += index === 0 || line.startsWith(indent) || line === '' || indent.trim() !== '' ? line : indent + line;
    }
  }

  private isBelowHtml(): boolean {
    return this.translated.at(-1)?.text.includes('<') ?? false;
  }

  private add(text: string): void {
    this.translated.push({ text, number: this.lines[Math.min(this.lastRow, this.lines.length - 1)]?.number ?? 1 });
  }
}

// A page of Hugo shows `{{< note >}}` by writing it as `{{</* note */>}}`.
export function unescaped(text: string): string {
  if (!text.includes('/*') && !text.includes('*/')) return text;
  return text.replace(/\{\{([<%])\/\*/g, '{{$1').replace(/\*\/([>%])\}\}/g, '$1}}');
}

function afterLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}

const candidate = /`+|\{\{[<%]|\{%|\{\{/g;
const output = /\{\{-?[ \t]*((?:page|site|include|layout|book)\.[\w.-]+|"[^"\n{}]*"|'[^'\n{}]*')[ \t]*((?:\|[^{}\n]*?)?)-?\}\}/y;

/** The tags of a text in order. Each part of the text is looked at once. */
function tokensOf(text: string, lines: readonly Line[], starts: readonly number[], isCode: (row: number) => boolean): Token[] {
  const tokens: Token[] = [];
  const ends = new Map<string, number>();
  const endOf = (mark: string, from: number): number => {
    const known = ends.get(mark);
    if (known !== undefined && (known === -1 || known >= from)) return known;
    const found = text.indexOf(mark, from);
    ends.set(mark, found);
    return found;
  };
  let row = 0;
  const search = new RegExp(candidate);
  for (let match = search.exec(text); match; match = search.exec(text)) {
    const [mark] = match;
    const start = match.index;
    while (row + 1 < starts.length && (starts[row + 1] ?? 0) <= start) row++;
    if (isCode(row)) {
      while (row + 1 < starts.length && isCode(row + 1)) row++;
      search.lastIndex = starts[row + 1] ?? text.length;
      continue;
    }
    if (mark.startsWith('`')) {
      const close = codeEnd(text, mark, start, search);
      if (close !== undefined) search.lastIndex = close;
      continue;
    }
    const line = lines[row]?.number ?? 1;
    if (mark === '{{') {
      output.lastIndex = start;
      const [source, value, filters = ''] = output.exec(text) ?? [];
      if (source === undefined || value === undefined) continue;
      search.lastIndex = start + source.length;
      const tag: Tag = { syntax: 'liquid', name: '=', rest: filters, named: {}, positional: [value], source, line, index: 0 };
      tokens.push({ tag, start, end: search.lastIndex, isClosing: false, depth: 0 });
      continue;
    }
    const closeMark = mark === '{%' ? '%}' : mark === '{{<' ? '>}}' : '%}}';
    const close = endOf(closeMark, start + mark.length);
    if (close === -1 || close - start > longestTag) continue;
    const end = close + closeMark.length;
    const token = tokenOf(text.slice(start, end), mark, closeMark, line);
    if (!token) continue;
    search.lastIndex = end;
    tokens.push({ ...token, start, end, depth: 0 });
  }
  return tokens;
}

/** The offset after the code span that begins with `mark`; undefined if it has no end in its paragraph. */
function codeEnd(text: string, mark: string, start: number, search: RegExp): number | undefined {
  const from = start + mark.length;
  const blank = text.slice(from, from + 5000);
  const paragraph = /\n[ \t]*\n/.exec(blank);
  const inside = paragraph ? blank.slice(0, paragraph.index) : blank;
  search.lastIndex = from;
  const runs = /`+/g;
  for (let run = runs.exec(inside); run; run = runs.exec(inside))
    if (run[0].length === mark.length) return from + run.index + mark.length;
  return undefined;
}

const argument =
  /([A-Za-z_][\w.-]*)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|`([^`]*)`|([^\s"'`,]+))|"((?:[^"\\]|\\.)*)"|'([^']*)'|`([^`]*)`|([^\s,]+)/g;

function tokenOf(source: string, mark: string, closeMark: string, line: number): Pick<Token, 'tag' | 'isClosing'> | undefined {
  let words = source.slice(mark.length, -closeMark.length).trim();
  const syntax = mark === '{%' ? 'liquid' : 'hugo';
  const empty = { syntax, named: {}, positional: [], source, line, index: 0 } as const;
  // `{{</* note */>}}` is how a page shows `{{< note >}}`.
  if (words.startsWith('/*') && words.endsWith('*/')) {
    return { tag: { ...empty, name: '/*', rest: unescaped(source), positional: [] }, isClosing: false };
  }
  words = words.replace(/^-\s*|\s*-$/g, '');
  const isSelfClosing = syntax === 'hugo' && words.endsWith('/');
  if (isSelfClosing) words = words.slice(0, -1);
  const [, slash = '', written = '', rest = ''] = /^(\/?)\s*([A-Za-z_][\w./-]*)([^]*)$/.exec(words) ?? [];
  if (!written) return undefined;
  const isEnd = syntax === 'liquid' && /^end[_a-z]/.test(written);
  const name = (isEnd ? written.slice(3) : written).toLowerCase();
  const named: Record<string, string> = Object.create(null);
  const positional: string[] = [];
  for (const [, key, a, b, c, d, e, f, g, h] of rest.matchAll(argument)) {
    const value = (a ?? b ?? c ?? d ?? e ?? f ?? g ?? h ?? '').replace(/\\(["\\])/g, '$1');
    if (key === undefined) positional.push(value);
    else named[key.toLowerCase()] = value;
  }
  return { tag: { ...empty, name, rest: rest.trim(), named, positional }, isClosing: slash !== '' || isEnd };
}

/** Matches closing tags with opening ones; every token is opened and closed at most once. */
function pair(tokens: Token[], text: string): void {
  const open: number[] = [];
  const byName = new Map<string, number[]>();
  const verbatim = new Set(['raw', 'highlight', 'comment']);
  let inVerbatim: Token | undefined;
  for (const [i, token] of tokens.entries()) {
    const key = `${token.tag.syntax} ${token.tag.name}`;
    if (inVerbatim && !(token.isClosing && token.tag.name === inVerbatim.tag.name)) continue;
    if (!token.isClosing) {
      if (token.tag.name === '=' || token.tag.name === '/*') continue;
      open.push(i);
      const same = byName.get(key);
      if (same) same.push(i);
      else byName.set(key, [i]);
      if (verbatim.has(token.tag.name)) inVerbatim = token;
      continue;
    }
    inVerbatim = undefined;
    const same = byName.get(key);
    const partner = same?.at(-1);
    if (partner === undefined) continue;
    for (let last = open.pop(); last !== undefined; last = open.pop()) {
      const { tag } = tokens[last]!;
      byName.get(`${tag.syntax} ${tag.name}`)?.pop();
      if (last === partner) break;
    }
    const opening = tokens[partner]!;
    opening.partner = i;
    token.partner = partner;
    opening.tag.inner = text.slice(opening.end, token.start);
  }
  // What is open around each token.
  const parents: Token[] = [];
  const counts = new Map<Tag | undefined, Map<string, number>>();
  for (const token of tokens) {
    if (token.isClosing) {
      if (token.partner !== undefined) {
        parents.pop();
        token.depth = parents.length;
      }
      continue;
    }
    token.depth = parents.length;
    token.tag.parent = parents.at(-1)?.tag;
    const names = counts.get(token.tag.parent) ?? new Map<string, number>();
    counts.set(token.tag.parent, names);
    token.tag.index = names.get(token.tag.name) ?? 0;
    names.set(token.tag.name, token.tag.index + 1);
    if (token.partner !== undefined) parents.push(token);
  }
}
