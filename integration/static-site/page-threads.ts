// Worker threads read the pages, since reading costs more than everything after it.
import { enableCompileCache, getCompileCacheDir } from 'node:module';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { errorMessage, ExportError } from '../errors.ts';
import type { ReadExistingPage } from './existing-page.ts';
import { packedPage, unpackedPage, type PackedPage } from './packed-page.ts';
import type { PageFile, PageReading } from './read-page-thread.ts';

/** Threads that read pages. */
export interface PageThreads {
  /** Called once. When `signal` is aborted, `read` does not wait any longer. */
  reader(reading: PageReading, signal?: AbortSignal): PageReader;
  close(): Promise<void>;
}

/** Reads the pages of an existing site. */
interface PageReader {
  /** Starts to read a page that is needed soon. */
  begin(file: PageFile): void;
  /** Rejects with the `ExportError` of reading, or with `PageNotRead` for any other error and when the thread ended. */
  read(file: PageFile): Promise<ReadExistingPage>;
}

/** An answer between threads: the copy of an error loses its class. */
interface SentAnswer {
  page?: PackedPage;
  error?: { code?: string; message: string; hint?: string };
}

interface Thread {
  worker: Worker;
  /** Files that it was given and has not answered yet. */
  given: PageFile[];
}

/** A page that is being read. */
interface Asked {
  promise: Promise<ReadExistingPage>;
  resolve(page: ReadExistingPage): void;
  reject(error: unknown): void;
}

// A page is garbage once it is sent. Left to itself, V8 gives that garbage four times the space and is not faster.
const youngMegabytes = 24;

/** Starts the threads, which takes about as long as listing the pages. With a `count` of 0 only this thread reads. */
export function openPageThreads(count: number): PageThreads {
  const threads = Array.from({ length: count }, (): Thread => {
    const worker = new Worker(new URL(import.meta.url), {
      workerData: getCompileCacheDir(),
      resourceLimits: { maxYoungGenerationSizeMb: youngMegabytes },
    });
    const thread = { worker, given: [] };
    worker.on('error', () => threads.splice(threads.indexOf(thread), 1));
    return thread;
  });
  return {
    reader: (reading, signal) => pageReader(reading, threads, signal),
    close: async () => void (await Promise.all(threads.map(({ worker }) => worker.terminate()))),
  };
}

/** Threads that have ended are removed from `threads`. */
function pageReader(reading: PageReading, threads: Thread[], signal?: AbortSignal): PageReader {
  const asked = new Map<string, Asked>();
  let reader: ReturnType<typeof openReader> | undefined;

  for (const { worker, given } of threads) {
    worker.postMessage(reading);
    worker.on('message', ({ page, error }: SentAnswer) => {
      const file = given.shift()!;
      if (page) asked.get(file.file)?.resolve(unpackedPage(page));
      else asked.get(file.file)?.reject(received(file, error!));
    });
    worker.on('error', (error) => {
      for (const file of given) asked.get(file.file)?.reject(notRead(file, errorMessage(error)));
    });
  }
  signal?.addEventListener('abort', () => asked.forEach(({ reject }) => reject(signal.reason)), { once: true });

  const ask = (file: PageFile): Promise<ReadExistingPage> => {
    let answer = asked.get(file.file);
    if (!answer) {
      asked.set(file.file, (answer = unanswered()));
      // At once, so that a thread never waits for this one.
      const [thread] = threads.toSorted((a, b) => a.given.length - b.given.length);
      thread?.given.push(file);
      thread?.worker.postMessage(file);
    }
    return answer.promise;
  };

  return {
    begin(file) {
      if (threads.length > 0) void ask(file);
    },
    async read(file) {
      if (threads.length === 0) return (await (reader ??= openReader(reading)))(file);
      try {
        return await ask(file);
      } finally {
        asked.delete(file.file);
      }
    },
  };
}

function unanswered(): Asked {
  let resolve!: Asked['resolve'];
  let reject!: Asked['reject'];
  const promise = new Promise<ReadExistingPage>((...settle) => ([resolve, reject] = settle));
  // The caller of `read` receives the error.
  promise.catch(() => {});
  return { promise, resolve, reject };
}

async function openReader(reading: PageReading): Promise<(file: PageFile) => ReadExistingPage> {
  const { staticPageReader } = await import('./read-page-thread.ts');
  return staticPageReader(reading);
}

function received(file: PageFile, error: NonNullable<SentAnswer['error']>): ExportError {
  return error.code === undefined ? notRead(file, error.message) : new ExportError(error.code, error.message, error.hint);
}

function notRead({ file }: PageFile, reason: string): ExportError {
  return new ExportError(
    'PageNotRead',
    `"${file}", or the page before it, could not be read: ${reason}.`,
    'Leave out the largest pages ("exclude"), or give the process more memory (NODE_OPTIONS=--max-old-space-size=4096).',
  );
}

function sent(error: unknown): SentAnswer {
  if (error instanceof ExportError) return { error: { code: error.code, message: error.message, hint: error.hint } };
  return { error: { message: errorMessage(error) } };
}

if (!isMainThread && parentPort) {
  const port = parentPort;
  if (workerData) enableCompileCache(workerData as string);
  const answer = async (reading: PageReading): Promise<void> => {
    const read = await openReader(reading);
    port.on('message', (file: PageFile) => {
      try {
        const page = packedPage(read(file));
        port.postMessage({ page } satisfies SentAnswer, [page.references.buffer, page.links.buffer]);
      } catch (error) {
        port.postMessage(sent(error));
      }
    });
  };
  port.once('message', (reading: PageReading) => void answer(reading));
  // Loaded while the main thread lists the pages.
  void import('./read-page-thread.ts');
}
