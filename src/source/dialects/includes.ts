// Files that a page includes: `--8<-- "a.md"`, `<!--@include: ./a.md-->`, `<<< @/a.ts`, `{{#include a.rs}}`, `{!a.md!}`, `[!INCLUDE [a](a.md)]`,
// `[!code-js[a](a.js?name=b)]`, `:::code source="a.js" id="b":::`.
import { surroundingsOf, type Line } from './lines.ts';

export const hasIncludes = /-8<-|@include:|<<<|\{\{#(?:rustdoc_)?include|\{!|\{\*[ \t]|\[!INCLUDE|\[!code|:::code[ \t]/i;

/** The lines of the part of a file that a page includes; undefined if there are none, which is reported. */
export type ReadInclude = (
  include: Pick<Include, 'path' | 'part' | 'ownLinks'>,
  line: number,
  isCode: boolean,
) => Line[] | undefined;

interface Include {
  indent: string;
  path: string;
  /** Which part: a line or range of lines (`2:5`), or the name of a region. */
  part?: string;
  /** Whether the text is shown as code, in this language if it is set. */
  isCode: boolean;
  title?: string;
  /** Lines to highlight: `{1,3-5}`. */
  highlighted?: string;
  /** Whether links in the file begin at the file, not at the page. */
  ownLinks?: boolean;
}

const scissors = /^([ \t>]*)-{2,}8<-{2,}[ \t]+["'](.+?)["'][ \t]*$/;
const scissorsLine = /^[ \t>]*-{2,}8<-{2,}[ \t]*$/;

/** The lines with the files that they include. In a code fence, what cannot be included stays. */
export function insertIncludes(lines: Line[], read: ReadInclude): Line[] {
  const around = surroundingsOf(lines);
  const inserted: Line[] = [];
  let inBlock = false;
  for (const [i, line] of lines.entries()) {
    const isCode = around[i]?.isCode ?? false;
    if (!isCode && scissorsLine.test(line.text)) {
      inBlock = !inBlock;
      continue;
    }
    const path = line.text.trim();
    const found = inBlock && path ? { indent: '', path: path.replace(/^;\s*/, ''), isCode: false } : includeOn(line.text, isCode);
    if (!found) {
      inserted.push(line);
      continue;
    }
    const shown = read(found, line.number, isCode);
    const add = (text: string) => inserted.push({ text: text && found.indent + text, number: line.number });
    if (!shown) {
      if (isCode) inserted.push(line);
      else add(`\`${found.path.replaceAll('`', '')}\``);
    } else if (found.isCode && !isCode) {
      const fence = shown.some(({ text }) => text.includes('```')) ? '~~~~~~' : '```';
      const language = /\.(\w+)$/.exec(found.path)?.[1] ?? '';
      add(
        `${fence}${language}${found.title ? ` title="${found.title.replaceAll('"', '')}"` : ''}${found.highlighted ? ` {${found.highlighted}}` : ''}`,
      );
      for (const { text } of shown) add(text);
      add(fence);
    } else for (const { text } of shown) add(text);
  }
  return inserted;
}

function includeOn(text: string, isCode: boolean): Include | undefined {
  if (!hasIncludes.test(text) || text.length > 2000) return undefined;
  const [, indent = '', path = ''] = scissors.exec(text) ?? [];
  if (path) return { indent, ...partIn(path), isCode: false };
  const [, bookIndent = '', bookPath = ''] =
    /^([ \t]*)\{\{#(?:rustdoc_)?include[ \t]+([^{}\s]+)[ \t]*\}\}[ \t]*$/.exec(text) ?? [];
  if (bookPath) return { indent: bookIndent, ...partIn(bookPath), isCode: false };
  const [, bangIndent = '', bangPath = ''] = /^([ \t]*)\{!>?[ \t]*([^!{}\s]+)[^!{}]*!\}[ \t]*$/.exec(text) ?? [];
  if (bangPath) return { indent: bangIndent, path: bangPath, isCode: false };
  if (isCode) return undefined;
  const [, starIndent = '', starPath = '', starOptions = ''] =
    /^([ \t]*)\{\*[ \t]+([^{}*\s]+)([^{}*]*)\*\}[ \t]*$/.exec(text) ?? [];
  const [, sampleIndent = '', samplePath = '', query = ''] =
    /^([ \t>]*)\[!code(?:-[\w-]+)?[ \t]*\[[^\]]*\]\(([^)\s?#]+)([^)\s]*)[^)]*\)\][ \t]*$/i.exec(text) ?? [];
  if (samplePath) return { indent: sampleIndent, path: samplePath, part: partOfSample(query), isCode: true };
  const [, blockIndent = '', options = ''] = /^([ \t>]*):::code[ \t]+(.*?):::[ \t]*$/i.exec(text) ?? [];
  const blockPath = /\bsource="([^"]+)"/.exec(options)?.[1];
  if (blockPath) return { indent: blockIndent, path: blockPath, part: partOfSample(options), isCode: true };
  if (starPath) return { indent: starIndent, path: starPath, isCode: true, ...variantOf(starOptions) };
  const [, codeIndent = '', codePath = '', region, highlighted, title] =
    /^([ \t]*)<<<[ \t]*([^\s#{[]+)(?:#([\w-]+))?[ \t]*(?:\{([\d,-]*)[^}]*\})?[ \t]*(?:\[([^\]]*)\])?[ \t]*$/.exec(text) ?? [];
  if (codePath) return { indent: codeIndent, path: codePath, part: region, isCode: true, title, highlighted };
  const [, commentIndent = '', commentPath = '', name, range] =
    /^([ \t]*)<!--[ \t]*@include:[ \t]*([^\s#{]+?)(?:#([\w-]+))?(?:\{([^}]*)\})?[ \t]*-->[ \t]*$/.exec(text) ?? [];
  if (commentPath) return { indent: commentIndent, path: commentPath, part: name ?? range?.replace(',', ':'), isCode: false };
  const [, docIndent = '', docPath = ''] = /^([ \t>]*)\[!INCLUDE[ \t]*\[[^\]]*\]\(([^)\s]+)[^)]*\)\][ \t]*$/i.exec(text) ?? [];
  return docPath ? { indent: docIndent, path: docPath, isCode: false, ownLinks: true } : undefined;
}

/** The part in `?name=x&highlight=2`, `#L2-L5`, `range="2-5"` or `id="x"`. Of several ranges, all lines between. */
function partOfSample(options: string): string | undefined {
  const [, name] = /\b(?:name|id)="?([\w.-]+)/.exec(options) ?? [];
  const [, range = ''] = /\brange="?([\d,-]+)/.exec(options) ?? [];
  const numbers = [...(range || (/#L\d+(?:-L?\d+)?/.exec(options)?.[0] ?? '')).matchAll(/\d+/g)].map(Number);
  return name ?? (numbers.length > 0 ? `${Math.min(...numbers)}:${Math.max(...numbers)}` : undefined);
}

/** The options of `{* a.py ln[14:18] hl[14:15,17] title["a.py"] *}`, whose lines are those of the file. */
function variantOf(options: string): Pick<Include, 'part' | 'title' | 'highlighted'> {
  const [, lines = ''] = /\bln\[([\d:,\s]+)\]/.exec(options) ?? [];
  const [, marks = ''] = /\bhl\[([\d:,\s]+)\]/.exec(options) ?? [];
  const shown = [...lines.matchAll(/\d+/g)].map(Number);
  const first = Math.min(...shown);
  const moved = (number: string) => String(Number(number) - (lines === '' ? 0 : first - 1));
  return {
    part: lines === '' ? undefined : `${first}:${Math.max(...shown)}`,
    title: /\btitle\["([^"]*)"\]/.exec(options)?.[1],
    highlighted: marks.replace(/\s+/g, '').replaceAll(':', '-').replace(/\d+/g, moved),
  };
}

/** `a.md:2:5` and `a.md:region`. */
function partIn(path: string): { path: string; part?: string } {
  const [, file = path, part] = /^(.*?\.\w+):(.*)$/.exec(path) ?? [];
  return { path: file, part };
}

/** A part of a file. */
export function partOf(lines: Line[], part: string | undefined): Line[] {
  if (!part)
    return lines.filter(({ text }) => !/-8<- *\[(?:start|end)|--8<-- \[|^\W*(?:#region|#endregion|ANCHOR(?:_END)?:)/.test(text));
  const [, from, separator, to] = /^(\d*)(:?)(\d*)(?::\d*)?$/.exec(part) ?? [];
  if (from !== undefined) {
    const start = Number(from || 1);
    return lines.slice(start - 1, separator ? Number(to) || undefined : start);
  }
  const name = part.replace(/[^\w.-]/g, '');
  const isMark = (text: string, words: string) =>
    new RegExp(`(?:${words})[ \\t]*${name.replaceAll('.', '\\.')}(?![\\w-])`).test(text);
  const isTag = (text: string, slash: string) =>
    text.toLowerCase().includes(`<${slash}${name.toLowerCase()}>`) && /^\s*(?:\/\/|#|--|'|<!--|\/\*)/.test(text);
  const first = lines.findIndex(({ text }) => isMark(text, '\\[start:|#region|ANCHOR:|#begin') || isTag(text, ''));
  const after = lines.slice(first + 1);
  const last = after.findIndex(
    ({ text }) =>
      isMark(text, '\\[end:|#endregion|ANCHOR_END:') || isTag(text, '/') || /#endregion\s*(?:\*\/|-->)?\s*$/.test(text),
  );
  return first === -1 ? lines : partOf(last === -1 ? after : after.slice(0, last), undefined);
}
