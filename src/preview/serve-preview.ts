// Preview → browser: pages with a script that listens to events, and an event after each change.
import { readFile } from 'node:fs/promises';
import { fileInMemory, type OpenedSite, type SiteFile } from '../../server/active-exports/open-site.ts';
import { siteHandler } from '../../server/hosting/handler.ts';
import { listen } from '../../server/http/listen.ts';
import { isOwnHost } from '../../server/http/own-host.ts';
import { ExportError, errorCode } from '../../integration/errors.ts';
import type { PreviewFile } from '../../integration/export/preview-site.ts';
import { escapeHtml } from '../../integration/text/escape.ts';
import { clientScript, type PreviewEvent } from './client.ts';
import { faultOfError, faultsOf } from './faults.ts';
import type { DocsState, PreviewedDocs } from './preview-docs.ts';

export interface ServePreviewOptions {
  docs: PreviewedDocs;
  /** Without it, the first free one from 4402. */
  port?: number;
  /** @default '127.0.0.1' */
  host?: string;
  /** Called with why a page could not be rendered. */
  onError(error: unknown): void;
}

const firstPort = 4402;
const portsTried = 50;
/** Milliseconds: a proxy or a browser closes a connection without traffic. */
const heartbeat = 30_000;

interface Subscriber {
  file: string;
  send(text: string): void;
  end(): void;
}

export type PreviewServer = Awaited<ReturnType<typeof servePreview>>;

/** Serves a preview until it is closed. Throws `ExportError` `CannotListen`. */
export async function servePreview({ docs, port, host = '127.0.0.1', onError }: ServePreviewOptions) {
  const listener = port === undefined ? await listenOnFreePort(host) : await listenOn(port, host);
  const subscribers = createSubscribers(docs);
  const answerFrom = createSiteAnswers({ docs, onError });
  listener.answer(async (request) => {
    const { pathname, hostname, searchParams } = new URL(request.url);
    if (!isOwnHost(hostname, [host]))
      return plain(403, `This preview does not answer requests for "${hostname}". Start it with --host ${hostname}.`);
    if (pathname === '/.carrel/events') return subscribers.subscribe(searchParams.get('file') ?? '');
    if (pathname === '/.carrel/preview.js')
      return new Response(clientScript, {
        headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' },
      });
    return answerFrom(request, pathname);
  });
  return {
    /** URL of the home page, without a trailing slash. */
    address: listener.address,
    /** Whether another port than the usual one was taken. */
    isOtherPort: port === undefined && !listener.address.endsWith(`:${firstPort}`),
    /** Sends the present state to all open pages. */
    publish: subscribers.publish,
    async close(): Promise<void> {
      subscribers.close();
      await listener.close(0);
    },
  };
}

/** The open pages, which get an event now and after each change. */
function createSubscribers(docs: PreviewedDocs) {
  const subscribers = new Set<Subscriber>();
  const beats = setInterval(() => {
    for (const { send } of subscribers) send(':\n\n');
  }, heartbeat);
  const publishTo = async (subscriber: Subscriber, paths?: string[]): Promise<void> => {
    const text = await eventFor(docs, subscriber.file, paths);
    if (subscribers.has(subscriber)) subscriber.send(text);
  };
  return {
    subscribe(file: string): Response {
      let subscriber: Subscriber;
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          const encoder = new TextEncoder();
          subscriber = {
            file,
            send: (text) => controller.enqueue(encoder.encode(text)),
            end: () => controller.close(),
          };
          subscribers.add(subscriber);
          void publishTo(subscriber);
        },
        cancel: () => void subscribers.delete(subscriber),
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } });
    },
    /** `paths` are the files that changed. */
    async publish(paths?: string[]): Promise<void> {
      await Promise.all([...subscribers].map((subscriber) => publishTo(subscriber, paths)));
    },
    close(): void {
      clearInterval(beats);
      for (const { end } of subscribers) end();
      subscribers.clear();
    },
  };
}

async function eventFor(docs: PreviewedDocs, file: string, paths?: string[]): Promise<string> {
  const { revision, site, fault } = docs.state();
  const faults = fault ? [fault] : [];
  if (site && !fault) {
    try {
      const problems = [...site.problems, ...(await site.pageProblems(file))];
      faults.push(...faultsOf(docs.root, problems, site.sourceOf(file)));
    } catch (error) {
      faults.push(faultOfError(docs.root, error));
    }
  }
  const isText = paths?.every((path) => /\.mdx?$/i.test(path)) ?? false;
  const event: PreviewEvent = { revision, isText, faults, gone: docs.gone(file) };
  return `data: ${JSON.stringify(event)}\n\n`;
}

/** Answers requests for the files of the site. */
function createSiteAnswers({ docs, onError }: Pick<ServePreviewOptions, 'docs' | 'onError'>) {
  let handler: { state: DocsState; handle: (request: Request) => Promise<Response> } | undefined;
  const handlerOf = (state: DocsState) => {
    if (handler?.state !== state) handler = { state, handle: siteHandler(servedSite(state)) };
    return handler.handle;
  };
  return async (request: Request, pathname: string): Promise<Response> => {
    const state = docs.state();
    if (!state.site) return messagePage(503, state, '');
    const headers = new Headers(request.headers);
    // Compressing takes longer than sending to the same machine.
    headers.delete('accept-encoding');
    const plainRequest = new Request(request.url, { method: request.method, headers });
    try {
      return await handlerOf(state)(plainRequest);
    } catch {
      // A file that changes while the page is rendered is right in the next state.
      const next = await docs.open();
      return await handlerOf(next)(plainRequest).catch((error: unknown) => {
        onError(error);
        return messagePage(500, next, pathname.slice(1));
      });
    }
  };
}

/** Highlighting runs in this process, and its engine reads its program with Node's `Response`. */
function listenOn(port: number, host: string) {
  return listen(port, host, '--port ', { replacesResponse: false });
}

async function listenOnFreePort(host: string) {
  for (let port = firstPort; ; port++) {
    try {
      return await listenOn(port, host);
    } catch (error) {
      const isTaken = error instanceof ExportError && errorCode(error.cause) === 'EADDRINUSE';
      if (!isTaken || port >= firstPort + portsTried) throw error;
    }
  }
}

function servedSite({ site, revision }: DocsState): OpenedSite {
  return {
    name: site!.name,
    deployment: 'client-hosted',
    async file(path) {
      const file = await site!.file(path);
      return file && servedFile(path, await bytesOf(file), revision);
    },
  };
}

async function bytesOf(file: PreviewFile): Promise<Uint8Array<ArrayBuffer>> {
  if ('file' in file) return await readFile(file.file);
  return typeof file.contents === 'string' ? Buffer.from(file.contents) : new Uint8Array(file.contents);
}

function servedFile(path: string, bytes: Uint8Array<ArrayBuffer>, revision: string): SiteFile {
  if (!path.endsWith('.html')) return fileInMemory(path, bytes);
  return fileInMemory(path, Buffer.concat([bytes, Buffer.from(scriptElement(path, revision))]));
}

function scriptElement(file: string, revision: string): string {
  return `<script src="/.carrel/preview.js" data-file="${escapeHtml(file)}" data-revision="${revision}"></script>\n`;
}

/** A page without text, for the overlay. */
function messagePage(status: number, { revision }: DocsState, file: string): Response {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Carrel</title><body>${scriptElement(file, revision)}</body></html>\n`;
  return new Response(html, { status, headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' } });
}

function plain(status: number, text: string): Response {
  return new Response(`${text}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } });
}
