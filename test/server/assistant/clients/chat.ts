import { page } from './page.ts';
import { createElement, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import type { Build, TransportOptions, UiMessage, UseChatHelpers } from './builds.ts';

/** A chat on a page, as a site would build it with `useChat`. */
export interface Chat {
  /** As it was rendered last. */
  now(): UseChatHelpers;
  /** Waits for a rendering that shows this; rejects, telling what is shown, after five seconds. */
  until(shows: (now: UseChatHelpers) => boolean): Promise<UseChatHelpers>;
  /** Sends, and waits until the answer is over, for better or worse. */
  ask(text: string): Promise<UseChatHelpers>;
  /** Thread of the last answer that ended. */
  thread(): string | undefined;
  /** What `onFinish` was told. */
  finished: { message: UiMessage; isAbort: boolean }[];
  /** Data parts that `onData` was told. */
  data: { type: string; data: unknown }[];
  close(): void;
}

export interface ChatOptions extends Omit<TransportOptions, 'body'> {
  id?: string;
  body?: object;
}

/** Renders a component that uses the build's hook; the thread goes along with each message, as the manual shows it. */
export async function openChat(
  build: Build & Required<Pick<Build, 'react'>>,
  { id = 'chat1', body = { fp: 'anonymous' }, ...options }: ChatOptions,
): Promise<Chat> {
  const [{ DefaultChatTransport }, { useChat }] = await Promise.all([build.ai(), build.react()]);
  let threadId: string | undefined;
  const transport = new DefaultChatTransport({ ...options, body: () => ({ ...body, threadId }) });
  const finished: Chat['finished'] = [];
  const data: Chat['data'] = [];
  const shown = await render(() =>
    useChat({
      id,
      transport,
      onFinish({ message, isAbort }) {
        threadId = message.metadata?.threadId ?? threadId;
        finished.push({ message, isAbort });
      },
      onData: (part) => void data.push(part),
    }),
  );
  return {
    ...shown,
    finished,
    data,
    thread: () => threadId,
    async ask(text) {
      const before = shown.now().messages.length;
      // It resolves once the answer is over, and the state that tells so is rendered after that; on a slow machine, not even the question is yet.
      await shown.now().sendMessage({ text });
      return shown.until(({ status, messages }) => messages.length > before && (status === 'ready' || status === 'error'));
    },
  };
}

/** Renders what uses a hook, and gives what the hook gave. */
export async function render<State>(useState: () => State): Promise<{
  now(): State;
  until(shows: (now: State) => boolean): Promise<State>;
  close(): void;
}> {
  let current: State | undefined;
  let watchers: (() => void)[] = [];
  const root = createRoot(page.createElement('div'));
  const until = (shows: (now: State) => boolean) =>
    new Promise<State>((resolve, reject) => {
      const tooLong = setTimeout(() => reject(new Error(`The page still shows ${JSON.stringify(current)}.`)), 60_000);
      const look = () => {
        if (current === undefined || !shows(current)) return;
        clearTimeout(tooLong);
        watchers = watchers.filter((watcher) => watcher !== look);
        resolve(current);
      };
      watchers.push(look);
      look();
    });
  function Shown(): null {
    const state = useState();
    useEffect(() => {
      current = state;
      for (const look of [...watchers]) look();
    });
    return null;
  }
  root.render(createElement(Shown));
  await until(() => true);
  return { now: () => current!, until, close: () => root.unmount() };
}
