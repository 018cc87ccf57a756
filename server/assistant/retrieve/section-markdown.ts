// The part of a page's Markdown that belongs to a section. The index has a section's anchor, headings and plain text; the Markdown has
// headings without anchors, and in code blocks lines that look like headings. Both are in the order of the page.
import type { IndexedSection } from '../../../integration/search/section-files.ts';

/** What the index has of a section. */
export type SectionOutline = Pick<IndexedSection, 'id' | 'headings' | 'text' | 'code'>;

/**
 * The Markdown of each section of a page, in their order, without its heading; undefined for a section that cannot be told apart. The first
 * section is what comes before the first heading, without the page's title, and without its description unless it has nothing else.
 */
export function sectionsOfMarkdown(markdown: string, sections: SectionOutline[]): (string | undefined)[] {
  const lines = markdown.split('\n');
  const headings = headingsOf(lines);
  const start = headings[0]?.level === 1 && headings[0].line === 0 ? headings.shift()!.next : 0;
  const [lead, ...rest] = sections;
  const hasLead = lead !== undefined && !lead.id.includes('#');
  const named = hasLead ? rest : sections;
  const matched = matchInOrder(named, headings);
  const ends = boundaries(matched, headings, lines.length);
  const parts = named.map((section, i) => {
    const heading = headings[matched[i] ?? -1];
    return heading && verified(lines.slice(heading.next, ends[i]), section);
  });
  if (!hasLead) return parts;
  const first = headings[matched[0] ?? 0]?.line ?? lines.length;
  const before = lines.slice(start, first);
  return [verified(withoutDescription(before), lead) ?? verified(before, lead), ...parts];
}

interface MarkdownHeading {
  level: number;
  /** Letters and digits of its text. */
  key: string;
  /** An id that its author wrote: `## Options {#options}`, `<h2 id="options">`. */
  id: string | undefined;
  line: number;
  /** The line after it. */
  next: number;
}

