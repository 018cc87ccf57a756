import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDocs } from '../../src/render/open-docs.ts';
import { viewOf } from '../../src/render/render-pages.ts';
import { randomNumbers } from '../support/generated-pages.ts';

export interface WordsOptions {
  folder: string;
  pages: number;
  seed: number;
  includeRoots: string[];
}

/** Compares the words of random pages with those of their files, and prints the share that is shown and the words that are missing. */
export async function benchWords({ folder, pages: most, seed, includeRoots }: WordsOptions): Promise<void> {
  const docs = await openDocs(folder, { plainCode: true, includeRoots });
  const random = randomNumbers(seed);
  const chosen = docs.site.pages
    .filter(({ source }) => source.described === undefined)
    .map((page) => ({ page, order: random() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, most);
  let all = 0;
  let missing = 0;
  const rows = [];
  for (const { page } of chosen) {
    const { view } = await viewOf(docs, page);
    const { title, description = '', html } = view.page;
    const words = missingWords(wordsOfSource(readFileSync(join(docs.site.source.root, page.source.file), 'utf8')), [
      ...wordsOf(`${title} ${description}`),
      ...wordsOfHtml(html),
    ]);
    all += words.all;
    missing += words.missing.length;
    if (words.missing.length > 0)
      rows.push({
        page: page.source.file,
        shown: share(words.all - words.missing.length, words.all),
        missing: words.missing.slice(0, 12).join(' '),
      });
  }
  await docs.close();
  console.table(rows.sort((a, b) => parseFloat(a.shown) - parseFloat(b.shown)).slice(0, 20));
  console.log(
    `${share(all - missing, all)} of ${all.toLocaleString('en')} words of ${chosen.length} pages are shown (seed ${seed}).`,
  );
}

function share(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toFixed(2)} %`;
}

/** Words of the source that the page does not show as often. */
export function missingWords(source: readonly string[], shown: readonly string[]): { all: number; missing: string[] } {
  const left = new Map<string, number>();
  for (const word of shown) left.set(word, (left.get(word) ?? 0) + 1);
  const missing = source.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count <= 0;
  });
  return { all: source.length, missing };
}

/** The words that readers should see: without frontmatter, markup, URLs, and the syntax of generators. */
export function wordsOfSource(source: string): string[] {
  const body = source.replaceAll('\r\n', '\n').replace(/^(---|\+\+\+)\n[\s\S]*?\n\1[ \t]*(?:\n|$)/, '');
  const text = body
    // Diagrams are drawn, and what runs is not text.
    .replace(/^([ \t>]*)(`{3,}|~{3,})[ \t]*\{?\.?(?:mermaid|math)\b[\s\S]*?^[ \t>]*\2[ \t]*$/gm, '')
    .split(/^([ \t>]*(?:`{3,}|~{3,})[^\n]*\n[\s\S]*?^[ \t>]*(?:`{3,}|~{3,})[ \t]*$)/m)
    .map((part) =>
      /^[ \t>]*(?:`{3}|~{3})/.test(part)
        ? part.replace(/^[^\n]*\n|\n[^\n]*$/g, '').replace(/^[ \t]*-*8<-.*$|\[!code[^\]\n]*\]/gm, '')
        : prose(part),
    )
    .join('\n');
  return wordsOf(text);
}

function prose(text: string): string {
  return text
    .replace(/`[^`\n]*`/g, (code) => code.replace(/[<{[]/g, ' '))
    .replace(/<!--[\s\S]*?-->|\{\/\*[\s\S]*?\*\/\}|<(script|style|svg)\b[\s\S]*?<\/\1>|\$\$[\s\S]*?\$\$/g, ' ')
    .replace(/^(?:import|export)\s[^\n]*(?:\n(?![ \t]*\n)[^\n]*)*/gm, ' ')
    .replace(/\{\{[<%*][\s\S]*?\}\}|\{%[\s\S]*?%\}|\{\*[^\n]*?\*\}|\{![^\n]*?!\}|%?\{:?[ \t]*[.#][^{}\n]*\}%?/g, ' ')
    .replace(/^[ \t>]*(?::{3,}|!!!|\?\?\?\+?|===[+!]?|\/\/\/|-*8<-+|<<<|\[!INCLUDE)[^\n]*$/gim, ' ')
    .replace(/^[ \t>]*\[[^\]]+\]:\s*\S+[^\n]*$|^[ \t>]*\[![a-z]+\]|!\[[^\]]*/gim, ' ')
    .replace(
      /\]\(\s*(?:<[^>\n]*>|[^()\s]*(?:\([^()]*\)[^()\s]*)*)(?:\s+["'][^"']*["'])?\s*\)|\]\[[^\]]*\]|\[|https?:\/\/[^\s)>\]]+/g,
      '',
    )
    .replace(/<\/?[A-Za-z][^<>]*(?:\{[^{}]*\}[^<>]*)*>/g, ' ')
    .replace(/:[a-z]+[-\w]*:/g, ' ');
}

function wordsOfHtml(html: string): string[] {
  const text = html
    .replace(/<(script|style|svg)\b[\s\S]*?<\/\1>/g, ' ')
    .replace(/<\/?(?:span|b|strong|em|i|a|code|mark|kbd|sup|sub|u|s|del|ins|small|wbr)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ');
  return wordsOf(text);
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function wordsOf(text: string): string[] {
  const plain = text
    .replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (_, hex?: string, number?: string, name?: string) =>
      name === undefined ? String.fromCodePoint(hex ? parseInt(hex, 16) : Number(number)) : (named[name] ?? ' '),
    )
    .replace(/[*_`~\\\u200b\u00ad]/g, '');
  return [...plain.toLowerCase().matchAll(/[\p{L}\p{N}]{2,}/gu)].map(([word]) => word);
}
