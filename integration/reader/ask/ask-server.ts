import { isRecord } from '../../text/json.ts';
import { readEvents, type StreamEvent } from '../shared/read-events.ts';
import { type Answered, type AskEvent, type AskQuestion, type AskThread, sourceTitle } from './answer.ts';
import { sendToServer, type ServerSettings } from '../shared/send-to-server.ts';
import type { AskServer } from './settings.ts';

/** The visitor, and the part of the docs that the question is for. */
export interface Asker {
  /** Id of the visitor's browser. */
  fp: string;
  filter?: { language: string; version?: string };
}

/** Sends a body to one of the site's routes at the assistant. Undefined if the settings name no server any more. */
function post(
  settings: ServerSettings<AskServer>,
  route: string,
  body: object,
  signal?: AbortSignal,
): Promise<Response | undefined> {
  return sendToServer(settings, ({ url, domain, key }) =>
    fetch(`${url}/v2/assistant/${encodeURIComponent(domain)}/${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify(body),
      signal: signal ?? null,
      credentials: 'omit',
      cache: 'no-store',
    }),
  );
}

/**
 * Asks the server of the settings; without one any more, what `otherwise` returns is the answer. A failure is the last event, `failed`; an
 * answer that `signal` ends has none.
 */
export async function* askServer(
  settings: ServerSettings<AskServer>,
  { messages, context, page, thread }: AskQuestion,
  { fp, filter }: Asker,
  signal: AbortSignal,
  otherwise: () => AsyncIterable<AskEvent | Answered>,
): AsyncGenerator<AskEvent | Answered> {
  const body = {
    fp,
    messages: messages.map(({ id, role, text }) => ({ id, role, parts: [{ type: 'text', text }] })),
    // The server refuses longer paths.
    currentPath: page !== undefined && page.length <= 200 ? page : undefined,
    context: context.length > 0 ? context : undefined,
    threadId: thread?.id,
    threadKey: thread?.key,
    filter,
  };
  try {
    const response = await post(settings, 'message', body, signal);
    if (!response) return yield* otherwise();
    if (!response.ok || !response.body) return yield await refusal(response);
    const id = response.headers.get('x-thread-id');
    const key = response.headers.get('x-thread-key') ?? thread?.key;
    if (id) yield { type: 'thread', thread: { id, key } };
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
  settings: ServerSettings<AskServer>,
  { fp }: Asker,
  { thread, messageId, rating, comment }: Feedback,
): Promise<boolean> {
  const body = {
    fp,
    threadId: thread.id,
    threadKey: thread.key,
    messageId,
    rating,
    comment: comment || undefined,
  };
  try {
    return (await post(settings, 'feedback', body))?.ok === true;
  } catch {
    return false;
  }
}

async function* answerIn(events: AsyncIterable<StreamEvent>, key: string | undefined): AsyncGenerator<AskEvent | Answered> {
  let sources = 0;
  let begun = false;
  let carrel: Record<string, unknown> = {};
  for await (const event of events) {
    const threadId = [event, event.messageMetadata, event.data].map(threadIn).find(Boolean);
    if (threadId !== undefined) yield { type: 'thread', thread: { id: threadId, key } };
    if (event.type === 'start' && typeof event.messageId === 'string') yield { type: 'message', id: event.messageId };
    if (event.type === 'data-reading' && isRecord(event.data) && typeof event.data['passages'] === 'number')
      yield { type: 'reading', passages: event.data['passages'] };
    if (event.type === 'text-delta' && typeof event.delta === 'string') {
      begun = true;
      yield { type: 'text', text: event.delta };
    }
    if (event.type === 'source-url' && typeof event.url === 'string')
      yield { type: 'source', source: sourceOf(event, ++sources) };
    // For an answer that has begun, the panel says in the reader's language that it broke off.
    if (event.type === 'error') {
      if (begun) break;
      return yield { type: 'failed', reason: 'refused', message: String(event.errorText ?? '') };
    }
    // Whatever a server sends here has fields, or lacks them.
    carrel = (Object(event.messageMetadata) as { carrel?: typeof carrel }).carrel ?? carrel;
    if (event.type !== 'finish') continue;
    // An answer from the docs cites them; a refusal cites the closest pages.
    const by = sources === 0 || carrel['answered'] === false ? 'none' : carrel['answer'] === 'quotes' ? 'quotes' : 'model';
    return yield { type: 'answered', by };
  }
  yield { type: 'failed', reason: 'cut-off' };
}

function sourceOf({ url = '', title, providerMetadata }: StreamEvent, position: number) {
  const { number, id, headings } = providerMetadata?.['carrel'] ?? {};
  const names = Array.isArray(headings) ? headings.filter((heading) => typeof heading === 'string') : [];
  return {
    number: typeof number === 'number' ? number : position,
    ...(typeof id === 'string' && { section: id }),
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
