import type { Build, Chunk, TransportOptions, UiMessage } from './builds.ts';

/** What a client got for one request. */
export interface Exchange {
  chunks: Chunk[];
  /** The answer as the client would show it, in its last state; undefined when there was none. */
  message: UiMessage | undefined;
  /** What `readUIMessageStream` reported, with what the request or the stream itself threw. */
  errors: string[];
}

export interface Send extends TransportOptions {
  messages: UiMessage[];
  chatId?: string;
  signal?: AbortSignal;
  /** Told of each chunk as it comes. */
  onChunk?: (chunk: Chunk) => unknown;
}

/** Sends with a build's own transport, and reads its stream twice: as chunks and as a message. */
export async function exchange(
  build: Build,
  { messages, chatId = 'chat1', signal, onChunk, ...options }: Send,
): Promise<Exchange> {
  const { DefaultChatTransport } = await build.ai();
  const transport = new DefaultChatTransport(options);
  const request = { chatId, messages, trigger: 'submit-message', messageId: undefined, abortSignal: signal } as const;
  try {
    return await readStream(build, await transport.sendMessages(request), onChunk);
  } catch (error) {
    return { chunks: [], message: undefined, errors: [messageOf(error)] };
  }
}

/** Takes up a running answer again; undefined when there is none. */
export async function reconnect(
  build: Build,
  chatId: string,
  { onChunk, ...options }: TransportOptions & Pick<Send, 'onChunk'>,
): Promise<Exchange | undefined> {
  const { DefaultChatTransport } = await build.ai();
  const stream = await new DefaultChatTransport(options).reconnectToStream({ chatId });
  return stream ? readStream(build, stream, onChunk) : undefined;
}

async function readStream(
  build: Build,
  stream: ReadableStream<Chunk>,
  onChunk: (chunk: Chunk) => unknown = () => undefined,
): Promise<Exchange> {
  const { readUIMessageStream } = await build.ai();
  const chunks: Chunk[] = [];
  const errors: string[] = [];
  let message: UiMessage | undefined;
  const note = (error: unknown) => {
    const said = messageOf(error);
    if (!errors.includes(said)) errors.push(said);
  };
  const [raw, shown] = stream.tee();
  const collect = async () => {
    for await (const chunk of raw) {
      chunks.push(chunk);
      onChunk(chunk);
    }
  };
  const show = async () => {
    for await (const state of readUIMessageStream({ stream: shown, onError: note })) message = state;
  };
  await Promise.all([collect().catch(note), show().catch(note)]);
  return { chunks, message, errors };
}

export function userMessage(text: string, id = `u-${text.length}`): UiMessage {
  return { id, role: 'user', parts: [{ type: 'text', text }] };
}

export function textOf(message: UiMessage | undefined): string {
  return (message?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');
}

export function sourcesOf(message: UiMessage | undefined): string[] {
  return (message?.parts ?? []).flatMap((part) => (part.type === 'source-url' ? [part.url!] : []));
}

/** Parts that a client would go on showing as unfinished. */
export function openParts(message: UiMessage | undefined): string[] {
  return (message?.parts ?? []).flatMap((part) => (part.state === 'streaming' ? [part.type] : []));
}

export function threadOf(message: UiMessage | undefined): string | undefined {
  return message?.metadata?.threadId;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
