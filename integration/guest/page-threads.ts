// Pages are read in threads beside the one that writes them, which reads along while it would wait: reading costs more than all that follows.
import { enableCompileCache, getCompileCacheDir } from 'node:module';
import { setImmediate as messages } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { ExportError } from '../errors.ts';
import type { ReadPage } from '../export/page-record.ts';
import type { GuestFile, GuestReading } from './read-guest.ts';

/** Reads the pages of a guest. */
export interface PageThreads {
  /** Begins to read a page that is asked for soon. */
  begin(file: GuestFile): void;
  /** Rejects with what reading threw, or with an `ExportError` `PageNotRead` when its thread ended. */
  read(file: GuestFile): Promise<ReadPage>;
  close(): Promise<void>;
}

interface ThreadData {
  reading: GuestReading;
  compileCache: string | undefined;
}

interface Answer {
  page?: ReadPage;
  error?: unknown;
}

// One is read while the answer of the other is taken.
const filesForThread = 2;

/** Threads start with the first pages; with a `count` of 0 only this thread reads. A process may end without closing them. */
export function openPageThreads(reading: GuestReading, count: number): PageThreads {
  const threads: Worker[] = [];
  const given = new Map<Worker, GuestFile[]>();
  const queue: GuestFile[] = [];
  const begun = new Set<string>();
  const answers = new Map<string, Answer>();
  const waiting = new Map<string, () => void>();
  let reader: ReturnType<typeof openReader> | undefined;

  const answer = ({ file }: GuestFile, found: Answer) => {
    answers.set(file, found);
    waiting.get(file)?.();
  };

  const start = () => {
    const data: ThreadData = { reading, compileCache: getCompileCacheDir() };
    const thread = new Worker(new URL(import.meta.url), { workerData: data });
    threads.push(thread);
    given.set(thread, []);
    thread.on('message', (found: Answer) => {
      answer(given.get(thread)!.shift()!, found);
      dispatch();
    });
    thread.on('error', (error) => {
      threads.splice(threads.indexOf(thread), 1);
      for (const file of given.get(thread)!) answer(file, { error: notRead(file, error) });
    });
  };

  const dispatch = () => {
    while (queue.length > 0 && threads.length < count) {
      start();
      give(threads.at(-1)!);
    }
    for (const thread of threads) {
      while (queue.length > 0 && given.get(thread)!.length < filesForThread) give(thread);
      // A process that nothing else holds may end.
      if (given.get(thread)!.length === 0) thread.unref();
    }
  };

  const give = (thread: Worker) => {
    const file = queue.shift()!;
    given.get(thread)!.push(file);
    thread.ref();
    thread.postMessage(file);
  };

  const readHere = async (file: GuestFile): Promise<Answer> => {
    try {
      return { page: (await (reader ??= openReader(reading)))(file) };
    } catch (error) {
      return { error };
    }
  };

  const begin = (file: GuestFile) => {
    if (begun.has(file.file)) return;
    begun.add(file.file);
    queue.push(file);
    dispatch();
  };

  return {
    begin,
    async read(file) {
      begin(file);
      while (!answers.has(file.file)) {
        const next = queue.shift();
        if (next) {
          answer(next, await readHere(next));
          // Lets in what threads have answered meanwhile.
          if (count > 0) await messages();
        } else await new Promise<void>((resolve) => waiting.set(file.file, resolve));
      }
      const { page, error } = answers.get(file.file)!;
      answers.delete(file.file);
      begun.delete(file.file);
      waiting.delete(file.file);
      if (!page) throw error;
      return page;
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.terminate()));
    },
  };
}

async function openReader(reading: GuestReading): Promise<(file: GuestFile) => ReadPage> {
  const { guestReader } = await import('./read-guest.ts');
  return guestReader(reading);
}

function notRead({ file }: GuestFile, error: unknown): ExportError {
  return new ExportError(
    'PageNotRead',
    `"${file}", or the page before it, could not be read: ${error instanceof Error ? error.message : String(error)}.`,
    'Leave out the largest pages ("exclude"), or give the process more memory (NODE_OPTIONS=--max-old-space-size=4096).',
    { cause: error },
  );
}

if (!isMainThread && parentPort) {
  const port = parentPort;
  const { reading, compileCache } = workerData as ThreadData;
  if (compileCache !== undefined) enableCompileCache(compileCache);
  const reader = openReader(reading);
  port.on('message', async (file: GuestFile) => {
    const read = await reader;
    try {
      port.postMessage({ page: read(file) } satisfies Answer);
    } catch (error) {
      port.postMessage({ error } satisfies Answer);
    }
  });
}
