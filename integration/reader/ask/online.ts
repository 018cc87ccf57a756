import { sourceTitle, type AskEvent, type AskQuestion } from './answer.ts';
import { readEvents, type StreamEvent } from './events.ts';
import type { AskServer } from './settings.ts';

/** Who asks, and for which part of the docs. */
export interface Asker {
  /** Tells one visitor's conversations from another's. */
  fp: string;
  filter: { language?: string; version?: string };
}

/** Address of one of the site's own routes at the assistant. */
export function assistantAddress({ url, domain }: AskServer, route: string): string {
  return `${url}/v2/assistant/${encodeURIComponent(domain)}/${route}`;
}

export function requestHeaders({ key }: AskServer): Record<string, string> {
  return { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) };
}

/** Asks a server. What goes wrong comes as `failed`, last; ends without it when `signal` ends the answer. */
export async function* askServer(
  server: AskServer,
  { messages, context, page, thread }: AskQuestion,
  { fp, filter }: Asker,
  signal: AbortSignal,
): AsyncGenerator<AskEvent> {
  const body = {
    fp,
    messages: messages.map(({ id, role, text }) => ({ id, role, parts: [{ type: 'text', text }] })),
    // Longer ones are refused; a path that long is no loss.
    ...(page !== undefined && page.length <= 200 ? { currentPath: page } : {}),
    ...(context.length > 0 ? { context } : {}),
    ...(thread ? { threadId: thread.id, ...(thread.key ? { threadKey: thread.key } : {}) } : {}),
    ...(Object.keys(filter).length > 0 ? { filter } : {}),
  };
  try {
    const response = await fetch(assistantAddress(server, 'message'), {
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
    if (!signal.aborted) yield { type: 'failed', reason: 'lost', message: String((error as Error).message ?? error) };
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
    // Of an answer that has begun, the panel says in the reader's language that it broke off.
    if (event.type === 'error' && begun) break;
    if (event.type === 'error') return yield { type: 'failed', reason: 'refused', message: String(event.errorText ?? '') };
    if (event.type === 'finish') return;
  }
  yield { type: 'failed', reason: 'cut-off' };
}

function sourceOf({ url = '', title, providerMetadata }: StreamEvent, place: number) {
  const { number, id, headings } = providerMetadata?.['carrel'] ?? {};
  const names = Array.isArray(headings) ? headings.filter((heading) => typeof heading === 'string') : [];
  return {
    number: typeof number === 'number' ? number : place,
    ...(typeof id === 'string' ? { section: id } : {}),
    url,
    title: typeof title === 'string' && title !== '' ? sourceTitle(title, names) : url,
  };
}

function threadIn(value: unknown): string | undefined {
  const id = (value as { threadId?: unknown } | null | undefined)?.threadId;
  return typeof id === 'string' ? id : undefined;
}

/** Our servers say in `error` what happened and what to do. */
async function refusal(response: Response): Promise<AskEvent> {
  const said: unknown = await response.json().catch(() => undefined);
  const { error, message = error } = (said ?? {}) as { error?: unknown; message?: unknown };
  const seconds = Number(response.headers.get('retry-after'));
  if (response.status === 429 && seconds > 0) return { type: 'failed', reason: 'busy', seconds };
  const sentence = [error, message].find((text) => typeof text === 'string');
  return {
    type: 'failed',
    reason: 'refused',
    message: sentence === undefined ? `HTTP ${response.status}` : String(sentence).slice(0, 500),
  };
}
