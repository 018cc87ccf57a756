// From the fields and messages of a body, of any version, to its question, the same from every endpoint: its fields are checked, and roles
// and parts without a meaning are removed.
import type { z } from '@hono/zod-openapi';
import type { AskContext } from '../../../integration/reader/shared/events.ts';
import { pagePathOf } from '../../../integration/urls/page-path.ts';
import { ApiError } from '../../platform/errors.ts';
import type { questionFields } from './message-schemas.ts';

/** An earlier message. Messages with the role `system` are never here: instructions are the server's own. */
export interface Turn {
  role: 'user' | 'assistant';
  text: string;
}

export interface Question {
  /** Text of the last message of the user. */
  text: string;
  /** Before it, oldest first. */
  turns: Turn[];
  /** What the reader marked on the page. */
  context: AskContext[];
  /** Files by name; `text` only of small text files that the request itself contains. */
  files: { name: string; text?: string }[];
  /** Path of the page being read, without slashes at the ends. */
  currentPath?: string;
  filter: { version?: string; language?: string; groups?: string[] };
  /** Pages of the docs to answer from, 1 to 50. */
  pages: number;
}

/** A question with what the request says about its reader, thread and client; the same for all versions. */
export interface Asked {
  question: Question;
  fp: string;
  /** Whether the transport of the AI SDK sent it. */
  isFromSdk?: boolean;
  /** The chat's id in the client. */
  chatId?: string;
  threadId?: string;
  threadKey?: string;
  /** The thread that the last answer in the conversation came with; for clients that send no `threadId`. */
  echoedThreadId?: string;
}

/** A message of any version. */
export interface Said {
  role: string;
  text: string;
  files: SentFile[];
  /** What the client sends back of the answer: any value. */
  threadId?: unknown;
}

export interface CommonFields extends z.output<z.ZodObject<typeof questionFields>> {
  fp: string;
  chatId?: string;
  currentPath?: string | null;
}

const mostMessages = 200;
const mostFiles = 10;

/** Throws `ApiError` 400 `RequestInvalid` when there is no text of a user, or a thread's key without a thread. */
export function questionOf(fields: CommonFields, messages: Said[]): Asked {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const asking = messages[last];
  if (!asking || asking.text.trim() === '')
    throw invalidQuestionError(
      'messages: the last message of the user has no text. Send a part such as {"type":"text","text":"…"}',
    );
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
      ...(typeof fields.currentPath === 'string' ? { currentPath: pagePathOf(fields.currentPath) } : {}),
      filter: withoutNullish(fields.filter ?? {}),
      pages: fields.retrievalPageSize,
    },
    fp,
    ...withoutNullish({ chatId, threadId, threadKey }),
    ...(typeof echoed === 'string' ? { echoedThreadId: echoed } : {}),
  };
  if (asked.threadKey !== undefined && asked.threadId === undefined && asked.echoedThreadId === undefined)
    throw invalidQuestionError('threadKey: the threadId for this key is missing');
  return asked;
}

function turnOf({ role, text }: Said): Turn[] {
  if ((role !== 'user' && role !== 'assistant') || text.trim() === '') return [];
  return [{ role, text: text.trim() }];
}

type WithoutNullish<Value> = { [Key in keyof Value]: Exclude<Value[Key], null> };

function withoutNullish<Value extends object>(value: Value): WithoutNullish<Value> {
  return Object.fromEntries(
    Object.entries(value).filter(([, part]) => part !== null && part !== undefined),
  ) as WithoutNullish<Value>;
}

function invalidQuestionError(fault: string): ApiError {
  return new ApiError('RequestInvalid', `The request is not valid. ${fault}.`);
}

/** A file of a message. */
interface SentFile {
  url: string;
  mediaType: string;
  name?: string;
}

const largestText = 100 * 1024;
const textTypes = /^(?:text\/|application\/(?:[\w.+-]+\+)?(?:json|xml|yaml|x-yaml|toml|javascript|typescript|sql|x-sh)\b)/i;

/** A file by its name, with its text when the message contains it as text of at most 100 KB. Nothing is ever fetched. */
function readFile({ url, mediaType, name }: SentFile): Question['files'][number] {
  const file = { name: cleaned(name || (url.startsWith('data:') ? '' : lastPart(url)) || mediaType) || 'file' };
  const text = textOf(url, mediaType);
  return text === undefined ? file : { ...file, text };
}

function textOf(url: string, mediaType: string): string | undefined {
  const comma = url.indexOf(',');
  if (!/^data:/i.test(url) || comma < 0 || !textTypes.test(mediaType)) return undefined;
  const body = url.slice(comma + 1);
  // At most three characters stand for one byte.
  if (body.length > 3 * largestText) return undefined;
  try {
    const bytes = /;base64$/i.test(url.slice(0, comma)) ? Buffer.from(body, 'base64') : Buffer.from(decodeURIComponent(body));
    if (bytes.length > largestText) return undefined;
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // A file that claims to be text, and is not, still has a name.
    return undefined;
  }
}

function lastPart(url: string): string {
  const path = url.replace(/[?#].*$/s, '').replace(/\/+$/, '');
  return path.slice(path.lastIndexOf('/') + 1);
}

/** One short line. */
function cleaned(name: string): string {
  return name
    .replace(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, 200);
}

const scripts: { pattern: RegExp; language: string; of: string[] }[] = [
  { pattern: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu, language: 'ja', of: ['Jpan'] },
  { pattern: /\p{Script=Hangul}/gu, language: 'ko', of: ['Kore'] },
  { pattern: /\p{Script=Han}/gu, language: 'zh', of: ['Hans', 'Hant', 'Jpan'] },
  { pattern: /\p{Script=Cyrillic}/gu, language: 'ru', of: ['Cyrl'] },
  { pattern: /\p{Script=Arabic}/gu, language: 'ar', of: ['Arab'] },
  { pattern: /\p{Script=Hebrew}/gu, language: 'he', of: ['Hebr'] },
  { pattern: /\p{Script=Devanagari}/gu, language: 'hi', of: ['Deva'] },
];

/** The language of a question whose script differs from that of the docs; else the language of the docs. */
export function readerLanguage(question: string, docsLanguage: string): string {
  const letters = question.match(/\p{L}/gu)?.length ?? 0;
  for (const { pattern, language, of } of scripts) {
    const count = question.match(pattern)?.length ?? 0;
    // Names and commands keep their own letters between the words; Japanese has Han between its kana.
    if (count < Math.max(1, letters / 4)) continue;
    return of.includes(scriptOf(docsLanguage)) ? docsLanguage : language;
  }
  return docsLanguage;
}

function scriptOf(language: string): string {
  try {
    return new Intl.Locale(language.replaceAll('_', '-')).maximize().script ?? 'Latn';
  } catch {
    return 'Latn';
  }
}
