// The answer to a question, as events: by a model, by a second one when that fails before its first word, or else in quotes of the docs.
import { labelsOf } from '../../../integration/texts/index.ts';
import type { AnswerEvent, AnswerReason } from './answer-event.ts';
import { AnswerFilter } from './answer-filter.ts';
import { createLinkCheck } from './answer-links.ts';
import { streamModel } from '../model/model.ts';
import { ModelFailed, type ModelFault, type ModelEnd } from '../model/model-outcome.ts';
import { toolsAtFault, type ToolSupport } from '../model/tool-support.ts';
import type { Model } from '../../sites/model-settings.ts';
import { createSources } from '../retrieve/sources.ts';
import { message, notThere, quotes, type QuoteContext } from './quotes.ts';
import { buildPrompt, type Prompt, type PromptInput } from './prompt.ts';
import { tokensIn } from '../retrieve/prompt-text.ts';
import type { Question } from '../request/question.ts';
import { readSections, type ReadSection } from '../retrieve/read-sections.ts';
import { excerptOf, retrieve } from '../retrieve/retrieve.ts';
import { rewriteQuestion, type Rewritten } from '../retrieve/rewrite-question.ts';
import type { DocsIndex } from '../../active-exports/site-docs.ts';
import { createModelTools } from '../retrieve/model-tools.ts';

/** What an answer is made from. */
export interface AnswerContext extends QuoteContext {
  /** Tried in this order; without any, the docs are quoted. */
  models: Model[];
  /** Why there are none. @default 'NoModel' */
  whyNone?: AnswerReason;
  /** Whether models may search and read on their own, where they can. */
  tools: boolean;
  toolSupport: ToolSupport;
  /** Private networks that models of any site may be in. */
  allowed: string[];
  signal: AbortSignal;
  onModelFailure: (model: Model, failure: ModelFailed) => void;
  /** A model failed when it was offered tools; it is asked again without them. */
  onToolsRefused: (model: Model, failure: ModelFailed) => void;
  onModelEnd: (model: Model, tokens: { input: number; output: number }) => void;
  /** Makes the mark of the frames in a prompt. */
  newMark: () => string;
}

