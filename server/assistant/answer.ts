// The answer to a question, as events: by a model, by a second one when that fails before its first word, or else in quotes.
import { answerLabels } from '../../integration/search/answer-labels.ts';
import { answerAfter } from '../../integration/search/follow-up.ts';
import { quotedAnswer } from '../../integration/search/quoted-answer.ts';
import type { Logger } from '../operation/log.ts';
import type { AnswerEvent, Source } from './answer-events.ts';
import { answerTexts } from './answer-texts.ts';
import { createCitationFilter } from './citations.ts';
import { ModelFailed, streamModel } from './model.ts';
import type { Model } from './model-settings.ts';
import { placeOf, sourcesOf } from './passages.ts';
import { buildPrompt, type Prompt } from './prompt.ts';
import type { Question } from './question.ts';
import { retrieve, type Retrieved } from './retrieve.ts';
import type { DocsIndex, SiteDocs } from './site-indexes.ts';
import { createTools } from './tools.ts';

/** What an answer is made from. */
export interface Answering {
  domain: string;
  docs: SiteDocs;
  siteUrl: string | undefined;
  question: Question;
  /** To be asked in this order; none: the docs are quoted. */
  models: Model[];
  tools: boolean;
  /** Private networks that any model may be in. */
  allowed: string[];
  signal: AbortSignal;
  log: Logger;
  /** Makes what frames of prompts are marked with. */
  newMark: () => string;
}

/** Throws what opening the index throws, before the first event only. */
export async function* answerEvents(answering: Answering): AsyncGenerator<AnswerEvent, void> {
  const { docs, question, models, tools, signal } = answering;
  const { language, version } = question.filter;
  const found = await docs.index({ language, version }, question.currentPath);
  if (!found) return yield* told(notThere(docs, question));
  if (models.length > 0) {
    const retrieved = await retrieve(found.index, question, docs.page);
    // Without anything to answer from, the best of models can but guess.
    if (retrieved.length > 0 || question.context.length > 0 || tools) {
      for (const model of models) {
        const answered = yield* modelAnswer(model, found, retrieved, answering);
        if (answered || signal.aborted) return;
      }
    }
  }
  yield* quotes(found, answering);
}

/** Gives false when nothing was sent, so that somebody else can answer. */
async function* modelAnswer(
  model: Model,
  { index, language }: DocsIndex,
  retrieved: Retrieved[],
  { domain, docs, siteUrl, question, tools, allowed, signal, log, newMark }: Answering,
): AsyncGenerator<AnswerEvent, boolean> {
  const mark = newMark();
  const prompt = promptFor(model, { name: docs.name, question, retrieved, tools, mark });
  const { passages } = prompt;
  let sources: Source[] | undefined;
  const filter = createCitationFilter((number) => sources!.some((source) => source.number === number));
  const context = { docs, index, mark, tokens: model.contextTokens / 12, passages, isOpen: () => sources === undefined };
  const call = { model, prompt, signal, allowed, tools: tools ? createTools(context) : undefined };
  try {
    const texts = streamModel(call);
    try {
      for (;;) {
        const { value, done } = await texts.next();
        const piece = done ? '' : sources === undefined ? value.trimStart() : value;
        if (!done && piece === '') continue;
        if (sources === undefined) {
          sources = sourcesOf(passages, siteUrl);
          yield { type: 'sources', sources };
        }
        const text = done ? filter.end() : filter.push(piece);
        if (text !== '') yield { type: 'text', text };
        if (!done) continue;
        yield { type: 'end', reason: value, by: 'model' };
        return true;
      }
    } finally {
      await texts.return('other');
    }
  } catch (error) {
    if (signal.aborted) return true;
    if (!(error instanceof ModelFailed)) throw error;
    log.warn({ domain, model: model.model, code: error.code, detail: error.detail }, 'a model failed');
    if (sources === undefined) return false;
    const rest = filter.end();
    if (rest !== '') yield { type: 'text', text: rest };
    yield { type: 'failed', code: error.code, message: answerTexts(language).cutOff };
    return true;
  }
}

/** What a model is sent. */
export function promptFor(
  { contextTokens, maxOutputTokens }: Model,
  about: { name: string; question: Question; retrieved: Retrieved[]; tools: boolean; mark: string },
): Prompt {
  return buildPrompt({ ...about, contextTokens, maxOutputTokens });
}

async function* quotes({ index, language }: DocsIndex, { question, siteUrl }: Answering): AsyncGenerator<AnswerEvent, void> {
  const before = question.turns.flatMap(({ role, text }) => (role === 'user' ? [text] : []));
  const { quotes: found, nearest } = await answerAfter(index, question.text, before);
  const cited = found.length > 0 ? found : nearest.map((place) => ({ ...place, text: '', code: '' }));
  const sources = cited.map((quote, i) => ({
    number: i + 1,
    ...placeOf(quote, siteUrl),
    excerpt: `${quote.text} ${quote.code}`.replace(/\s+/g, ' ').trim().slice(0, 300),
    score: Math.max(0, 10 - i) / 10,
  }));
  yield* told(quotedAnswer(found, answerLabels(language), nearest), sources);
}

async function* told(text: string, sources: Source[] = []): AsyncGenerator<AnswerEvent, void> {
  yield { type: 'sources', sources };
  yield { type: 'text', text };
  yield { type: 'end', reason: 'stop', by: 'quotes' };
}

/** Of what language or version there are no docs, and of which there are. */
function notThere({ kinds }: SiteDocs, { filter: { language, version } }: Question): string {
  const texts = answerTexts(language ?? kinds[0]?.language);
  const listed = (values: (string | undefined)[]) =>
    [...new Set(values.filter((value) => value !== undefined))]
      .map((value) => `\`${value.replace(/[`\s]+/g, ' ').slice(0, 100)}\``)
      .join(', ');
  const asked = listed([version, language]);
  const known = listed([
    ...(version === undefined ? [] : kinds.map(({ docsVersion }) => docsVersion)),
    ...(language === undefined ? [] : kinds.map((kind) => kind.language)),
  ]);
  const parts = [
    asked === '' ? answerLabels(language ?? kinds[0]?.language).answerNone : texts.notThere.replace('{asked}', () => asked),
  ];
  if (known !== '') parts.push(texts.known.replace('{known}', () => known));
  return parts.join(' ');
}
