// One call to a model: its text as it comes, or the reason why there is none. Thinking is never part of the text.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  APICallError,
  extractReasoningMiddleware,
  isStepCount,
  streamText,
  wrapLanguageModel,
  type LanguageModelMiddleware,
  type ToolSet,
} from 'ai';
import { ApiError } from '../errors.ts';
import type { EndReason } from './answer-events.ts';
import { createModelFetch } from './model-fetch.ts';
import type { Model } from './model-settings.ts';
import type { Prompt } from './prompt.ts';

export type ModelFault =
  'ModelUnreachable' | 'ModelRefused' | 'ModelBusy' | 'ModelTimeout' | 'ModelBroken' | 'ModelCutOff' | 'ModelEmpty';

/** The model failed. `message` is for readers and holds nothing from inside; `detail` is for the log and holds no secret. */
export class ModelFailed extends Error {
  override name = 'ModelFailed';
  readonly code: ModelFault;
  readonly detail: string;

  constructor(code: ModelFault, detail: string, options?: ErrorOptions) {
    super(messages[code], options);
    this.code = code;
    this.detail = detail;
  }
}

const messages: Record<ModelFault, string> = {
  ModelUnreachable: 'The model that writes the answers cannot be reached. Ask again in a moment.',
  ModelRefused:
    'The model that writes the answers did not accept the question. Whoever runs this site can find the reason in its log.',
  ModelBusy: 'The model that writes the answers is busy. Ask again in a moment.',
  ModelTimeout: 'The model that writes the answers took too long. Ask again in a moment.',
  ModelBroken: 'The model that writes the answers answered with something that is no answer. Ask again in a moment.',
  ModelCutOff: 'The answer broke off before its end. Ask again.',
  ModelEmpty: 'The model gave no answer. Ask in other words.',
};

export interface ModelCall {
  model: Model;
  prompt: Pick<Prompt, 'instructions' | 'messages'>;
  signal: AbortSignal;
  /** Private networks that may be reached by anybody's settings. */
  allowed: string[];
  tools?: ToolSet;
}

/** At most this many answers of the model for one question, when it uses tools. */
export const mostSteps = 4;
const longestPatience = 5000;

/**
 * The text of the answer, piece by piece; at the end the reason why it ended. Leaving the iteration ends the call.
 * Throws `ModelFailed`, and the signal's reason when that was the cause.
 */
export async function* streamModel(call: ModelCall): AsyncGenerator<string, EndReason> {
  const leaving = new AbortController();
  const signal = AbortSignal.any([call.signal, leaving.signal]);
  try {
    for (let attempt = 1; ; attempt++) {
      let said = false;
      try {
        for await (const part of attemptOnce({ ...call, signal })) {
          if (typeof part !== 'string') return part.reason;
          said = true;
          yield part;
        }
        throw new ModelFailed('ModelCutOff', 'the stream ended without a finish');
      } catch (error) {
        call.signal.throwIfAborted();
        const wait = said || attempt > 1 ? undefined : patience(error);
        if (wait === undefined) throw failureOf(error, call.model, said);
        await pause(wait, signal);
      }
    }
  } finally {
    leaving.abort();
  }
}

