import { isRecord } from '../shared/is-record.ts';
import { type AskEvent, type AskQuestion, type AskThread, sourceTitle } from './answer.ts';
import type { AskServer } from './settings.ts';

/** The visitor, and the part of the docs that the question is for. */
export interface Asker {
  /** Id of the visitor's browser. */
  fp: string;
  filter: { language?: string; version?: string };
}

/** URL of one of the site's routes at the assistant. */
function assistantUrl({ url, domain }: AskServer, route: string): string {
  return `${url}/v2/assistant/${encodeURIComponent(domain)}/${route}`;
}

function requestHeaders({ key }: AskServer): Record<string, string> {
  return { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) };
}

/** Asks a server. A failure is the last event, `failed`; an answer that `signal` ends has none. */
export async function* askServer(
  server: AskServer,
  { messages, context, page, thread }: AskQuestion,
  { fp, filter }: Asker,
  signal: AbortSignal,
): AsyncGenerator<AskEvent> {
  const body = {
    fp,
    messages: messages.map(({ id, role, text }) => ({ id, role, parts: [{ type: 'text', text }] })),
    // The server refuses longer paths.
    ...(page !== undefined && page.length <= 200 ? { currentPath: page } : {}),
    ...(context.length > 0 ? { context } : {}),
    ...(thread ? { threadId: thread.id, ...(thread.key ? { threadKey: thread.key } : {}) } : {}),
    ...(Object.keys(filter).length > 0 ? { filter } : {}),
  };
  try {
    const response = await fetch(assistantUrl(server, 'message'), {
      method: 'POST',
      headers: requestHeaders(server),
      body: JSON.stringify(body),
      signal,
      credentials: 'omit',
      cache: 'no-store',
    });
    if (!response.ok || !response.body) return yield await refusal(response);
    const id = response.headers.get('x-thread-id');
    const key = response.headers.get('x-thread-key') ?? thread?.key;
    if (id) yield { type: 'thread', thread: { id, ...(key ? { key } : {}) } };
    yield* answerIn(readEvents(response.body), key);
  } catch (error) {
    if (!signal.aborted)
      yield { type: 'failed', reason: 'lost', message: error instanceof Error ? error.message : String(error) };
  }
}

interface Feedback {
  thread: AskThread;
  messageId: string;
  rating: 'up' | 'down';
  comment?: string;
}

/** Sends a reader's rating of an answer. Returns whether it arrived. */
export async function sendFeedback(
  server: AskServer,
  { fp }: Asker,
  { thread, messageId, rating, comment }: Feedback,
): Promise<boolean> {
  const body = {
    fp,
    threadId: thread.id,
    ...(thread.key ? { threadKey: thread.key } : {}),
    messageId,
    rating,
    ...(comment ? { comment } : {}),
  };
  try {
    const response = await fetch(assistantUrl(server, 'feedback'), {
      method: 'POST',
      headers: requestHeaders(server),
      body: JSON.stringify(body),
      credentials: 'omit',
    });
    return response.ok;
  } catch {
    return false;
  }
}

async function* answerIn(events: AsyncIterable<StreamEvent>, key: string | undefined): AsyncGenerator<AskEvent> {
  let sources = 0;
  let begun = false;
  for await (const event of events) {
    const threadId =
      event.threadId ?? threadIn(event.messageMetadata) ?? (event.type === 'data-thread' ? threadIn(event.data) : undefined);
    if (threadId !== undefined) yield { type: 'thread', thread: { id: threadId, ...(key ? { key } : {}) } };
    if (event.type === 'start' && typeof event.messageId === 'string') yield { type: 'message', id: event.messageId };
    if (event.type === 'text-delta' && typeof event.delta === 'string') {
      begun = true;
      yield { type: 'text', text: event.delta };
    }
    if (event.type === 'source-url' && typeof event.url === 'string')
      yield { type: 'source', source: sourceOf(event, ++sources) };
    // For an answer that has begun, the panel says in the reader's language that it broke off.
    if (event.type === 'error' && begun) break;
    if (event.type === 'error') return yield { type: 'failed', reason: 'refused', message: String(event.errorText ?? '') };
    if (event.type === 'finish') return;
  }
  yield { type: 'failed', reason: 'cut-off' };
}

function sourceOf({ url = '', title, providerMetadata }: StreamEvent, position: number) {
  const { number, id, headings } = providerMetadata?.['carrel'] ?? {};
  const names = Array.isArray(headings) ? headings.filter((heading) => typeof heading === 'string') : [];
  return {
    number: typeof number === 'number' ? number : position,
    ...(typeof id === 'string' ? { section: id } : {}),
    url,
    title: typeof title === 'string' && title !== '' ? sourceTitle(title, names) : url,
  };
}

function threadIn(value: unknown): string | undefined {
  return isRecord(value) && typeof value['threadId'] === 'string' ? value['threadId'] : undefined;
}

/** The message of a response that is not an answer: our servers send it as `error`. */
async function refusal(response: Response): Promise<AskEvent> {
  const body: unknown = await response.json().catch(() => undefined);
  const { error, message } = isRecord(body) ? body : {};
  const seconds = Number(response.headers.get('retry-after'));
  if (response.status === 429 && seconds > 0) return { type: 'failed', reason: 'busy', seconds };
  const sentence = [error, message].find((text) => typeof text === 'string');
  return {
    type: 'failed',
    reason: 'refused',
    message: sentence === undefined ? `HTTP ${response.status}` : String(sentence).slice(0, 500),
  };
}

// The UI message stream of the assistant: server-sent events with one JSON object each. Reading it takes 0.4 kB compressed, where
// `eventsource-parser` is 1.8 kB.

/** The properties of the stream's objects that are used. */
interface StreamEvent {
  type: string;
  delta?: string;
  messageId?: string;
  messageMetadata?: unknown;
  sourceId?: string;
  url?: string;
  title?: string;
  providerMetadata?: Record<string, Record<string, unknown> | undefined>;
  data?: unknown;
  errorText?: string;
  threadId?: string;
}

/** The objects of a body, as they arrive. Skips comments, other fields, and data that is not a JSON object with a type. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const lines = (rest + (done ? decoder.decode() : decoder.decode(value, { stream: true }))).split(/\r\n|\n|\r(?!$)/);
      // A truncated body ends within an event, which is ignored.
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
        if (line !== '' || data.length === 0) continue;
        const event = parse(data.join('\n'));
        data = [];
        if (event) yield event;
      }
      if (done) return;
    }
  } finally {
    // A caller that stops reading ends the answer, too.
    await reader.cancel().catch(() => {});
  }
}

function parse(text: string): StreamEvent | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isStreamEvent(value) ? value : undefined;
  } catch {
    return undefined; // `[DONE]`
  }
}

// Of the other properties, those that are used are checked there.
function isStreamEvent(value: unknown): value is StreamEvent {
  return isRecord(value) && typeof value['type'] === 'string';
}
