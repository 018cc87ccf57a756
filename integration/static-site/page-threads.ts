// Worker threads read the pages, since reading costs more than everything after it.
import { enableCompileCache, getCompileCacheDir } from 'node:module';
import { isMainThread, parentPort, workerData, type Worker } from 'node:worker_threads';
import { errorMessage, ExportError, type ExportErrorCode } from '../errors.ts';
import { startThread } from '../page/start-thread.ts';
import type { ReadExistingPage } from './existing-page.ts';
import { packedPage, unpackedPage, type PackedPage } from './packed-page.ts';
import type { PageFile, PageLook, PageReader, PageReading, PageRules, SeenPage } from './read-page-thread.ts';

/** Threads that read pages. */
export interface PageThreads {
  /** Called once. `kept` are bytes of files, each used once; when `signal` is aborted, nothing is waited for any longer. */
  reader(reading: PageReading, kept: Map<string, Uint8Array<ArrayBuffer>>, signal?: AbortSignal): SiteReader;
  close(): Promise<void>;
}

/** Reads the pages of an existing site. Rejects with the `ExportError` of reading, or with `PageNotRead` for any other error and when the thread ended. */
interface SiteReader {
  look(page: PageLook): Promise<SeenPage>;
  /** Comes before the first page is read. */
  setRules(rules: PageRules): void;
  /** Starts to read a page that is needed soon. */
  begin(file: PageFile): void;
  read(file: PageFile): Promise<ReadExistingPage>;
}

/** What a thread is asked for. */
type Request = { rules: PageRules } | Question;
type Question = ({ look: PageLook } | { page: PageFile }) & { bytes?: Uint8Array };

/** An answer between threads: the copy of an error loses its class. */
interface SentAnswer {
  seen?: SeenPage;
  page?: PackedPage;
  error?: { code?: ExportErrorCode; message: string; hint?: string };
}

interface Thread {
  worker: Worker;
  /** What it was asked for and has not answered yet. */
  given: Asked[];
}

interface Asked {
  file: PageFile;
  answer: Promise<SentAnswer>;
  resolve(answer: SentAnswer): void;
  reject(error: unknown): void;
}

/** Starts the threads, which takes about as long as listing the pages. With a `count` of 0 only this thread reads. */
export function openPageThreads(count: number): PageThreads {
  const threads = Array.from({ length: count }, (): Thread => {
    const worker = startThread(new URL(import.meta.url), getCompileCacheDir(), 48);
    const thread = { worker, given: [] };
    worker.on('error', () => threads.splice(threads.indexOf(thread), 1));
    return thread;
  });
  return {
    reader(reading, kept, signal) {
      const take = (file: string) => {
        const bytes = kept.get(file);
        kept.delete(file);
        return bytes;
      };
      return threads.length === 0 ? localReader(reading, take) : threadReader(reading, take, threads, signal);
    },
    close: async () => void (await Promise.all(threads.map(({ worker }) => worker.terminate()))),
  };
}

type TakeBytes = (file: string) => Uint8Array<ArrayBuffer> | undefined;

function localReader(reading: PageReading, take: TakeBytes): SiteReader {
  const reader = openReader(reading);
  let rules: PageRules;
  return {
    look: async (look) => (await reader).look(look, take(look.file)),
    setRules: (given) => void (rules = given),
    begin() {},
    read: async (file) => (await reader).read(file, rules, take(file.file)),
  };
}

/** Threads that have ended are removed from `threads`. */
function threadReader(reading: PageReading, take: TakeBytes, threads: Thread[], signal?: AbortSignal): SiteReader {
  /** A page is read by the thread that looked at it. */
  const looked = new Map<string, Thread>();
  const pages = new Map<string, Promise<ReadExistingPage>>();

  for (const { worker, given } of threads) {
    worker.postMessage(reading);
    worker.on('message', (answer: SentAnswer) => given.shift()!.resolve(answer));
    worker.on('error', (error) => given.forEach(({ file, reject }) => reject(pageNotReadError(file, errorMessage(error)))));
  }
  const all = () => threads.flatMap(({ given }) => given);
  signal?.addEventListener('abort', () => all().forEach(({ reject }) => reject(signal.reason)), { once: true });

  const ask = async (file: PageFile, question: Question): Promise<SentAnswer> => {
    const [leastBusy] = threads.toSorted((a, b) => a.given.length - b.given.length);
    const thread = threads.find((thread) => thread === looked.get(file.file)) ?? leastBusy;
    const asked = unanswered(file);
    if (thread) {
      if ('look' in question) looked.set(file.file, thread);
      thread.given.push(asked);
      const bytes = take(file.file);
      thread.worker.postMessage({ ...question, bytes } satisfies Request, bytes ? [bytes.buffer] : []);
    } else asked.reject(pageNotReadError(file, 'its thread ended'));
    const answer = await asked.answer;
    if (answer.error) throw receivedError(file, answer.error);
    return answer;
  };

  const read = (file: PageFile): Promise<ReadExistingPage> => {
    const known = pages.get(file.file);
    if (known) return known;
    const page = ask(file, { page: file }).then((answer) => unpackedPage(answer.page!));
    // The caller of `read` receives the error.
    page.catch(() => {});
    pages.set(file.file, page);
    return page;
  };

  return {
    look: async (look) => (await ask(look, { look })).seen!,
    setRules(rules) {
      for (const { worker } of threads) worker.postMessage({ rules } satisfies Request);
    },
    begin: (file) => void read(file),
    async read(file) {
      try {
        return await read(file);
      } finally {
        pages.delete(file.file);
      }
    },
  };
}

function unanswered(file: PageFile): Asked {
  let resolve!: Asked['resolve'];
  let reject!: Asked['reject'];
  const answer = new Promise<SentAnswer>((...settle) => ([resolve, reject] = settle));
  return { file, answer, resolve, reject };
}

async function openReader(reading: PageReading): Promise<PageReader> {
  const { openPageReader } = await import('./read-page-thread.ts');
  return openPageReader(reading);
}

function receivedError(file: PageFile, error: NonNullable<SentAnswer['error']>): ExportError {
  return error.code === undefined
    ? pageNotReadError(file, error.message)
    : new ExportError(error.code, error.message, error.hint);
}

function pageNotReadError({ file }: PageFile, reason: string): ExportError {
  return new ExportError(
    'PageNotRead',
    `"${file}", or the page before it, could not be read: ${reason}.`,
    'Exclude the largest pages ("exclude"), or give the process more memory (NODE_OPTIONS=--max-old-space-size=4096).',
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
    const reader = await openReader(reading);
    let rules: PageRules;
    const answerTo = (question: Question): void => {
      const { bytes } = question;
      if ('look' in question) return port.postMessage({ seen: reader.look(question.look, bytes) } satisfies SentAnswer);
      const page = packedPage(reader.read(question.page, rules, bytes));
      port.postMessage({ page } satisfies SentAnswer, [page.references.buffer, page.links.buffer]);
    };
    port.on('message', (request: Request) => {
      if ('rules' in request) {
        rules = request.rules;
        return;
      }
      try {
        answerTo(request);
      } catch (error) {
        port.postMessage(sent(error));
      }
    });
  };
  port.once('message', (reading: PageReading) => void answer(reading));
  // Loaded while the main thread lists the pages.
  void import('./read-page-thread.ts');
}
