// Markdown of finished pages is made in a thread of its own: it costs as much as all else about a page.
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { markdownOf } from './markdown-of-html.ts';

export interface MarkdownThread {
  /** Markdown of a page's content, as `markdownOfHtml` gives it. Rejects with what the conversion threw, such as a `RangeError` of deep nesting. */
  markdownOf(content: string): Promise<string | undefined>;
  close(): Promise<void>;
}

interface Answer {
  id: number;
  markdown?: string;
  error?: Error;
}

/** Starts with the first page. A process may end without closing it. */
export function openMarkdownThread(): MarkdownThread {
  const waiting = new Map<number, { resolve(markdown: string | undefined): void; reject(error: Error): void }>();
  let thread: Worker | undefined;
  let asked = 0;

  const start = () => {
    const started = new Worker(new URL(import.meta.url));
    started.on('message', ({ id, markdown, error }: Answer) => {
      const { resolve, reject } = waiting.get(id)!;
      waiting.delete(id);
      if (waiting.size === 0) started.unref();
      if (error) reject(error);
      else resolve(markdown);
    });
    started.on('error', (error) => {
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
      thread = undefined;
    });
    return started;
  };

  return {
    markdownOf(content) {
      thread ??= start();
      thread.ref();
      const id = asked++;
      thread.postMessage({ id, content });
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    },
    async close() {
      await thread?.terminate();
    },
  };
}

if (!isMainThread && parentPort) {
  const port = parentPort;
  port.on('message', ({ id, content }: { id: number; content: string }) => {
    try {
      port.postMessage({ id, markdown: markdownOf(content) } satisfies Answer);
    } catch (error) {
      port.postMessage({ id, error: error as Error } satisfies Answer);
    }
  });
}
