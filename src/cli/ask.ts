import { z } from 'zod';
import { answerFrom, type Place, type Quote } from '../../integration/search/answer.ts';
import { answerLabels } from '../../integration/search/answer-labels.ts';
import { docsOptions, openDocs, type Docs } from './open-docs.ts';
import { readArguments, type Command } from './usage.ts';

const options = z.strictObject({
  ...docsOptions,
  json: z.boolean().default(false).meta({ description: 'Print the answer as JSON' }),
});

/** `carrel ask`: its options and how it is used. */
export const command: Command<typeof options> = {
  usage: 'ask QUESTION',
  summary: 'Answer a question with quotes from an export, each with its address.',
  options,
  words: [1, 1],
};

/** Exit codes: 0 answered, 3 the docs do not answer. */
export async function run(args: string[]): Promise<number> {
  const read = readArguments(command, args);
  if (!read) return 0;
  const question = read.words[0]!;
  const docs = await openDocs(read.options);
  const { index, language } = await docs.index({ language: read.options.language, docsVersion: read.options['docs-version'] });
  const { quotes, nearest } = await answerFrom(index, question);
  const withAddress = <Found extends Place>(found: Found) => ({ ...found, address: docs.address(found.id) });
  if (read.options.json)
    console.log(JSON.stringify({ question, quotes: quotes.map(withAddress), nearest: nearest.map(withAddress) }, null, 2));
  else console.log(printed(docs, quotes, nearest, answerLabels(language)));
  return quotes.length > 0 ? 0 : 3;
}

function printed(docs: Docs, quotes: Quote[], nearest: Place[], labels: ReturnType<typeof answerLabels>): string {
  const place = ({ id, title, headings }: Place, at: number) => {
    const number = `[${at + 1}] `;
    return `${number}${shown([title, ...headings].filter(Boolean).join(' › '))}\n${' '.repeat(number.length)}${docs.address(id)}`;
  };
  if (quotes.length > 0) {
    const parts = quotes.map((quote, at) => {
      const words = [quote.text, quote.code].filter(Boolean).map(shown).join('\n\n');
      return `${words.replace(/^(?=.)/gm, '  ')}\n\n${place(quote, at)}`;
    });
    return [labels.answerQuotes, ...parts].join('\n\n');
  }
  if (nearest.length === 0) return labels.answerNone;
  return [labels.answerNone, labels.answerNearest, nearest.map(place).join('\n')].join('\n\n');
}

/** What a page says must not steer the terminal it is shown in. */
function shown(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '');
}
