// Markdown of an answer as blocks: what models write, not all of CommonMark; HTML is text. Together with inline.ts it is 2.4 kB
// compressed; the lexer of `marked` is 15 kB, `mdast-util-from-markdown` 17 kB, and HTML made by a library would need a sanitizer too.

/** A block with its Markdown. */
export type Block = BlockContent & { source: string };

type BlockContent =
  | { kind: 'paragraph'; text: string }
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'code'; language: string; text: string; closed: boolean }
  | { kind: 'list'; start: number | undefined; items: Block[][] }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'table'; head: string[]; rows: string[][] }
  | { kind: 'rule' };

const deepest = 8;
const fence = /^ {0,3}(`{3,}|~{3,})\s*([^\s`]*)[^`]*$/;
const marker = /^( {0,3})([-*+]|\d{1,9}[.)])(?: +(?=\S)|$)/;
const heading = /^ {0,3}(#{1,6})[ \t]+(.*)$/;
const rule = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const quote = /^ {0,3}> ?/;
const divider = /^ *\|?(?: *:?-+:? *\|)+ *(?::?-+:? *)?$/;

/** The blocks of a Markdown text, which may be incomplete. What is nested deeper than eight levels is text. */
export function readBlocks(text: string, depth = 0): Block[] {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    if (lineAt(lines, at).trim() === '') {
      at++;
      continue;
    }
    const from = at;
    const [block, next] = readBlock(lines, at, depth);
    at = next;
    blocks.push({ ...block, source: lines.slice(from, next).join('\n') });
  }
  return blocks;
}

type Read = [block: BlockContent, next: number];

function readBlock(lines: string[], at: number, depth: number): Read {
  const line = lineAt(lines, at);
  const nests = depth < deepest;
  if (fence.test(line)) return readCode(lines, at);
  const [title, marks = '', words = ''] = heading.exec(line) ?? [];
  if (title !== undefined)
    return [
      {
        kind: 'heading',
        level: marks.length,
        text: words
          .trim()
          .replace(/[ \t]#+$/, '')
          .trimEnd(),
      },
      at + 1,
    ];
  if (rule.test(line)) return [{ kind: 'rule' }, at + 1];
  if (nests && quote.test(line)) {
    const end = endOf(lines, at, (next) => quote.test(next));
    const inner = lines.slice(at, end).map((quoted) => quoted.replace(quote, ''));
    return [{ kind: 'quote', blocks: readBlocks(inner.join('\n'), depth + 1) }, end];
  }
  if (nests && marker.test(line)) return readList(lines, at, depth);
  if (isTable(lines, at)) return readTable(lines, at);
  const end = endOf(
    lines,
    at,
    (next, i) => next.trim() !== '' && !(interrupts(next) || isTable(lines, i) || (nests && quote.test(next))),
  );
  return [
    {
      kind: 'paragraph',
      text: lines
        .slice(at, end)
        .map((part) => part.trimStart())
        .join('\n')
        .trimEnd(),
    },
    end,
  ];
}

/** A line, or '' behind the end. */
function lineAt(lines: string[], at: number): string {
  return lines[at] ?? '';
}

/** The first line after `at` that does not continue the block. */
function endOf(lines: string[], at: number, continues: (line: string, i: number) => boolean): number {
  let end = at + 1;
  while (end < lines.length && continues(lineAt(lines, end), end)) end++;
  return end;
}

function interrupts(line: string): boolean {
  return fence.test(line) || heading.test(line) || rule.test(line) || (marker.test(line) && !/^ {0,3}\d{2,}/.test(line));
}

function readCode(lines: string[], at: number): Read {
  const [, fenceMark = '', language = ''] = fence.exec(lineAt(lines, at)) ?? [];
  const indent = indentOf(lineAt(lines, at));
  const closes = new RegExp(`^ {0,3}${fenceMark[0] === '~' ? '~' : '`'}{${fenceMark.length},}\\s*$`);
  const end = endOf(lines, at, (line) => !closes.test(line));
  const text = lines.slice(at + 1, end).map((line) => line.replace(new RegExp(`^ {0,${indent}}`), ''));
  return [{ kind: 'code', language, text: text.join('\n'), closed: end < lines.length }, Math.min(end + 1, lines.length)];
}

function readList(lines: string[], at: number, depth: number): Read {
  const [, , mark = ''] = marker.exec(lineAt(lines, at)) ?? [];
  const kind = kindOf(mark);
  const items: Block[][] = [];
  let end = at;
  while (end < lines.length) {
    const [found, , foundMark = ''] = marker.exec(lineAt(lines, end)) ?? [];
    if (found === undefined || kindOf(foundMark) !== kind || rule.test(lineAt(lines, end))) break;
    const width = found.length;
    const next = endOf(lines, end, (line, i) => {
      if (line.trim() === '') return belongs(lines, i, width);
      if (indentOf(line) >= Math.min(width, 2)) return true;
      // A line without indent continues the paragraph of the item.
      return lineAt(lines, i - 1).trim() !== '' && !interrupts(line) && !quote.test(line);
    });
    const inner = lines
      .slice(end, next)
      .map((line, i) => (i === 0 ? line.slice(width) : line.replace(new RegExp(`^ {0,${width}}`), '')));
    items.push(readBlocks(inner.join('\n'), depth + 1));
    end = next;
    // Skips blank lines between items.
    const after = endOf(lines, end - 1, (line) => line.trim() === '');
    if (after < lines.length && marker.test(lineAt(lines, after))) end = after;
  }
  return [{ kind: 'list', start: kind === 'number' ? Number.parseInt(mark, 10) : undefined, items }, end];
}

/** Whether the item continues after blank lines. */
function belongs(lines: string[], blank: number, width: number): boolean {
  // More than twenty blank lines end the list.
  const next = endOf(lines, blank, (line, i) => line.trim() === '' && i < blank + 20);
  return next < lines.length && indentOf(lineAt(lines, next)) >= Math.min(width, 2);
}

function indentOf(line: string): number {
  return line.search(/[^ ]|$/);
}

function kindOf(mark: string): string {
  return /\d/.test(mark) ? 'number' : mark;
}

function isTable(lines: string[], at: number): boolean {
  return lineAt(lines, at).includes('|') && divider.test(lineAt(lines, at + 1));
}

function readTable(lines: string[], at: number): Read {
  const end = endOf(lines, at + 1, (line) => line.includes('|') && line.trim() !== '');
  const head = cells(lineAt(lines, at));
  const rows = lines.slice(at + 2, end).map((line) => cells(line).slice(0, head.length));
  return [{ kind: 'table', head, rows }, end];
}

function cells(line: string): string[] {
  const bare = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return bare.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}
