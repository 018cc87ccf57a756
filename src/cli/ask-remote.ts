// Sends a question to the assistant of a server and prints the answer as it streams.
import { ExportError } from '../../integration/errors.ts';
import type { Source } from '../../server/assistant/retrieve/sources.ts';
import { type ApiClient, readEvents } from './api-client.ts';
import { shown } from '../../integration/text/escape.ts';

export interface RemoteQuestion {
  domain: string;
  question: string;
  filter: { language?: string | undefined; version?: string | undefined };
}

/** A section of the docs that the answer cites as `[number]`. */
export type RemoteSource = Omit<Source, 'excerpt' | 'score'>;

export interface RemoteAnswer {
  text: string;
  /** The sources that the text cites, or all sources if it cites none. */
  sources: RemoteSource[];
}

/**
 * Asks a question and passes each piece of text to `onText` as it arrives. Throws the client's errors; `ExportError` `AnswerFailed` with the
 * server's message, and `AnswerCutOff` if the stream ends before the answer is complete.
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
      text += chunk.delta ?? '';
      onText(chunk.delta ?? '');
    } else if (chunk.type === 'error')
      throw new ExportError(
        'AnswerFailed',
        shown(chunk.errorText ?? ''),
        `${text === '' ? '' : 'The answer above is incomplete. '}Try again.`,
      );
    else if (chunk.type === 'finish') {
      const cited = sources.filter(({ number }) => text.includes(`[${number}]`));
      return { text, sources: cited.length > 0 ? cited : sources };
    }
  }
  throw answerCutOffError();
}

/** The fields that are read of the parts of an AI SDK message stream. */
interface Chunk {
  type: string;
  delta?: string;
  errorText?: string;
  url?: string;
  title?: string;
  providerMetadata?: { carrel?: Partial<RemoteSource> };
}

async function* chunksOf(response: Response): AsyncGenerator<Chunk> {
  try {
    for await (const { data } of readEvents(response)) if (data !== '[DONE]') yield JSON.parse(data) as Chunk;
  } catch (cause) {
    throw answerCutOffError(cause);
  }
}

function answerCutOffError(cause?: unknown): ExportError {
  const hint = "Ask again; the server's log may contain details.";
  return new ExportError('AnswerCutOff', 'The answer was cut off.', hint, { cause });
}

function sourceOf({ url = '', title = '', providerMetadata }: Chunk, position: number): RemoteSource {
  const { number = position, id = '', headings = [] } = providerMetadata?.carrel ?? {};
  return { number, id, headings, url, title };
}
