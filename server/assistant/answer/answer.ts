// The answer to a question, as events: by a model, by a second one when that fails before its first word, or else in quotes of the docs.
import type { ScoredCitation, Quote } from '../../../integration/search/answer.ts';
import { answerInContext } from '../../../integration/search/follow-up.ts';
import { labelsOf } from '../../../integration/search/labels/index.ts';
import { quotedPieces } from '../../../integration/search/quoted-answer.ts';
import { createCitationFilter } from './citations.ts';
import { streamModel } from '../model/model.ts';
import { ModelFailed, type ModelFault, type EndReason } from '../model/model-outcome.ts';
import type { Model } from '../../sites/model-settings.ts';
import { createSources, type Source } from '../retrieve/sources.ts';
import { buildPrompt, type Prompt } from './prompt.ts';
import { type Question, readerLanguage } from '../request/question.ts';
import { excerptOf, selectedPages, retrieve, type Retrieved } from '../retrieve/retrieve.ts';
import { rewriteQuestion, type Rewritten } from '../retrieve/rewrite-question.ts';
import type { DocsIndex, SiteDocs } from '../../active-exports/site-docs.ts';
import { createModelTools } from '../retrieve/model-tools.ts';

export type AnswerEvent =
  /** Right before the text that cites the page for the first time; once for each page. */
  | { type: 'source'; source: Source }
  /** Markdown; a citation `[1]` is never cut in two, and always has a source. */
  | { type: 'text'; text: string }
  /** For the reader, without anything from inside; the last event, also after text. */
  | { type: 'failed'; code: string; message: string }
  | {
      type: 'end';
      reason: EndReason;
      /** Whether a model wrote the answer, or it quotes the docs. */
      by: 'model' | 'quotes';
      /** The failure of the first model, when another one or the docs answered instead. */
      modelFailure?: ModelFault;
    };

/** What an answer is made from. */
export interface AnswerContext {
  docs: SiteDocs;
  siteUrl: string | undefined;
  question: Question;
  /** Tried in this order; without any, the docs are quoted. */
  models: Model[];
  tools: boolean;
  /** Private networks that models of any site may be in. */
  allowed: string[];
  signal: AbortSignal;
  onModelFailure: (model: Model, failure: ModelFailed) => void;
  /** Makes the mark of the frames in a prompt. */
  newMark: () => string;
}

/** Throws what opening the index throws, before the first event only. */
export async function* answerEvents(answerContext: AnswerContext): AsyncGenerator<AnswerEvent, void> {
  const { docs, question, models, tools, signal } = answerContext;
  const { language, version } = question.filter;
  const found = await docs.index({ language, version }, question.currentPath);
  if (!found) return yield* message(await notThere(docs, question));
  let failure: ModelFault | undefined;
  let rewritten: Rewritten | undefined;
  if (models.length > 0) {
    let retrieved = await retrieve(found.byMeaning, question, docs.page);
    if (retrieved.length === 0) {
      ({ rewritten, failure } = await rewrittenBy(models, found, answerContext));
      if (signal.aborted) return;
      if (rewritten) retrieved = await retrieve(found.byMeaning, { ...question, text: rewritten.query, turns: [] }, docs.page);
    }
    // Without anything to answer from, a model can only guess.
    if (retrieved.length > 0 || question.context.length > 0 || tools) {
      for (const model of models) {
        const failed = yield* modelAnswer(model, found, { retrieved, failure }, answerContext);
        if (!failed || signal.aborted) return;
        failure ??= failed;
      }
    }
  }
  yield* quotes(found, { rewritten, failure }, answerContext);
}

/** The question in the words of the docs, by the first model that does not fail, and the failure of the first model. */
async function rewrittenBy(
  models: Model[],
  { language }: DocsIndex,
  { question, signal, allowed, onModelFailure, newMark }: AnswerContext,
): Promise<{ rewritten?: Rewritten; failure?: ModelFault }> {
  let failure: ModelFault | undefined;
  for (const model of models) {
    try {
      return { rewritten: await rewriteQuestion(model, { question, language, mark: newMark(), signal, allowed }), failure };
    } catch (error) {
      if (signal.aborted) return {};
      if (!(error instanceof ModelFailed)) throw error;
      onModelFailure(model, error);
      failure ??= error.code;
    }
  }
  return { failure };
}

/** Returns the failure of the model when nothing was sent, so that another one can answer. */
async function* modelAnswer(
  model: Model,
  found: DocsIndex,
  { retrieved, failure }: { retrieved: Retrieved[]; failure?: ModelFault },
  { docs, siteUrl, question, tools, allowed, signal, onModelFailure, newMark }: AnswerContext,
): AsyncGenerator<AnswerEvent, ModelFault | undefined> {
  const mark = newMark();
  const prompt = promptFor(model, { name: docs.name, question, retrieved, tools, mark });
  const { passages } = prompt;
  const sources = createSources(siteUrl);
  const filter = createCitationFilter((number) => {
    const section = passages.find((passage) => passage.number === number)?.section;
    return section && sources.cite(section, () => excerptOf(section));
  });
  let hasBegun = false;
  const context = { docs, found, mark, tokens: prompt.toolTokens, passages };
  const call = { model, prompt, signal, allowed, tools: tools ? createModelTools(context) : undefined };
  function* sent(text: string): Generator<AnswerEvent, void> {
    for (const source of sources.fresh()) yield { type: 'source', source };
    if (text !== '') yield { type: 'text', text };
  }
  try {
    const texts = streamModel(call);
    try {
      for (;;) {
        const { value, done } = await texts.next();
        const piece = done ? '' : hasBegun ? value : value.trimStart();
        if (!done && piece === '') continue;
        hasBegun = true;
        yield* sent(done ? filter.end() : filter.push(piece));
        if (!done) continue;
        yield { type: 'end', reason: value, by: 'model', ...(failure && { modelFailure: failure }) };
        return undefined;
      }
    } finally {
      await texts.return('other');
    }
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!(error instanceof ModelFailed)) throw error;
    onModelFailure(model, error);
    if (!hasBegun) return error.code;
    yield* sent(filter.end());
    yield { type: 'failed', code: error.code, message: (await labelsOf(found.language)).server.cutOff };
    return undefined;
  }
}

/** What a model is sent. */
export function promptFor(
  { contextTokens, maxOutputTokens }: Model,
  about: { name: string; question: Question; retrieved: Retrieved[]; tools: boolean; mark: string },
): Prompt {
  return buildPrompt({ ...about, contextTokens, maxOutputTokens });
}

async function* quotes(
  { index, language }: DocsIndex,
  { rewritten, failure }: { rewritten?: Rewritten; failure?: ModelFault },
  { docs, question, siteUrl }: AnswerContext,
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
  yield { type: 'end', reason: 'stop', by: 'quotes', ...(failure && { modelFailure: failure }) };
}

async function* message(text: string): AsyncGenerator<AnswerEvent, void> {
  yield { type: 'text', text };
  yield { type: 'end', reason: 'stop', by: 'quotes' };
}

/** Says which language or version has no docs, and which ones exist. */
async function notThere({ kinds }: SiteDocs, { filter: { language, version } }: Question): Promise<string> {
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
