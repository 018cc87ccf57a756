import type { Place, Quote } from './answer.ts';
import { englishAnswerLabels, type AnswerLabels } from './answer-labels.ts';

/**
 * The answer as Markdown: the quotes, each with its citation `[1]`, `[2]`, … in their order; or, without quotes, that the docs do not
 * answer, and the places that come nearest, cited in the same way. What is quoted shows as text, whatever stands in it.
 */
export function quotedAnswer(quotes: Quote[], labels: AnswerLabels = englishAnswerLabels, nearest: Place[] = []): string {
  if (quotes.length > 0) return [labels.answerQuotes, ...quotes.map((quote, i) => quoted(quote, i + 1))].join('\n\n');
  if (nearest.length === 0) return labels.answerNone;
  const places = nearest.map(
    ({ title, headings }, i) => `- ${plain([title, ...headings].filter(Boolean).join(' › '))} [${i + 1}]`,
  );
  return [labels.answerNone, labels.answerNearest, places.join('\n')].join('\n\n');
}

function quoted({ text, code }: Quote, number: number): string {
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