/** Throws what opening the index throws, before the first event only. */
export async function* answerEvents(answerContext: AnswerContext): AsyncGenerator<AnswerEvent, void> {
  const { docs, question, models, whyNone = 'NoModel', tools, signal } = answerContext;
  const { language, version } = question.filter;
  const found = await docs.index({ language, version }, question.currentPath);
  if (!found) return yield* message(await notThere(docs, question), models.length > 0 ? 'NothingFound' : whyNone);
  let failure: ModelFault | undefined;
  let rewritten: Rewritten | undefined;
  if (models.length > 0) {
    const find = async (asked: Question) =>
      readSections({ docs, found, siteUrl: answerContext.siteUrl }, await retrieve(found.byMeaning, asked, docs.page));
    let retrieved = await find(question);
    if (retrieved.length === 0) {
      ({ rewritten, failure } = await rewrittenBy(models, found, answerContext));
      if (signal.aborted) return;
      if (rewritten) retrieved = await find({ ...question, text: rewritten.query, turns: [] });
    }
    // Without anything to answer from, a model can only guess.
    if (retrieved.length > 0 || question.context.length > 0 || tools) {
      for (const model of models) {
        const failed = yield* modelAnswer(model, { found, retrieved, ...(failure && { failure }) }, answerContext);
        if (!failed || signal.aborted) return;
        if (failed !== 'NothingFound') failure ??= failed;
      }
    }
  }
  const why = models.length === 0 ? whyNone : (failure ?? 'NothingFound');
  yield* quotes(found, { rewritten, why }, answerContext);
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

interface Asking {
  found: DocsIndex;
  retrieved: ReadSection[];
  /** Of an earlier model. */
  failure?: ModelFault;
  onToolUse?: () => void;
}

/** Returns why the model did not answer when nothing was sent, so that another one can. */
async function* modelAnswer(
  model: Model,
  asking: Asking,
  answerContext: AnswerContext,
): AsyncGenerator<AnswerEvent, ModelFault | 'NothingFound' | undefined> {
  const { question, signal, onModelFailure, onToolsRefused, toolSupport } = answerContext;
  let fault: ReturnType<typeof toolsAtFault>;
  let hasUsedTools = false;
  if (answerContext.tools && toolSupport.isLikely(model)) {
    const failed = yield* attempt(model, { ...asking, onToolUse: () => (hasUsedTools = true) }, answerContext);
    if (!failed || signal.aborted) return undefined;
    fault = toolsAtFault(failed);
    if (!fault) {
      onModelFailure(model, failed);
      return failed.code;
    }
    onToolsRefused(model, failed);
    if (fault === 'named') toolSupport.refused(model);
    // Without anything to answer from, a model can only guess.
    if (asking.retrieved.length === 0 && question.context.length === 0) return 'NothingFound';
  }
  const failed = yield* attempt(model, asking, { ...answerContext, tools: false });
  if (!failed && fault === 'likely' && !hasUsedTools) toolSupport.refused(model);
  if (failed && !signal.aborted) onModelFailure(model, failed);
  return failed?.code;
}

/** Returns the failure of the model when nothing was sent. */
async function* attempt(
  model: Model,
  { found, retrieved, failure, onToolUse }: Asking,
  { docs, siteUrl, question, tools, allowed, signal, onModelFailure, onModelEnd, newMark }: AnswerContext,
): AsyncGenerator<AnswerEvent, ModelFailed | undefined> {
  const mark = newMark();
  const about = { name: docs.name, guidance: await docs.instructions(), language: found.language };
  const prompt = promptFor(model, { ...about, question, retrieved, tools, mark });
  const { passages } = prompt;
  const sources = createSources(siteUrl);
  const filter = new AnswerFilter(
    (number) => {
      const section = passages.find((passage) => passage.number === number)?.section;
      return section && sources.cite(section, () => excerptOf(section));
    },
    createLinkCheck(siteUrl, passages),
  );
  let hasBegun = false;
  let said = 0;
  const context = { docs, found, siteUrl, mark, tokens: prompt.toolTokens, passages };
  const call = { model, prompt, signal, allowed, tools: tools ? createModelTools(context) : undefined, onToolUse };
  function* sent(text: string): Generator<AnswerEvent, void> {
    for (const source of sources.fresh()) yield { type: 'source', source };
    if (text !== '') yield { type: 'text', text };
  }
  yield { type: 'reading', passages: passages.length };
  try {
    const texts = streamModel(call);
    try {
      for (;;) {
        const { value, done } = await texts.next();
        const piece = done ? '' : hasBegun ? value : value.trimStart();
        said += piece.length;
        if (!done && piece === '') continue;
        hasBegun = true;
        yield* sent(done ? filter.end() : filter.push(piece));
        if (!done) continue;
        onModelEnd(model, tokensOf(value, prompt, said));
        yield { type: 'end', reason: value.reason, by: 'model', ...(failure && { why: failure }) };
        return undefined;
      }
    } finally {
      await texts.return({ reason: 'other' });
    }
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!(error instanceof ModelFailed)) throw error;
    if (!hasBegun) return error;
    onModelFailure(model, error);
    yield* sent(filter.end());
    yield { type: 'failed', code: error.code, message: (await labelsOf(found.language)).server.cutOff };
    return undefined;
  }
}

/** As the model's server counts them; estimated where it does not. */
function tokensOf({ inputTokens, outputTokens }: ModelEnd, { instructions, messages }: Prompt, said: number) {
  const sent = [instructions, ...messages.map(({ content }) => content)];
  return {
    input: inputTokens ?? sent.reduce((sum, text) => sum + tokensIn(text), 0),
    output: outputTokens ?? Math.ceil(said / 4),
  };
}

/** What a model is sent. */
export function promptFor(
  { contextTokens, maxOutputTokens }: Model,
  about: Omit<PromptInput, 'contextTokens' | 'maxOutputTokens'>,
): Prompt {
  return buildPrompt({ ...about, contextTokens, maxOutputTokens });
}