function headingsOf(lines: string[]): MarkdownHeading[] {
  const found: MarkdownHeading[] = [];
  let fence: string | undefined;
  let isComment = false;
  const add = (level: number, text: string, line: number, next: number, id?: string) => {
    const own = id ?? /\{\s*#([^\s{}]+)[^{}]*\}\s*$/.exec(text)?.[1];
    found.push({ level, key: keyOf(plain(text)), id: own, line, next });
  };
  for (const [i, line] of lines.entries()) {
    const mark = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && /^[ \t>]*[`~]+[ \t]*$/.test(line)) fence = undefined;
      continue;
    }
    if (isComment || line.trimStart().startsWith('<!--')) {
      isComment = !line.includes('-->');
      continue;
    }
    if (mark !== undefined && !(mark.startsWith('`') && line.slice(line.indexOf(mark) + mark.length).includes('`'))) {
      fence = mark;
      continue;
    }
    const [, signs, text] = /^[ \t>]{0,8}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/.exec(line) ?? [];
    if (signs !== undefined) {
      add(signs.length, text ?? '', i, i + 1);
      continue;
    }
    const [, level, attributes = '', inside = ''] = /^\s*<h([1-6])\b([^>]*)>(.*?)<\/h\1>/i.exec(line) ?? [];
    // The title of a step.
    const [, bold] = /^\s*(?:(?:\d{1,9}[.)]|[-*+])\s+)?\*\*([^*]+)\*\*\s*$/.exec(line) ?? [];
    if (level !== undefined) add(Number(level), inside, i, i + 1, /\bid="([^"]*)"/.exec(attributes)?.[1]);
    else if (bold !== undefined) add(7, bold, i, i + 1);
    else if (/^ {0,3}(?:=+|-+)[ \t]*$/.test(line) && /^ {0,3}(?![-*+>|#=<]|\d+[.)])\S/.test(lines[i - 1] ?? ''))
      add(line.includes('=') ? 1 : 2, lines[i - 1]!, i - 1, i + 1);
  }
  return found;
}

/** The text of a heading without marks of Markdown and HTML. */
function plain(text: string): string {
  return text
    .replace(/\s*\{[^{}]*\}\s*$/, '')
    .replace(/<[^>]*>/g, '')
    .replace(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/&[a-z]+;|&#\w+;/gi, '');
}

/** Letters and digits alone: marks, escapes and entities differ between HTML and Markdown. */
function keyOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '') || text.trim();
}

/** For each section the number of its heading; as many as possible in the order of both. */
function matchInOrder(sections: SectionOutline[], headings: MarkdownHeading[]): (number | undefined)[] {
  const wanted = sections.map(({ id, headings }) => ({
    anchor: id.slice(id.indexOf('#') + 1),
    key: keyOf(plain(headings.at(-1) ?? '')),
  }));
  const isSame = (i: number, j: number) =>
    headings[j]!.id === undefined ? headings[j]!.key === wanted[i]!.key : headings[j]!.id === wanted[i]!.anchor;
  if (wanted.length * headings.length > mostCompared) return matchGreedily(wanted.length, headings.length, isSame);
  // The longest common subsequence: `lengths[i][j]` of the sections from `i` and the headings from `j` on.
  const lengths = Array.from({ length: wanted.length + 1 }, () => new Uint16Array(headings.length + 1));
  for (let i = wanted.length - 1; i >= 0; i--)
    for (let j = headings.length - 1; j >= 0; j--)
      lengths[i]![j] = isSame(i, j) ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  let j = 0;
  return wanted.map((_, i) => {
    while (j < headings.length && !isSame(i, j) && lengths[i]![j + 1]! >= lengths[i + 1]![j]!) j++;
    return j < headings.length && isSame(i, j) && lengths[i]![j] === lengths[i + 1]![j + 1]! + 1 ? j++ : undefined;
  });
}

const mostCompared = 4_000_000;

function matchGreedily(count: number, most: number, isSame: (i: number, j: number) => boolean): (number | undefined)[] {
  let from = 0;
  return Array.from({ length: count }, (_, i) => {
    for (let j = from; j < Math.min(most, from + 50); j++)
      if (isSame(i, j)) {
        from = j + 1;
        return j;
      }
    return undefined;
  });
}

/** The line where each section ends: where the next one begins, or else the next heading, which may be that of a section. */
function boundaries(matched: (number | undefined)[], headings: MarkdownHeading[], end: number): number[] {
  return matched.map((heading, i) => {
    if (heading === undefined) return 0;
    const next = i + 1 < matched.length ? (matched[i + 1] ?? heading + 1) : headings.length;
    return headings[next]?.line ?? end;
  });
}

function withoutDescription(lines: string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  const isDescription = first !== -1 && lines[first]!.startsWith('> ') && (lines[first + 1] ?? '').trim() === '';
  return isDescription ? lines.slice(first + 1) : lines;
}

/** The lines of a list item are indented. */
function withoutIndent(lines: string[]): string[] {
  const indents = lines.flatMap((line) => (line.trim() === '' ? [] : [line.length - line.trimStart().length]));
  const least = indents.reduce((a, b) => Math.min(a, b), Infinity);
  return least > 0 && least !== Infinity ? lines.map((line) => line.slice(least)) : lines;
}

const sampled = 40;
const leastShare = 0.6;

/** The part, when it has most words of the section. */
function verified(lines: string[], { text, code }: SectionOutline): string | undefined {
  const part = withoutIndent(lines).join('\n').trim();
  const words = [
    ...new Set(
      `${text}\n${code}`
        .slice(0, 4000)
        .toLowerCase()
        .match(/[\p{L}\p{N}]{3,}/gu),
    ),
  ];
  if (words.length === 0) return part.length < 400 ? part : undefined;
  const bare = part.toLowerCase().replaceAll('\\', '');
  const sample = words.filter((_, i) => i % Math.ceil(words.length / sampled) === 0);
  return sample.filter((word) => bare.includes(word)).length >= sample.length * leastShare ? part : undefined;
}
