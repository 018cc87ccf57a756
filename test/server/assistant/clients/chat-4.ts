import { render } from './chat.ts';
import { useChat } from 'ai-sdk-react-4';

/** What a chat of major 4 shows of its last answer. */
interface Shown4 {
  status: string;
  error: string | undefined;
  text: string;
  sources: string[];
  thread: string | undefined;
}

export interface Chat4 {
  now(): Shown4;
  until(shows: (now: Shown4) => boolean): Promise<Shown4>;
  ask(text: string): Promise<Shown4>;
  /** Sends without waiting. */
  send(text: string): void;
  stop(): void;
  close(): void;
}

/** A chat on a page with the hook of ai 4.3.19; the thread goes along with each message, as the manual shows it. */
export async function openChat4({ api, headers }: { api: string; headers?: Record<string, string> }): Promise<Chat4> {
  const shown = await render(() => useChat({ api, headers, body: { fp: 'anonymous' } }));
  const state = ({ status, error, messages }: ReturnType<typeof useChat>): Shown4 => {
    const answer = messages.findLast(({ role }) => role === 'assistant');
    return {
      status,
      error: error?.message,
      text: answer?.content ?? '',
      sources: (answer?.parts ?? []).flatMap((part) => (part.type === 'source' ? [part.source.url] : [])),
      thread: threadOf(answer?.annotations),
    };
  };
  const send = (text: string) => {
    const { append } = shown.now();
    return append({ role: 'user', content: text }, { body: { threadId: state(shown.now()).thread } });
  };
  return {
    now: () => state(shown.now()),
    until: async (shows) => state(await shown.until((now) => shows(state(now)))),
    async ask(text) {
      await send(text);
      return state(await shown.until(({ status }) => status === 'ready' || status === 'error'));
    },
    send: (text) => void send(text),
    stop: () => shown.now().stop(),
    close: shown.close,
  };
}

function threadOf(annotations: unknown[] | undefined): string | undefined {
  const [first] = (annotations ?? []) as { threadId?: string }[];
  return first?.threadId;
}
