// An answer as the data stream that chat clients of the major version 4 read: a line each, `CODE:JSON`.
import { server as labels } from '../../../integration/search/labels/en.ts';
import type { AnswerEvent } from '../answer/answer-events.ts';
import type { EndReason } from '../model/model-outcome.ts';
import type { Source } from '../retrieve/passages.ts';
import { writtenBy, type StreamOf } from './message-stream.ts';

export const lineHeaders = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-vercel-ai-data-stream': 'v1',
  'x-accel-buffering': 'no',
};

/** An empty line, since these clients do not know comments. */
export const lineHeartbeat = '\n';

/** The text of the stream in pieces, each of whole lines. A failure is part of it. */
export async function* lineStream(
  answer: AsyncIterable<AnswerEvent>,
  { messageId, threadId }: Omit<StreamOf, 'form'>,
): AsyncGenerator<string> {
  yield [line('f', { messageId }), line('2', [{ type: 'thread', threadId }]), line('8', [{ threadId }])].join('');
  for await (const event of answer) {
    if (event.type === 'source') yield sourceLine(event.source);
    else if (event.type === 'text') yield event.text && line('0', event.text);
    else if (event.type === 'failed') return yield line('3', event.message);
    else return yield line('8', [writtenBy(event)]) + ending(event.reason, threadId);
  }
  yield line('3', labels.cutOff);
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
