// Markdown of an answer as blocks. Small on purpose: what models write, not all of CommonMark. HTML is text.

export type Block = { source: string } & (
  | { kind: 'paragraph'; text: string }
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'code'; language: string; text: string; closed: boolean }
  | { kind: 'list'; start: number | undefined; items: Block[][] }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'table'; head: string[]; rows: string[][] }
  | { kind: 'rule' }
);

const deepest = 8;
const fence = /^ {0,3}(`{3,}|~{3,})\s*([^\s`]*)[^`]*$/;
const marker = /^( {0,3})([-*+]|\d{1,9}[.)])(?: +(?=\S)|$)/;
const heading = /^ {0,3}(#{1,6})[ \t]+(.*)$/;
const rule = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const quote = /^ {0,3}> ?/;
const divider = /^ *\|?(?: *:?-+:? *\|)+ *(?::?-+:? *)?$/;

/** The blocks of a Markdown text; a text that has only begun gives the blocks that there are so far. Beyond eight levels all is text. */
export function readBlocks(text: string, depth = 0): Block[] {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    if (lines[at]!.trim() === '') {
      at++;
      continue;
    }
    const from = at;
    const [block, next] = readBlock(lines, at, depth);
    at = next;
    blocks.push({ ...block, source: lines.slice(from, next).join('\n') } as Block);
  }
  return blocks;
}

type Read = [block: object, next: number];

function readBlock(lines: string[], at: number, depth: number): Read {
  const line = lines[at]!;
  const nests = depth < deepest;
  if (fence.test(line)) return readCode(lines, at);
  const title = heading.exec(line);
  if (title)
    return [
      {
        kind: 'heading',
        level: title[1]!.length,
        text: title[2]!
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

/** The first line after `at` that does not go on. */
function endOf(lines: string[], at: number, goesOn: (line: string, i: number) => boolean): number {
  let end = at + 1;
  while (end < lines.length && goesOn(lines[end]!, end)) end++;
  return end;
}

function interrupts(line: string): boolean {
  return fence.test(line) || heading.test(line) || rule.test(line) || (marker.test(line) && !/^ {0,3}\d{2,}/.test(line));
}

function readCode(lines: string[], at: number): Read {
  const [, fenceMark = '', language = ''] = fence.exec(lines[at]!)!;
  const indent = /^ */.exec(lines[at]!)![0].length;
  const closes = new RegExp(`^ {0,3}${fenceMark[0] === '~' ? '~' : '`'}{${fenceMark.length},}\\s*$`);
  const end = endOf(lines, at, (line) => !closes.test(line));
  const text = lines.slice(at + 1, end).map((line) => line.replace(new RegExp(`^ {0,${indent}}`), ''));
  return [{ kind: 'code', language, text: text.join('\n'), closed: end < lines.length }, Math.min(end + 1, lines.length)];
}

function readList(lines: string[], at: number, depth: number): Read {
  const first = marker.exec(lines[at]!)!;
  const kind = kindOf(first[2]!);
  const items: Block[][] = [];
  let end = at;
  while (end < lines.length) {
    const found = marker.exec(lines[end]!);
    if (!found || kindOf(found[2]!) !== kind || rule.test(lines[end]!)) break;
    const width = found[0].length;
    const next = endOf(lines, end, (line, i) => {
      if (line.trim() === '') return belongs(lines, i, width);
      if (indentOf(line) >= Math.min(width, 2)) return true;
      // A line that just goes on with the item's paragraph.
      return lines[i - 1]!.trim() !== '' && !interrupts(line) && !quote.test(line);
    });
    const inner = lines
      .slice(end, next)
      .map((line, i) => (i === 0 ? line.slice(width) : line.replace(new RegExp(`^ {0,${width}}`), '')));
    items.push(readBlocks(inner.join('\n'), depth + 1));
    end = next;
    // Blank lines between items.
    const after = endOf(lines, end - 1, (line) => line.trim() === '');
    if (after < lines.length && marker.test(lines[after]!)) end = after;
  }
  return [{ kind: 'list', start: kind === 'number' ? Number.parseInt(first[2]!, 10) : undefined, items }, end];
}

/** Whether after blank lines the item goes on. */
function belongs(lines: string[], blank: number, width: number): boolean {
  // Whoever writes more blank lines has ended the list.
  const next = endOf(lines, blank, (line, i) => line.trim() === '' && i < blank + 20);
  return next < lines.length && indentOf(lines[next]!) >= Math.min(width, 2);
}

function indentOf(line: string): number {
  return /^ */.exec(line)![0].length;
}

function kindOf(mark: string): string {
  return /\d/.test(mark) ? 'number' : mark;
}

function isTable(lines: string[], at: number): boolean {
  return lines[at]!.includes('|') && divider.test(lines[at + 1] ?? '');
}

function readTable(lines: string[], at: number): Read {
  const end = endOf(lines, at + 1, (line) => line.includes('|') && line.trim() !== '');
  const head = cells(lines[at]!);
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
