// The answer of quotes, which needs no model.
import type { ScoredCitation, Quote } from '../../../integration/search/answer.ts';
import { answerInContext } from '../../../integration/search/follow-up.ts';
import { labelsOf } from '../../../integration/texts/index.ts';
import { quotedPieces } from '../../../integration/search/quoted-answer.ts';
import type { DocsIndex, SiteDocs } from '../../active-exports/site-docs.ts';
import { type Question, readerLanguage } from '../request/question.ts';
import { selectedPages } from '../retrieve/retrieve.ts';
import type { Rewritten } from '../retrieve/rewrite-question.ts';
import { createSources } from '../retrieve/sources.ts';
import type { AnswerEvent, AnswerReason } from './answer-event.ts';

/** What quotes are chosen from. */
export interface QuoteContext {
  docs: SiteDocs;
  question: Question;
  siteUrl: string | undefined;
}

/** Throws what opening the index throws, before the first event only. */
export async function* quoteEvents(context: QuoteContext): AsyncGenerator<AnswerEvent, void> {
  const { docs, question } = context;
  const { language, version } = question.filter;
  const found = await docs.index({ language, version }, question.currentPath);
  yield* found ? quotes(found, { why: 'NoModel' }, context) : message(await notThere(docs, question), 'NoModel');
}

/** Quotes of the docs, best first, or else the closest pages. */
export async function* quotes(
  { index, language }: DocsIndex,
  { rewritten, why }: { rewritten?: Rewritten; why: AnswerReason },
  { docs, question, siteUrl }: QuoteContext,
): AsyncGenerator<AnswerEvent, void> {
  const { currentPath: page, context, pages, turns, text: asked } = question;
  const { quotes: found, nearest } = await answerInContext(index, rewritten?.query ?? asked, {
    earlier: rewritten ? [] : turns.flatMap(({ role, text }) => (role === 'user' ? [text] : [])),
    selections: context.map(({ value }) => value),
    position: { page, selectedOn: selectedPages(question) },
    title: page === undefined ? undefined : docs.page(page)?.title,
    pages,
  });
  const sources = createSources(siteUrl);
  const numberOf = (quote: ScoredCitation & Partial<Quote>) =>
    sources.cite(quote, () => `${quote.text ?? ''} ${quote.code ?? ''}`.replace(/\s+/g, ' ').trim().slice(0, 300));
  const answerLanguage = found.length > 0 ? language : (rewritten?.language ?? readerLanguage(asked, language));
  const { quotes: labels } = await labelsOf(answerLanguage);
  for (const text of quotedPieces(found, nearest, { labels, numberOf })) {
    for (const source of sources.fresh()) yield { type: 'source', source };
    yield { type: 'text', text };
  }
  yield { type: 'end', reason: 'stop', by: 'quotes', why, ...(found.length === 0 && { isEmpty: true }) };
}

/** A text that cites nothing, as an answer. */
export async function* message(text: string, why: AnswerReason): AsyncGenerator<AnswerEvent, void> {
  yield { type: 'text', text };
  yield { type: 'end', reason: 'stop', by: 'quotes', why, isEmpty: true };
}

/** Says which language or version has no docs, and which ones exist. */
export async function notThere({ kinds }: SiteDocs, { filter: { language, version } }: Question): Promise<string> {
  const { quotes, server } = await labelsOf(language ?? kinds[0]?.language);
  const listed = (values: (string | undefined)[]) =>
    [...new Set(values.filter((value) => value !== undefined))]
      .map((value) => `\`${value.replace(/[`\s]+/g, ' ').slice(0, 100)}\``)
      .join(', ');
  const asked = listed([version, language]);
  const known = listed([
    ...(version === undefined ? [] : kinds.map(({ docsVersion }) => docsVersion)),
    ...(language === undefined ? [] : kinds.map((kind) => kind.language)),
  ]);
  const parts = [asked === '' ? quotes.answerNone : server.notThere.replace('{asked}', () => asked)];
  if (known !== '') parts.push(server.known.replace('{known}', () => known));
  return parts.join(' ');
}
