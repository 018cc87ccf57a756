// Worker threads render the Markdown of pages that come soon, which costs nearly as much as everything else about a page.
import { getCompileCacheDir, enableCompileCache } from 'node:module';
import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, workerData, type Worker } from 'node:worker_threads';
import { startThread } from '../../integration/page/start-thread.ts';
import { openStore, type Store } from '../cache/store.ts';
import type { SourcePage } from '../source/source.ts';
import type { RendererOptions } from './context.ts';
import type { RenderedMarkdown } from './render.ts';

/** What threads need to render: plain data, of which each has a copy. */
export interface RenderingData extends Omit<RendererOptions, 'highlightCache' | 'generated' | 'parser'> {
  /** Folder of the store with highlighted code, and the time of this run. */
  cache?: { folder: string; now: number };
}

export interface RenderThreads {
  /** Starts to render a page. Undefined where a thread failed: the caller renders such a page itself, with the same result or its error. */
  render(page: SourcePage, language: string): Promise<RenderedMarkdown | undefined>;
  /** Stores what the threads have highlighted, and ends them. */
  close(): Promise<void>;
}

interface StartData {
  data: RenderingData;
  compileCache: string | undefined;
}
type Request = { page: SourcePage; language: string } | 'close';
type Answer = { rendered?: RenderedMarkdown };

interface Thread {
  worker: Worker;
  /** Resolve the pages that were sent and are not rendered yet, in their order. */
  waiting: ((rendered?: RenderedMarkdown) => void)[];
  ended: Promise<unknown>;
}

// Above, the thread that writes the pages has no time left for their results.
const mostThreads = 2;

/** Opens threads, each when it is first needed. On a machine with one processor there are none. */
export function openRenderThreads(data: () => RenderingData, count = availableParallelism() - 1): RenderThreads {
  let threads: Thread[] | undefined;
  return {
    render(page, language) {
      threads ??= Array.from({ length: Math.min(mostThreads, count) }, () => openThread(data()));
      const [thread] = threads.toSorted((a, b) => a.waiting.length - b.waiting.length);
      return thread ? ask(thread, { page: plain(page), language }) : Promise.resolve(undefined);
    },
    async close() {
      await Promise.all([...(threads ?? [])].map(closeThread));
    },
  };

  function openThread(given: RenderingData): Thread {
    const start: StartData = { data: given, compileCache: getCompileCacheDir() };
    const worker = startThread(new URL(import.meta.url), start, 24);
    const thread: Thread = { worker, waiting: [], ended: new Promise((resolve) => worker.once('exit', resolve)) };
    worker.on('message', ({ rendered }: Answer) => thread.waiting.shift()?.(rendered));
    // Without memory, for example. The end follows.
    worker.on('error', () => {});
    worker.once('exit', () => {
      threads?.splice(threads.indexOf(thread), 1);
      for (const resolve of thread.waiting.splice(0)) resolve();
    });
    return thread;
  }
}

function ask(thread: Thread, request: Request): Promise<RenderedMarkdown | undefined> {
  return new Promise((resolve) => {
    thread.worker.postMessage(request);
    thread.waiting.push(resolve);
  });
}

async function closeThread({ worker, waiting, ended }: Thread): Promise<void> {
  for (const resolve of waiting.splice(0)) resolve();
  worker.postMessage('close' satisfies Request);
  await ended;
}

/** The page without functions, its text read. */
function plain({ path, file, frontmatter, body, heading, specifiers, bodyLine, lines, kind, digest }: SourcePage): SourcePage {
  return { path, file, frontmatter, body, heading, specifiers, bodyLine, lines, kind, digest };
}

async function answerRequests({ data: { cache, ...options }, compileCache }: StartData): Promise<void> {
  if (compileCache !== undefined) enableCompileCache(compileCache);
  const store: Store | undefined = cache && openStore(cache.folder, { now: cache.now, maxBytes: Infinity });
  const { createRenderer } = await import('./render.ts');
  const renderer = createRenderer({ ...options, highlightCache: store });
  let last: Promise<unknown> = Promise.resolve();
  const answer = async ({ page, language }: Exclude<Request, 'close'>): Promise<Answer> => {
    try {
      return { rendered: await renderer.render(page, language) };
    } catch {
      return {};
    }
  };
  parentPort!.on('message', (request: Request) => {
    if (request === 'close') {
      store?.close();
      process.exit();
    }
    last = last.then(async () => parentPort!.postMessage(await answer(request)));
  });
}

// The tests of other modules run in threads, too.
if (!isMainThread && parentPort && isStartData(workerData)) void answerRequests(workerData);

function isStartData(value: unknown): value is StartData {
  return typeof value === 'object' && value !== null && 'compileCache' in value && 'data' in value;
}