async function* attemptOnce({
  model,
  prompt,
  signal,
  allowed,
  tools,
}: ModelCall): AsyncGenerator<string | { reason: EndReason }> {
  const { baseUrl: baseURL, apiKey, headers, body, temperature, maxOutputTokens, timeouts, thinkingTag, startsThinking } = model;
  const provider = createOpenAICompatible({
    name: 'model',
    baseURL,
    apiKey,
    headers,
    fetch: createModelFetch({ trusted: model.trusted, allowed, milliseconds: timeouts.firstChunkMs }),
    ...(body && { transformRequestBody: (sent: Record<string, unknown>) => ({ ...sent, ...body }) }),
  });
  const result = streamText({
    model: wrapLanguageModel({
      model: provider.chatModel(model.model),
      middleware: extractReasoningMiddleware({
        tagName: thinkingTag,
        startWithReasoning: startsThinking,
      }) as LanguageModelMiddleware,
    }),
    instructions: prompt.instructions,
    messages: prompt.messages,
    maxOutputTokens,
    temperature,
    maxRetries: 0,
    abortSignal: signal,
    timeout: timeouts,
    ...(tools && {
      tools,
      stopWhen: isStepCount(mostSteps),
      // The last step has to be an answer.
      prepareStep: ({ stepNumber }: { stepNumber: number }) =>
        stepNumber === mostSteps - 1 ? { toolChoice: 'none' as const } : undefined,
    }),
    // It comes as a part of the stream as well.
    onError: () => undefined,
  });
  // Nobody else waits for these, and their rejection would end the process.
  for (const promise of [result.finishReason, result.text, result.usage, result.steps, result.response])
    void Promise.resolve(promise).catch(() => undefined);
  let said = false;
  for await (const part of result.stream) {
    if (part.type === 'text-delta' && part.text !== '') {
      said ||= part.text.trim() !== '';
      yield part.text;
    } else if (part.type === 'error') throw part.error;
    else if (part.type === 'abort') throw new ModelFailed('ModelTimeout', part.reason ?? 'timeout');
    else if (part.type === 'finish') {
      if (part.finishReason === 'error') throw new ModelFailed('ModelCutOff', 'the model ended with an error');
      if (!said) throw new ModelFailed('ModelEmpty', `no text, finished by ${part.rawFinishReason ?? part.finishReason}`);
      yield { reason: part.finishReason === 'interrupted' ? 'other' : part.finishReason };
      return;
    }
  }
}

/** Milliseconds after which to try once more; undefined when it makes no sense. */
function patience(error: unknown): number | undefined {
  if (!APICallError.isInstance(error) || ![429, 503].includes(error.statusCode ?? 0)) return undefined;
  const named = retryAfter(error.responseHeaders);
  if (named === undefined) return error.statusCode === 503 ? 1000 : undefined;
  return named <= longestPatience ? named : undefined;
}

function retryAfter(headers: Record<string, string> | undefined): number | undefined {
  const milliseconds = Number(headers?.['retry-after-ms'] || Number.NaN);
  const seconds = Number(headers?.['retry-after'] || Number.NaN);
  const found = Number.isNaN(milliseconds) ? seconds * 1000 : milliseconds;
  return Number.isNaN(found) || found < 0 ? undefined : found;
}

function failureOf(error: unknown, model: Model, said: boolean): ModelFailed {
  if (error instanceof ModelFailed) return error;
  const detail = withoutSecrets(detailOf(error), model);
  const fail = (code: ModelFault) => new ModelFailed(code, detail, { cause: error });
  // For its reader an answer broke off, whatever came instead of its end.
  if (said) return fail('ModelCutOff');
  if (error instanceof ApiError) return fail('ModelUnreachable');
  if (APICallError.isInstance(error)) {
    const { statusCode: status } = error;
    if (status === undefined) return fail('ModelUnreachable');
    if (status === 429 || status === 503) return fail('ModelBusy');
    if (status >= 500) return fail('ModelBroken');
    return fail(status >= 400 ? 'ModelRefused' : 'ModelBroken');
  }
  const { name = '', code = '' } = (error ?? {}) as { name?: string; code?: string };
  if (name === 'TimeoutError') return fail('ModelTimeout');
  return fail(unreachable.test(code) ? 'ModelUnreachable' : 'ModelBroken');
}

const unreachable = /^(?:ECONNREFUSED|ENOTFOUND|EHOST|ENET|ETIMEDOUT|EAI_|CERT_|ERR_TLS|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO)/;

function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return String(typeof error === 'object' ? JSON.stringify(error) : error);
  const status = APICallError.isInstance(error) && error.statusCode !== undefined ? `status ${error.statusCode}, ` : '';
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${status}${error.name}: ${error.message}${cause}`;
}

/** What upstreams answer may quote the key that they refuse. */
function withoutSecrets(text: string, { apiKey, headers }: Model): string {
  return [apiKey, ...Object.values(headers)]
    .filter((secret) => secret !== undefined && secret.length >= 4)
    .reduce<string>((left, secret) => left.replaceAll(secret!, '…'), text.slice(0, 2000))
    .slice(0, 300);
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((over, left) => {
    const timer = setTimeout(over, milliseconds);
    signal.addEventListener('abort', () => (clearTimeout(timer), left(signal.reason)), { once: true });
  });
}
