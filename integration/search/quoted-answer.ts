import type { Place, Quote } from './answer.ts';
import { quotes as englishLabels } from './labels/en.ts';
import type { Labels } from './labels/labels.ts';

type Quoted = Pick<Quote, 'text' | 'code'>;

/**
 * The answer as Markdown: the quotes, each with its citation `[1]`, `[2]`, … in their order; or, without quotes, that the docs do not
 * answer, and the places that come nearest, cited in the same way. What is quoted shows as text, whatever stands in it.
 */
export function quotedAnswer(
  quotes: (Place & Quoted)[],
  labels: Labels['quotes'] = englishLabels,
  nearest: Place[] = [],
): string {
  return [...quotedPieces(quotes, nearest, { labels, numberOf: (_place, i) => i + 1 })].join('');
}

/** The same in pieces, of which each cites one place at most; its number is asked for right before the piece is given. */
export function* quotedPieces<Found extends Place>(
  quotes: (Found & Quoted)[],
  nearest: Found[],
  { labels, numberOf }: { labels: Labels['quotes']; numberOf: (place: Found, i: number) => number },
): Generator<string, void> {
  if (quotes.length > 0) {
    yield labels.answerQuotes;
    for (const [i, quote] of quotes.entries()) yield `\n\n${quoted(quote, numberOf(quote, i))}`;
    return;
  }
  yield labels.answerNone;
  if (nearest.length > 0) yield `\n\n${labels.answerNearest}\n`;
  for (const [i, place] of nearest.entries()) {
    const name = plain([place.title, ...place.headings].filter(Boolean).join(' › '));
    yield `\n- ${name} [${numberOf(place, i)}]`;
  }
}

function quoted({ text, code }: Quoted, number: number): string {
  const words = text === '' ? '' : `> ${text.split('\n').map(plain).join('  \n> ')}`;
  if (code === '') return `${words} [${number}]`;
  const fence = ticksAround(code, 3);
  const block = `${fence}\n${code}\n${fence}`;
  return words === '' ? `${block}\n\n[${number}]` : `${words} [${number}]\n\n${block}`;
}

/** A line that Markdown shows as it is: no link, image, element, formula, list or heading comes of it. */
function plain(line: string): string {
  let shown = '';
  let at = 0;
  // Some readers make links of addresses whatever signs are escaped in them, but not in code.
  for (const { 0: address, index } of line.trim().matchAll(/[!-~]*(?::\/\/|www\.|@|\bmailto:|\bxmpp:)[!-~]*/gi)) {
    shown += escaped(line.trim().slice(at, index)) + inlineCode(address);
    at = index + address.length;
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

/** More ticks in a row than the text has anywhere. */
function ticksAround(text: string, least: number): string {
  return '`'.repeat(Math.max(least, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
}
