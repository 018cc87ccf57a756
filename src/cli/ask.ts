import { answerFrom, type Quote } from '../../integration/search/answer.ts';
import { markedParts, marks, plainText } from '../../integration/search/text-marks.ts';
import { labelsOf, type Labels } from '../../integration/texts/index.ts';
import type { Citation } from '../../integration/search/index-options.ts';
import { openApiClient } from './api-client.ts';
import { askRemote, type RemoteSource } from './ask-remote.ts';
import { docsOptions, openExportedDocs, type ExportedDocs } from './exported-docs.ts';
import { shown } from '../../integration/text/escape.ts';
import { flag, option, text, UsageError, defineCommand, type OptionsOf } from './usage.ts';

const options = {
  ...docsOptions,
  remote: option(text.optional(), 'DOMAIN', 'Ask the assistant of a server about this domain. Set CARREL_URL and CARREL_KEY'),
  json: flag('Print the answer as JSON'),
};

type Options = OptionsOf<typeof options>;

/** `carrel ask`: its options and how it is used. */
export const command = defineCommand({
  usage: 'ask QUESTION',
  summary: 'Answer a question with quotes from an export, or with the assistant of a server, and cite the sources.',
  options,
  examples: [
    ['ask "How do I install it?"', 'Quote the export in the folder site'],
    ['ask "Which port?" --bundle docs.zip --json', 'Quote a zip, for a program'],
    ['ask "Which port?" --remote docs.example.com', 'Ask the assistant of a server'],
  ],
  /** Exit codes: 0 answered, 3 the docs do not answer. */
  run: ({ options, words: [question = ''] }) =>
    options.remote === undefined ? quote(question, options) : ask(question, options.remote, options),
});

async function quote(question: string, options: Options): Promise<number> {
  const docs = await openExportedDocs(options);
  const { index, language } = await docs.index({ language: options.language, docsVersion: options['docs-version'] });
  const { quotes, nearest } = await answerFrom(index, question);
  const withUrl = <Found extends Citation>(found: Found) => ({ ...found, address: docs.urlOf(found.id) });
  const verbatim = ({ marked: _, ...quote }: Quote) => withUrl(quote);
  if (options.json)
    console.log(JSON.stringify({ question, quotes: quotes.map(verbatim), nearest: nearest.map(withUrl) }, null, 2));
  else console.log(printed(docs, quotes, nearest, (await labelsOf(language)).quotes));
  return quotes.length > 0 ? 0 : 3;
}

/** An answer without sources does not count as an answer. */
async function ask(question: string, domain: string, { site, bundle, language, json, ...options }: Options): Promise<number> {
  if (site !== undefined || bundle !== undefined)
    throw new UsageError(
      `--remote and --${site === undefined ? 'bundle' : 'site'} are mutually exclusive.`,
      'Ask either a server or a local export.',
    );
  const client = openApiClient(process.env, 'assistant');
  const filter = { language, version: options['docs-version'] };
  let begun = false;
  const onText = (text: string): void => {
    begun = true;
    if (!json) process.stdout.write(shown(text));
  };
  try {
    const answer = await askRemote(client, { domain, question, filter }, onText);
    if (json) console.log(JSON.stringify({ question, ...answer }, null, 2));
    else console.log(['', ...answer.sources.map(remoteCitation)].join('\n\n'));
    return answer.sources.length > 0 ? 0 : 3;
  } catch (error) {
    // Puts the error on a new line.
    if (begun && !json) console.log();
    throw error;
  }
}

function remoteCitation({ number, title, headings, url }: RemoteSource): string {
  return citation(number, [title, ...headings.filter((heading) => heading !== title)], shown(url));
}

function printed(docs: ExportedDocs, quotes: Quote[], nearest: Citation[], labels: Labels['quotes']): string {
  const citationOf = ({ id, title, headings }: Citation, at: number) => citation(at + 1, [title, ...headings], docs.urlOf(id));
  if (quotes.length > 0) {
    const parts = quotes.map((quote, at) => {
      const words = markedParts(quote.marked)
        .map(({ text, isCode }) => shown(isCode ? text : plainText(text.replaceAll(marks.cell, ' | '))))
        .join('\n\n');
      return `${words.replace(/^(?=.)/gm, '  ')}\n\n${citationOf(quote, at)}`;
    });
    return [labels.answerQuotes, ...parts].join('\n\n');
  }
  if (nearest.length === 0) return labels.answerNone;
  return [labels.answerNone, labels.answerNearest, nearest.map(citationOf).join('\n')].join('\n\n');
}

function citation(number: number, names: string[], url: string): string {
  const lead = `[${number}] `;
  return `${lead}${shown(names.filter(Boolean).join(' › '))}\n${' '.repeat(lead.length)}${url}`;
}
