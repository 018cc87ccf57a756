// Connections to models. A URL that a site names is checked like the URL of a webhook. Some servers send the whole completion, although the
// request asks for a stream.
import { createPool, requestAsFetch, type AllowedNetworks } from '../../../integration/remote/safe-fetch.ts';

export interface ModelFetchOptions {
  /** An operator chose the URL, so any network is allowed. */
  trusted: boolean;
  allowed: AllowedNetworks;
  /** Milliseconds until the response must begin. */
  milliseconds: number;
}

const pools = { trusted: createPool(), checked: createPool() };

/** A `fetch` that follows no redirects and uses no proxy. Rejects with what `safeRequest` throws. */
export function createModelFetch({ trusted, allowed, milliseconds }: ModelFetchOptions): typeof fetch {
  return requestAsFetch({
    allowed: trusted ? 'any' : allowed,
    answersWithin: milliseconds,
    pool: pools[trusted ? 'trusted' : 'checked'],
    isRepeatable: true,
  });
}

interface Completion {
  choices: { index?: number; message: { tool_calls?: object[] }; finish_reason?: string | null }[];
}

/** A `fetch` whose JSON completions come as the event stream that was asked for; every other response stays unchanged. */
export function asEventStream(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    const type = response.headers.get('content-type') ?? '';
    if (!response.ok || !response.body || !/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) return response;
    const headers = new Headers(response.headers);
    headers.set('content-type', 'text/event-stream');
    headers.delete('content-length');
    return new Response(
      response.body.pipeThrough(new TextDecoderStream()).pipeThrough(wholeAsEvents()).pipeThrough(new TextEncoderStream()),
      {
        status: response.status,
        headers,
      },
    );
  };
}

// Nothing longer is the answer to a question.
const longest = 4_000_000;

function wholeAsEvents(): TransformStream<string, string> {
  let text = '';
  return new TransformStream({
    transform(piece) {
      text += piece;
      if (text.length > longest) throw new Error(`the model's answer has more than ${longest} characters`);
    },
    flush: (controller) => controller.enqueue(eventsOf(text)),
  });
}

/** Anything but a completion stays unchanged, for the reader of the stream to refuse. */
function eventsOf(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return `data: ${text.replace(/\s+/g, ' ')}\n\n`;
  }
  const events = isCompletion(value) ? chunksOf(value) : [value];
  return [...events.map((event) => JSON.stringify(event)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
}

function isCompletion(value: unknown): value is Completion {
  if (typeof value !== 'object' || value === null || !('choices' in value)) return false;
  const { choices } = value;
  return Array.isArray(choices) && choices.length > 0 && choices.every(({ message }) => typeof message === 'object');
}

/** A chunk with the whole text, and one with the reason of the end. */
function chunksOf({ choices, ...rest }: Completion): object[] {
  const said = choices.map(({ message, index = 0 }) => {
    const tool_calls = message.tool_calls?.map((call, at) => ({ index: at, ...call }));
    return { index, delta: { ...message, ...(tool_calls && { tool_calls }) }, finish_reason: null };
  });
  const ended = choices.map(({ index = 0, finish_reason = 'stop' }) => ({ index, delta: {}, finish_reason }));
  return [
    { ...rest, object: 'chat.completion.chunk', choices: said, usage: undefined },
    { ...rest, object: 'chat.completion.chunk', choices: ended },
  ];
}
