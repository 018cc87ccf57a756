// CommonMark takes an element and the lines below it for one block of HTML, in which nothing is Markdown. The content of a
// component is Markdown in a page that cannot be read as MDX, too.
import type { MarkdownNode } from './tree.ts';

/** A part of a block of HTML: one tag of a component, or the lines between two of them. */
export interface BlockPart {
  kind: 'tag' | 'content';
  value: string;
  /** Lines of the block before it. */
  linesBefore: number;
}

const openingTag = /^[ \t]*<([A-Z][\w.]*)(?:\s(?:"[^"]*"|'[^']*'|[^"'<>])*)?>/;
const closingTag = /<\/([A-Z][\w.]*)>[ \t]*$/;
/** What has text that looks like tags. */
const hasOtherText = /<!--|<(?:code|pre|script|style|svg|textarea)\b/i;
const longestLine = 2000;

/** The parts of a block of HTML that has components which begin or end a line; undefined for another block. */
export function componentParts(html: MarkdownNode, isComponentName: (name: string) => boolean): BlockPart[] | undefined {
  const { value = '' } = html;
  if (!/<\/?[A-Z]/.test(value) || hasOtherText.test(value)) return undefined;
  const parts: BlockPart[] = [];
  let fence: RegExp | undefined;
  for (const [linesBefore, line] of value.split('\n').entries()) {
    const [, marks] = (!fence && /^[ \t>]*(`{3,}(?=[^`]*$)|~{3,})/.exec(line)) || [];
    if (fence?.test(line)) fence = undefined;
    else if (fence || marks || line.length > longestLine) {
      if (marks) fence = new RegExp(`^[ \\t>]*${marks}[\`~]*\\s*$`);
    } else {
      parts.push(...partsOfLine(line, isComponentName).map((part) => ({ ...part, linesBefore })));
      continue;
    }
    parts.push({ kind: 'content', value: line, linesBefore });
  }
  return parts.some(({ kind }) => kind === 'tag') ? joinContent(parts) : undefined;
}

function partsOfLine(line: string, isComponentName: (name: string) => boolean): Omit<BlockPart, 'linesBefore'>[] {
  let rest = line;
  const before: string[] = [];
  const after: string[] = [];
  for (let tag = openingTag.exec(rest); tag; tag = openingTag.exec(rest)) {
    const [whole, name = ''] = tag;
    const content = rest.slice(whole.length);
    const end = whole.endsWith('/>') ? content : content.slice(indexOrEnd(content, `</${name}>`));
    if (!isComponentName(name) || !/^(?:<\/[A-Z][\w.]*>|\s)*$/.test(end)) break;
    before.push(whole.trim());
    rest = content;
  }
  for (let tag = closingTag.exec(rest); tag; tag = closingTag.exec(rest)) {
    const [whole, name = ''] = tag;
    if (!isComponentName(name) || rest.includes(`<${name}`)) break;
    after.unshift(whole.trim());
    rest = rest.slice(0, tag.index);
  }
  const tags = (values: string[]) => values.map((value) => ({ kind: 'tag', value }) as const);
  const hasTags = before.length + after.length > 0;
  return [...tags(before), ...(hasTags && !rest.trim() ? [] : [{ kind: 'content', value: rest } as const]), ...tags(after)];
}

function indexOrEnd(text: string, part: string): number {
  const at = text.indexOf(part);
  return at === -1 ? text.length : at;
}

function joinContent(parts: BlockPart[]): BlockPart[] {
  const joined: { part: BlockPart; lines: string[] }[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.kind === 'content' && last?.part.kind === 'content') last.lines.push(part.value);
    else joined.push({ part, lines: [part.value] });
  }
  return joined
    .map(({ part, lines }) => ({ ...part, value: part.kind === 'tag' ? part.value : withoutIndentation(lines).join('\n') }))
    .filter(({ value }) => value.trim());
}

function withoutIndentation(lines: string[]): string[] {
  const indents = lines.filter((line) => line.trim()).map((line) => line.length - line.trimStart().length);
  const indent = indents.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY);
  return indents.length > 0 ? lines.map((line) => line.slice(Math.min(indent, line.length - line.trimStart().length))) : lines;
}
