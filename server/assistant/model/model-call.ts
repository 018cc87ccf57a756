// One request to a model, or a few with tools: the parts of its answer that matter here.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  extractReasoningMiddleware,
  isStepCount,
  streamText,
  ToolChoiceViolationError,
  wrapLanguageModel,
  type ToolSet,
} from 'ai';
import { LRUCache } from 'lru-cache';
import { ModelFailed, type EndReason, type ModelEnd } from './model-outcome.ts';
import { createModelFetch, asEventStream } from './model-fetch.ts';
import type { Model } from '../../sites/model-settings.ts';

export interface ModelPrompt {
  instructions: string;
  messages: { role: 'user' | 'assistant'; content: string }[];
}

export interface ModelCall {
  model: Model;
  prompt: ModelPrompt;
  signal: AbortSignal;
  /** Private networks that the settings of any site may use. */
  allowed: string[];
  tools?: ToolSet;
}

/** At most this many answers of the model for one question, when it uses tools. */
const mostSteps = 4;
/** Characters of the input of all its tools. */
const longestInputs = 100_000;

/** Text as it comes, then how it ended. Throws what the connection fails with, and `ModelFailed`. */
export type ModelParts = AsyncGenerator<string | ModelEnd>;

/** Ends when `ending` is aborted, and aborts it when the model takes too long. */
export function callModel(call: ModelCall, ending: AbortController): ModelParts {
  return call.tools ? withTools(call, call.tools, ending) : inOneShot(call, ending);
}

type LanguageModel = ReturnType<ReturnType<typeof createOpenAICompatible>['chatModel']>;

// One for all questions with the same settings: each has a hundred schemas of its own, and thousands of answers may be open at once.
const languageModels = new LRUCache<string, LanguageModel>({ max: 64 });

function languageModel({ model, allowed }: Pick<ModelCall, 'model' | 'allowed'>): LanguageModel {
  const settings = JSON.stringify([model, allowed]);
  let known = languageModels.get(settings);
  if (!known) languageModels.set(settings, (known = createLanguageModel({ model, allowed })));
  return known;
}

function createLanguageModel({ model, allowed }: Pick<ModelCall, 'model' | 'allowed'>): LanguageModel {
  const { baseUrl: baseURL, apiKey, headers, body, timeouts } = model;
  const provider = createOpenAICompatible({
    name: 'model',
    baseURL,
    apiKey,
    headers,
    fetch: asEventStream(createModelFetch({ trusted: model.trusted, allowed, milliseconds: timeouts.firstChunkMs })),
    ...(body && { transformRequestBody: (sent: Record<string, unknown>) => ({ ...sent, ...body }) }),
  });
  return provider.chatModel(model.model);
}

/**
 * The model's own stream. `streamText` would store every part several times for readers that do not exist here, and thousands of answers
 * may be open at once.
 */
async function* inOneShot({ model, prompt, allowed }: ModelCall, ending: AbortController): ModelParts {
  const { maxOutputTokens, temperature, timeouts, thinkingTag, startsThinking } = model;
  const filter = withoutThinking(thinkingTag, startsThinking);
  const deadline = createDeadline(timeouts.totalMs, ending);
  try {
    const { stream } = await languageModel({ model, allowed }).doStream({
      prompt: [
        { role: 'system', content: prompt.instructions },
        ...prompt.messages.map(({ role, content }) => ({ role, content: [{ type: 'text' as const, text: content }] })),
      ],
      maxOutputTokens,
      temperature,
      abortSignal: ending.signal,
    });
    let said = false;
    deadline.until(timeouts.firstChunkMs);
    for await (const part of stream) {
      if (part.type === 'error') throw part.error;
      if (part.type === 'text-delta' || part.type === 'reasoning-delta') deadline.until(timeouts.chunkMs);
      const text = part.type === 'text-delta' ? filter.push(part.delta) : part.type === 'finish' ? filter.end() : '';
      said ||= text.trim() !== '';
      if (text !== '') yield text;
      if (part.type === 'finish') {
        const { inputTokens, outputTokens } = part.usage;
        const usage = { inputTokens: inputTokens.total, outputTokens: outputTokens.total };
        yield { ...ended(part.finishReason.unified, part.finishReason.raw, said), ...usage };
        return;
      }
    }
  } catch (error) {
    throw deadline.isOver() ? new ModelFailed('ModelTimeout', 'timeout', { cause: error }) : error;
  } finally {
    deadline.end();
  }
}

