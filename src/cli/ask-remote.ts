// A question to the assistant of a server, whose answer is printed as it comes.
import { ExportError } from '../../integration/errors.ts';
import type { ApiClient } from './api-client.ts';
import { readEvents } from './read-events.ts';
import { shown } from '../../integration/text/shown.ts';

export interface RemoteQuestion {
  domain: string;
  question: string;
  filter: { language?: string | undefined; version?: string | undefined };
}

/** A place in the docs that the answer names as `[number]`. */
export interface RemoteSource {
  number: number;
  title: string;
  headings: string[];
  url: string;
  /** Address `path#anchor`. */
  id: string;
}

export interface RemoteAnswer {
  text: string;
  /** Those that the text cites, or all where it cites none. */
  sources: RemoteSource[];
}

/**
 * Asks, and tells each piece of text when it comes. Throws what the client throws; `ExportError` `AnswerFailed` with the server's own
 * words, `AnswerCutOff` when the stream ends before the answer does.
 */
export async function askRemote(
  client: ApiClient,
  { domain, question, filter }: RemoteQuestion,
  onText: (text: string) => void,
): Promise<RemoteAnswer> {
  const messages = [{ id: 'question', role: 'user', parts: [{ type: 'text', text: question }] }];
  const response = await client.request('POST', `/discovery/v2/assistant/${encodeURIComponent(domain)}/message`, {
    body: { fp: 'anonymous', messages, filter },
  });
  const sources: RemoteSource[] = [];
  let text = '';
  for await (const chunk of chunksOf(response)) {
    if (chunk.type === 'source-url') sources.push(sourceOf(chunk, sources.length + 1));
    else if (chunk.type === 'text-delta') {
      text += chunk.delta;
      onText(String(chunk.delta));
    } else if (chunk.type === 'error')
      throw new ExportError('AnswerFailed', shown(String(chunk.errorText)), 'What came before it stands above.');
    else if (chunk.type === 'finish') {
      const cited = sources.filter(({ number }) => text.includes(`[${number}]`));
      return { text, sources: cited.length > 0 ? cited : sources };
    }
  }
  throw cutOff();
}

interface Chunk {
  type: string;
  [key: string]: unknown;
}

async function* chunksOf(response: Response): AsyncGenerator<Chunk> {
  try {
    for await (const { data } of readEvents(response)) if (data !== '[DONE]') yield JSON.parse(data) as Chunk;
  } catch (cause) {
    throw cutOff(cause);
  }
}

function cutOff(cause?: unknown): ExportError {
  const hint = 'Ask again; the log of the server may tell more.';
  return new ExportError('AnswerCutOff', 'The answer ended before its end.', hint, { cause });
}

function sourceOf({ url, title, providerMetadata }: Chunk, place: number): RemoteSource {
  const {
    number = place,
    id = '',
    headings = [],
  } = (providerMetadata as { carrel?: Partial<RemoteSource> } | undefined)?.carrel ?? {};
  return { number, id, headings, url: String(url), title: String(title ?? '') };
}
