// One request to a model, or a few with tools: the parts of its answer that matter here.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { ModelFailed, type EndReason, type ModelEnd } from './model-outcome.ts';
import { createModelFetch, asEventStream } from './model-fetch.ts';
import type { Model } from '../../sites/model-settings.ts';

export interface ModelPrompt {
  instructions: string;
  messages: { role: 'user' | 'assistant'; content: string }[];
}

/** A tool by its name; `execute` gets input that fits the schema, and returns what the model reads. */
export type ModelTools = Record<string, ModelTool>;

interface ModelTool {
  description: string;
  inputSchema: z.ZodType;
  execute(input: unknown): Promise<string> | string;
}

export interface ModelCall {
  model: Model;
  prompt: ModelPrompt;
  signal: AbortSignal;
  /** Private networks that the settings of any site may use. */
  allowed: string[];
  tools?: ModelTools;
  /** Called when the model uses tools, before they are run. */
  onToolUse?: () => void;
}

/** At most this many answers of the model for one question, when it uses tools. */
const mostSteps = 4;
/** Characters of the names and the input of all its tools. */
const longestInputs = 100_000;

/** Text as it comes, then how it ended. Throws what the connection fails with, and `ModelFailed`. */
export type ModelParts = AsyncGenerator<string | ModelEnd>;

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

type Message = Parameters<LanguageModel['doStream']>[0]['prompt'][number];
type ToolUse = { toolCallId: string; toolName: string; input: string };

/**
 * Ends when `ending` is aborted, and aborts it when the model takes too long. These are the model's own streams: `streamText` of the SDK
 * would store every part several times for readers that do not exist here, and thousands of answers may be open at once.
 */
export async function* callModel(call: ModelCall, ending: AbortController): ModelParts {
  const { model, prompt, tools, onToolUse } = call;
  const deadline = createDeadline(model.timeouts.totalMs, ending);
  const asked: Message[] = [
    { role: 'system', content: prompt.instructions },
    ...prompt.messages.map(({ role, content }) => ({ role, content: [{ type: 'text' as const, text: content }] })),
  ];
  const used: Message[] = [];
  let said = false;
  let tokens: Pick<ModelEnd, 'inputTokens' | 'outputTokens'> = {};
  try {
    for (let step = 1; ; step++) {
      // A model that uses tools to the end, whatever it was told, answers what it was asked first.
      const offered = tools && step <= mostSteps ? tools : undefined;
      const parts = oneStep(
        call,
        { messages: offered ? [...asked, ...used] : asked, offered, isLast: step === mostSteps },
        ending,
        deadline,
      );
      let isFirst: boolean = step > 1 && said;
      let next = await parts.next();
      for (; !next.done; next = await parts.next()) {
        // What was said before a tool was used is a paragraph of its own.
        const text: string = isFirst ? next.value.trimStart() : next.value;
        if (text === '') continue;
        yield isFirst ? `\n\n${text}` : text;
        said ||= text.trim() !== '';
        isFirst = false;
      }
      const { text, uses, reason, raw, usage } = next.value;
      tokens = {
        inputTokens: sum(tokens.inputTokens, usage.inputTokens.total),
        outputTokens: sum(tokens.outputTokens, usage.outputTokens.total),
      };
      if (!offered || uses.length === 0) {
        yield { ...ended(reason, raw, said), ...tokens };
        return;
      }
      onToolUse?.();
      if (step < mostSteps) used.push(...(await resultsOf(offered, text, uses)));
    }
  } catch (error) {
    throw deadline.isOver() ? new ModelFailed('ModelTimeout', 'timeout', { cause: error }) : error;
  } finally {
    deadline.end();
  }
}

function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined ? other : one + (other ?? 0);
}

/** Yields the text of one answer of a model, and returns it with the tools that the model uses. */
async function* oneStep(
  { model, allowed }: ModelCall,
  { messages, offered, isLast }: { messages: Message[]; offered: ModelTools | undefined; isLast: boolean },
  ending: AbortController,
  deadline: ReturnType<typeof createDeadline>,
) {
  const { maxOutputTokens, temperature, timeouts, thinkingTag, startsThinking } = model;
  const filter = withoutThinking(thinkingTag, startsThinking);
  const { stream } = await languageModel({ model, allowed }).doStream({
    prompt: messages,
    maxOutputTokens,
    temperature,
    abortSignal: ending.signal,
    ...(offered && { tools: described(offered), toolChoice: { type: isLast ? ('none' as const) : ('auto' as const) } }),
  });
  const uses: ToolUse[] = [];
  let text = '';
  let inputs = 0;
  deadline.until(timeouts.firstChunkMs);
  for await (const part of stream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'text-delta' || part.type === 'reasoning-delta' || part.type === 'tool-input-delta')
      deadline.until(timeouts.chunkMs);
    if (part.type === 'tool-input-delta' || part.type === 'tool-input-start') {
      inputs += part.type === 'tool-input-delta' ? part.delta.length : part.id.length + part.toolName.length;
      if (inputs > longestInputs) throw new ModelFailed('ModelBroken', 'the input of its tools has no end');
    }
    if (part.type === 'tool-call') uses.push({ toolCallId: part.toolCallId, toolName: part.toolName, input: part.input });
    const piece = part.type === 'text-delta' ? filter.push(part.delta) : part.type === 'finish' ? filter.end() : '';
    if (offered) text += piece;
    if (piece !== '') yield piece;
    if (part.type === 'finish') {
      const { unified: reason, raw } = part.finishReason;
      return { text, uses, reason, raw, usage: part.usage };
    }
  }
  throw new ModelFailed('ModelCutOff', 'the stream ended without a finish');
}

function described(tools: ModelTools) {
  return Object.entries(tools).map(([name, { description, inputSchema }]) => ({
    type: 'function' as const,
    name,
    description,
    inputSchema: z.toJSONSchema(inputSchema) as { type: 'object' },
  }));
}

/** What the model said and used, and what its tools returned. */
async function resultsOf(tools: ModelTools, text: string, uses: ToolUse[]): Promise<Message[]> {
  const values = await Promise.all(uses.map((use) => resultOf(tools, use)));
  return [
    {
      role: 'assistant',
      content: [
        ...(text.trim() === '' ? [] : [{ type: 'text' as const, text }]),
        ...uses.map(({ toolCallId, toolName, input }) => ({
          type: 'tool-call' as const,
          toolCallId,
          toolName,
          input: parsed(input) ?? {},
        })),
      ],
    },
    {
      role: 'tool',
      content: uses.map(({ toolCallId, toolName }, i) => ({
        type: 'tool-result' as const,
        toolCallId,
        toolName,
        output: { type: 'text' as const, value: values[i]! },
      })),
    },
  ];
}

async function resultOf(tools: ModelTools, { toolName, input }: ToolUse): Promise<string> {
  const tool = Object.hasOwn(tools, toolName) ? tools[toolName] : undefined;
  if (!tool) return `There is no such tool. Use ${Object.keys(tools).join(', ')}.`;
  const { data, error } = tool.inputSchema.safeParse(parsed(input));
  return error ? `The input is not valid: ${z.prettifyError(error).slice(0, 500)}` : tool.execute(data);
}

function parsed(input: string): unknown {
  try {
    return JSON.parse(input === '' ? '{}' : input);
  } catch {
    return undefined;
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
