// From the fields and messages of a body, of any version, to its question.
import type { z } from '@hono/zod-openapi';
import { ApiError } from '../../platform/errors.ts';
import type { contextSchema, filterSchema } from './message-fields.ts';
import type { Asked } from './message-request.ts';
import type { Turn } from './question.ts';
import { readFile, type SentFile } from './sent-file.ts';

/** A message of any version. */
export interface Said {
  role: string;
  text: string;
  files: SentFile[];
  /** What the client sends back of the answer: any value. */
  threadId?: unknown;
}

export interface CommonFields {
  fp: string;
  chatId?: string;
  threadId?: string | null;
  threadKey?: string | null;
  retrievalPageSize: number;
  filter?: z.output<typeof filterSchema>;
  context?: z.output<typeof contextSchema>;
  currentPath?: string | null;
}

const mostMessages = 200;
const mostFiles = 10;

/** Throws `ApiError` 400 `RequestInvalid` when there is no text of a user, or a thread's key without a thread. */
export function questionOf(fields: CommonFields, messages: Said[]): Asked {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const asking = messages[last];
  if (!asking || asking.text.trim() === '')
    throw invalid('messages: the last message of the user has no text. Send one with a part such as {"type":"text","text":"…"}');
  const considered = messages.slice(Math.max(0, last - mostMessages + 1), last + 1);
  const before = considered.slice(0, -1);
  const { fp, chatId, threadId, threadKey } = fields;
  const echoed = messages.findLast(({ role }) => role === 'assistant')?.threadId;
  const asked: Asked = {
    question: {
      text: asking.text.trim(),
      turns: before.flatMap(turnOf),
      context: (fields.context ?? []).map(withoutNullish),
      files: considered
        .flatMap(({ role, files }) => (role === 'user' ? files : []))
        .slice(-mostFiles)
        .map(readFile),
      ...(typeof fields.currentPath === 'string' ? { currentPath: pathOf(fields.currentPath) } : {}),
      filter: withoutNullish(fields.filter ?? {}),
      pages: fields.retrievalPageSize,
    },
    fp,
    ...withoutNullish({ chatId, threadId, threadKey }),
    ...(typeof echoed === 'string' ? { echoedThreadId: echoed } : {}),
  };
  if (asked.threadKey !== undefined && asked.threadId === undefined && asked.echoedThreadId === undefined)
    throw invalid('threadKey: there is no threadId that it is the key of');
  return asked;
}

function turnOf({ role, text }: Said): Turn[] {
  if ((role !== 'user' && role !== 'assistant') || text.trim() === '') return [];
  return [{ role, text: text.trim() }];
}

/** `/guides/install/#npm` is the page `guides/install`. */
function pathOf(path: string): string {
  return path.replace(/[?#].*$/s, '').replace(/^\/+|\/+$/g, '');
}

type WithoutNullish<Value> = { [Key in keyof Value]: Exclude<Value[Key], null> };

function withoutNullish<Value extends object>(value: Value): WithoutNullish<Value> {
  return Object.fromEntries(
    Object.entries(value).filter(([, part]) => part !== null && part !== undefined),
  ) as WithoutNullish<Value>;
}

function invalid(fault: string): ApiError {
  return new ApiError(400, 'RequestInvalid', `The request is not valid. ${fault}.`);
}
