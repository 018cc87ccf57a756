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
  const fence = '`'.repeat(Math.max(3, ...[...code.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  const block = `${fence}\n${code}\n${fence}`;
  return words === '' ? `${block}\n\n[${number}]` : `${words} [${number}]\n\n${block}`;
}

/** A line that Markdown shows as it is: no link, image, element, formula, list or heading comes of it. */
function plain(line: string): string {
  return line
    .trim()
    .replace(/[\\`*_[\]<>&~|${}]/g, '\\$&')
    .replace(/:(?=\/\/)|(?<=\bwww)\.|@|(?<=\b(?:mailto|xmpp)):/gi, '\\$&')
    .replace(/^(?:[-+#=:]|\d+(?=[.)]))/, (start) => (/\d/.test(start) ? start : `\\${start}`))
    .replace(/^(\d+)([.)])/, '$1\\$2');
}
