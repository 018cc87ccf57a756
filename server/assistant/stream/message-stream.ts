// An answer as the UI message stream that chat clients of the major versions 5 to 7 read: server-sent events, a chunk of JSON each.
import english from '../../../integration/texts/en.json' with { type: 'json' };
import type { AnswerEvent } from '../answer/answer-event.ts';
import type { EndReason } from '../model/model-outcome.ts';
import type { Source } from '../retrieve/sources.ts';
import type { ServerOptions } from '../../platform/options.ts';
import { messageChunks } from './message-chunks.ts';
import { eventStreamHeaders } from '../../http/event-stream.ts';

export interface StreamOf {
  messageId: string;
  threadId: string;
  /**
   * Only `finish` differs. `full` has the thread at its top level, which clients before 5.0.217, 6.0.231 and 7.0.32 report as an
   * error after a complete answer; `strict` suits every client from 5.0.0.
   */
  form: 'full' | 'strict';
}

export const streamHeaders = { ...eventStreamHeaders, 'x-vercel-ai-ui-message-stream': 'v1' };

/** A comment, which clients ignore. */
export const streamHeartbeat = ': keep-alive\n\n';

/** The text of the stream in pieces, each of whole frames. A failure is part of it. */
export async function* messageStream(events: AsyncIterable<AnswerEvent>, options: StreamOf): AsyncGenerator<string> {
  const { messageId, threadId, form } = options;
  const id = 'text';
  let isOpen = false;
  const ending = (finishReason: EndReason, about: object = {}, ...errors: Chunk[]): string => {
    const metadata = { type: 'finish', messageMetadata: { threadId, finishReason, ...about } };
    const finish = form === 'full' ? { ...metadata, finishReason, threadId } : metadata;
    return frames(...(isOpen ? [{ type: 'text-end', id }] : []), ...errors, { type: 'finish-step' }, finish);
  };
  const failure = (errorText: string, code = 'AnswerFailed'): string =>
    ending('error', failedBy(code), { type: 'error', errorText });

  // The first piece is sent before anything is searched for, so that proxies see an answer at once. Clients read nothing after an
  // error, so the thread comes first.
  yield `: stream-open\n\n${frames(
    { type: 'start', messageId, messageMetadata: { threadId } },
    { type: 'data-thread', data: { threadId }, transient: true },
    { type: 'start-step' },
  )}`;
  let end: string | undefined;
  for await (const event of events) {
    if (event.type === 'reading') yield frames({ type: 'data-reading', data: { passages: event.passages }, transient: true });
    else if (event.type === 'source') yield frames(sourceChunk(event.source));
    else if (event.type === 'text') {
      if (event.text === '') continue;
      const delta = { type: 'text-delta', id, delta: event.text };
      yield isOpen ? frames(delta) : frames({ type: 'text-start', id }, delta);
      isOpen = true;
    } else {
      end = event.type === 'failed' ? failure(event.message, event.code) : ending(event.reason, writtenBy(event));
      break;
    }
  }
  // A stream that ends without a word looks like success.
  yield end ?? failure(english.server.cutOff);
  yield 'data: [DONE]\n\n';
}

/**
 * The form for a request, as the setting says. `isFromSdk`: it comes from the transport of the AI SDK. Its strict builds do not name
 * themselves, and its hooks never show the top level of `finish`.
 */
export function formFor(
  setting: ServerOptions['finishThread'],
  { headers, isFromSdk }: { headers: Headers; isFromSdk: boolean },
): StreamOf['form'] {
  if (setting !== 'auto') return setting === 'always' ? 'full' : 'strict';
  if (isFromSdk) return 'strict';
  // Every build that sends its version is strict; a request without a version can come from any build.
  const isStrict = /\bai-sdk\/[56]\./.test(headers.get('user-agent') ?? '');
  return isStrict || headers.get('x-carrel-stream')?.trim().toLowerCase() === 'strict' ? 'strict' : 'full';
}

type Chunk = { type: string } & Record<string, unknown>;

function frames(...chunks: Chunk[]): string {
  return chunks.map(frame).join('');
}

/** What wrote an answer, for a client to show. */
function writtenBy({ by, why, isEmpty }: Extract<AnswerEvent, { type: 'end' }>): object {
  return { carrel: { answer: by, ...(why && { reason: why }), ...(isEmpty && { answered: false }) } };
}

function failedBy(reason: string): object {
  return { carrel: { ...(reason.startsWith('Model') && { answer: 'model' }), reason } };
}

function sourceChunk({ number, id, url, title, headings, excerpt, score }: Source): Chunk {
  return {
    type: 'source-url',
    sourceId: `s${number}`,
    url,
    title: title || undefined,
    providerMetadata: { carrel: { number, id, headings, excerpt, score } },
  };
}

/** The chunks and keys that are sent: an unknown type or a null ends the stream in every client, an unknown key in strict clients. */
const allowed = new Map<string, string[]>(messageChunks.map(({ shape }) => [shape.type.value, Object.keys(shape)]));

/** A chunk as text; empty for a chunk that is not allowed. */
export function frame(chunk: Chunk): string {
  const keys = allowed.get(chunk.type)?.filter((key) => chunk[key] !== undefined && chunk[key] !== null);
  if (!keys) return '';
  return `data: ${JSON.stringify(Object.fromEntries(keys.map((key) => [key, chunk[key]])))}\n\n`;
}

export const lineHeaders = {
  ...eventStreamHeaders,
  'content-type': 'text/plain; charset=utf-8',
  'x-vercel-ai-data-stream': 'v1',
};

/** An empty line, since these clients do not know comments. */
export const lineHeartbeat = '\n';

/** The answer as the data stream of version 4 clients, in pieces of whole lines. A failure is part of it. */
export async function* lineStream(
  answer: AsyncIterable<AnswerEvent>,
  { messageId, threadId }: Omit<StreamOf, 'form'>,
): AsyncGenerator<string> {
  yield [line('f', { messageId }), line('2', [{ type: 'thread', threadId }]), line('8', [{ threadId }])].join('');
  for await (const event of answer) {
    if (event.type === 'reading') continue;
    if (event.type === 'source') yield sourceLine(event.source);
    else if (event.type === 'text') yield event.text && line('0', event.text);
    else if (event.type === 'failed') return yield line('8', [failedBy(event.code)]) + line('3', event.message);
    else return yield line('8', [writtenBy(event)]) + ending(event.reason, threadId);
  }
  yield line('3', english.server.cutOff);
}

function sourceLine({ number, url, title }: Source): string {
  return line('h', { sourceType: 'url', id: `s${number}`, url, ...(title ? { title } : {}) });
}

function ending(finishReason: EndReason, threadId: string): string {
  // Without numbers, clients count with NaN.
  const usage = { promptTokens: 0, completionTokens: 0 };
  return line('e', { finishReason, usage, isContinued: false }) + line('d', { finishReason, usage, threadId });
}

function line(code: string, value: unknown): string {
  return `${code}:${JSON.stringify(value)}\n`;
}