/** Aborts when all takes too long, or when the next part does. */
function createDeadline(totalMs: number, ending: AbortController) {
  let isOver = false;
  const timeout = () => {
    isOver ||= !ending.signal.aborted;
    ending.abort(new DOMException('the model took too long', 'TimeoutError'));
  };
  const total = setTimeout(timeout, totalMs);
  let next: NodeJS.Timeout | undefined;
  return {
    /** The next part must arrive within `milliseconds`. */
    until(milliseconds: number): void {
      clearTimeout(next);
      next = setTimeout(timeout, milliseconds);
    },
    isOver: () => isOver,
    end(): void {
      clearTimeout(total);
      clearTimeout(next);
    },
  };
}

async function* withTools(call: ModelCall, tools: ToolSet, ending: AbortController): ModelParts {
  const { model, prompt, allowed } = call;
  const { temperature, maxOutputTokens, timeouts, thinkingTag, startsThinking } = model;
  // Thinking must not be sent to the model again, either.
  const middleware = extractReasoningMiddleware({ tagName: thinkingTag, startWithReasoning: startsThinking });
  const result = streamText({
    model: wrapLanguageModel({ model: languageModel({ model, allowed }), middleware }),
    instructions: prompt.instructions,
    messages: prompt.messages,
    maxOutputTokens,
    temperature,
    maxRetries: 0,
    abortSignal: ending.signal,
    timeout: timeouts,
    tools,
    stopWhen: isStepCount(mostSteps),
    // The last step must be an answer.
    prepareStep: ({ stepNumber }: { stepNumber: number }) =>
      stepNumber === mostSteps - 1 ? { toolChoice: 'none' as const } : undefined,
    // The stream has the error as a part.
    onError: () => undefined,
  });
  // Nothing else awaits these promises, and their rejection would end the process.
  for (const promise of [result.finishReason, result.text, result.usage, result.steps, result.response])
    void Promise.resolve(promise).catch(() => undefined);
  let said = false;
  let isNewStep = false;
  let inputs = 0;
  for await (const part of result.stream) {
    if (part.type === 'start-step') isNewStep = said;
    else if (part.type === 'tool-input-delta') {
      inputs += part.delta.length;
      if (inputs > longestInputs) throw new ModelFailed('ModelBroken', 'the input of its tools has no end');
    } else if (part.type === 'text-delta' && part.text !== '') {
      const isBlank = part.text.trim() === '';
      if (isNewStep && isBlank) continue;
      // What it said before it used a tool is a paragraph of its own.
      yield isNewStep ? `\n\n${part.text.trimStart()}` : part.text;
      isNewStep = false;
      said ||= !isBlank;
    } else if (part.type === 'error') {
      if (!ToolChoiceViolationError.isInstance(part.error)) throw part.error;
      // It used tools to the end, whatever it was told.
      if (said) yield '\n\n';
      yield* inOneShot(call, ending);
      return;
    } else if (part.type === 'abort') throw new ModelFailed('ModelTimeout', part.reason ?? 'timeout');
    else if (part.type === 'finish') {
      const { inputTokens, outputTokens } = part.totalUsage;
      yield { ...ended(part.finishReason, part.rawFinishReason, said), inputTokens, outputTokens };
      return;
    }
  }
}

/** Throws `ModelFailed` when the model ended with an error or without text. */
function ended(reason: EndReason | 'interrupted', raw: string | undefined, said: boolean): { reason: EndReason } {
  if (reason === 'error') throw new ModelFailed('ModelCutOff', 'the model ended with an error');
  if (!said) throw new ModelFailed('ModelEmpty', `no text, finished by ${raw ?? reason}`);
  return { reason: reason === 'interrupted' ? 'other' : reason };
}

/**
 * Removes what is between `<tag>` and `</tag>`, however the text is cut; `startsThinking` when the model writes only the closing tag.
 * The SDK's own middleware puts one more stream around each answer, and thousands of answers may be open at once.
 */
export function withoutThinking(tag: string, startsThinking: boolean) {
  let isThinking = startsThinking;
  let held = '';

  return {
    /** The part of the text so far that is known not to be thinking, without what was returned before. */
    push(text: string): string {
      held += text;
      let said = '';
      for (;;) {
        const mark = isThinking ? `</${tag}>` : `<${tag}>`;
        const at = held.indexOf(mark);
        const end = at === -1 ? held.length - begun(held, mark) : at;
        if (!isThinking) said += held.slice(0, end);
        held = held.slice(at === -1 ? end : at + mark.length);
        if (at === -1) return said;
        isThinking = !isThinking;
      }
    },
    /** The text that was held back, since it could have become a tag. */
    end: (): string => (isThinking ? '' : held),
  };
}

/** How many characters at the end of a text could be the beginning of a mark. */
function begun(text: string, mark: string): number {
  for (let length = Math.min(text.length, mark.length - 1); length > 0; length--)
    if (text.endsWith(mark.slice(0, length))) return length;
  return 0;
}
