import type { Quote } from './answer.ts';
import { quotes as englishLabels, type Labels } from './labels/en.ts';
import type { Citation } from './index-options.ts';

type Quoted = Pick<Quote, 'text' | 'code'>;

/**
 * The answer as Markdown: the quotes, each with its citation `[1]`, `[2]`, … in order; or, without quotes, that the docs do not answer,
 * and the closest pages, cited in the same way. Quotes render as plain text, whatever they contain.
 */
export function quotedAnswer(
  quotes: (Citation & Quoted)[],
  labels: Labels['quotes'] = englishLabels,
  nearest: Citation[] = [],
): string {
  return [...quotedPieces(quotes, nearest, { labels, numberOf: (_citation, i) => i + 1 })].join('');
}

/** The same in pieces, each with at most one citation; `numberOf` is called right before the piece is yielded. */
export function* quotedPieces<Cited extends Citation>(
  quotes: (Cited & Quoted)[],
  nearest: Cited[],
  { labels, numberOf }: { labels: Labels['quotes']; numberOf: (citation: Cited, i: number) => number },
): Generator<string, void> {
  if (quotes.length > 0) {
    yield labels.answerQuotes;
    for (const [i, quote] of quotes.entries()) yield `\n\n${quoted(quote, numberOf(quote, i))}`;
    return;
  }
  yield labels.answerNone;
  if (nearest.length > 0) yield `\n\n${labels.answerNearest}\n`;
  for (const [i, citation] of nearest.entries()) {
    const name = plain([citation.title, ...citation.headings].filter(Boolean).join(' › '));
    yield `\n- ${name} [${numberOf(citation, i)}]`;
  }
}

function quoted({ text, code }: Quoted, number: number): string {
  const words = text === '' ? '' : `> ${text.split('\n').map(plain).join('  \n> ')}`;
  if (code === '') return `${words} [${number}]`;
  const fence = ticksAround(code, 3);
  const block = `${fence}\n${code}\n${fence}`;
  return words === '' ? `${block}\n\n[${number}]` : `${words} [${number}]\n\n${block}`;
}

/** A line that Markdown renders verbatim: without links, images, elements, formulas, lists or headings. */
function plain(line: string): string {
  let shown = '';
  let at = 0;
  // Some renderers turn URLs into links even where characters are escaped, but not in code.
  for (const { 0: url, index } of line.trim().matchAll(/[!-~]*(?::\/\/|www\.|@|\bmailto:|\bxmpp:)[!-~]*/gi)) {
    shown += escaped(line.trim().slice(at, index)) + inlineCode(url);
    at = index + url.length;
  }
  shown += escaped(line.trim().slice(at));
  return shown.replace(/^[-+#=:]/, '\\$&').replace(/^(\d+)([.)])/, '$1\\$2');
}

function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<>&~|${}!]/g, '\\$&');
}

function inlineCode(text: string): string {
  const run = ticksAround(text, 1);
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${run}${space}${text}${space}${run}`;
}

/** A run of backticks longer than any in the text. */
function ticksAround(text: string, least: number): string {
  return '`'.repeat(Math.max(least, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
}
