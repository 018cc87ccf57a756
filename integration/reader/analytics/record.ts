// The script of the site's own analytics, loaded where the settings turn them on: it sends what the reader does to the site's server.
import { currentPage, loadSite, pathOf } from '../core/site.ts';
import { READER_ACTION, type ReaderAction } from '../shared/events.ts';
import { offerFeedback, type Vote } from './page-feedback.ts';

/** In the shape that the server takes. */
type Event =
  | { type: 'view'; path: string; referrer?: string }
  | { type: 'search'; query: string; hits: number; clicked?: string }
  | { type: 'question'; query: string; answer: 'model' | 'quotes' | 'none'; path?: string }
  | ({ type: 'page_feedback'; path: string } & Vote);

// The server takes no more in one request.
const most = 20;
const pause = 4000;
/** Milliseconds after which a reader has typed a query to its end. */
const typing = 2000;

/** Starts to record; `url` is that of the events of this site, `key` a token of the page, which only private sites have. */
export async function record(url: string, key?: unknown): Promise<void> {
  // A page that the browser renders before the reader asks for it.
  if ('prerendering' in document && document.prerendering)
    await new Promise((resolve) => document.addEventListener('prerenderingchange', resolve, { once: true }));
  let path = await pagePath();
  const events: Event[] = [];
  let timer = 0;
  let search: (Event & { type: 'search' }) | undefined;
  let typed = 0;

  const send = () => {
    clearTimeout(timer);
    timer = 0;
    while (events.length > 0) {
      // False where too much waits already: the next time may have room.
      if (!navigator.sendBeacon(url, JSON.stringify({ events: events.slice(0, most), key }))) return;
      events.splice(0, most);
    }
  };
  const add = (event: Event) => {
    events.push(event);
    if (events.length >= most) send();
    else timer ||= window.setTimeout(send, pause);
  };
  const endSearch = () => {
    if (search) add(search);
    search = undefined;
  };
  const sendAll = () => {
    endSearch();
    send();
  };

  const onAction = (action: ReaderAction) => {
    if (action.type === 'search') {
      const { query, hits } = action;
      const isSame = search?.query === query;
      // A query that the reader has left for a while was meant; another one replaces it while it is typed.
      if (!isSame && Date.now() - typed > typing) endSearch();
      search = { type: 'search', query, hits };
      typed = Date.now();
    } else if (action.type === 'result') {
      if (search) search.clicked = action.page;
      endSearch();
    } else if (action.type === 'search-end') endSearch();
    else add({ ...action, path });
  };

  const view = (path: string) => {
    const from = URL.canParse(document.referrer) ? new URL(document.referrer).origin : location.origin;
    add({ type: 'view', path, ...(from === location.origin ? {} : { referrer: from }) });
  };

  document.addEventListener(READER_ACTION, ({ detail }) => onAction(detail));
  addEventListener('pagehide', sendAll);
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && sendAll());
  // Back from the browser's memory.
  addEventListener('pageshow', ({ persisted }) => persisted && view(path));
  // A site that replaces the page by script.
  const onSwap = async () => {
    path = await pagePath();
    view(path);
  };
  document.addEventListener('astro:after-swap', () => void onSwap());
  view((await missingPath()) ?? path);
  offerFeedback(path, (vote) => add({ type: 'page_feedback', path, ...vote }));
}

/** A page of our theme says it; one of a built site is known by its URL. */
async function pagePath(): Promise<string> {
  return document.documentElement.dataset['carrelPage'] ?? currentPage(await loadSite());
}

interface Activation {
  navigationType: string;
  from: { url: string | null } | null;
}

/**
 * The path that the site does not have, if its 404 page has led the reader here; undefined in browsers that do not say what was replaced.
 * Redirects of pages that have moved replace a page, too, but not one that is missing.
 */
async function missingPath(): Promise<string | undefined> {
  const { activation } = (globalThis as { navigation?: { activation?: Activation } }).navigation ?? {};
  const url = activation?.navigationType === 'replace' && activation.from?.url;
  if (!url || new URL(url).origin !== location.origin) return undefined;
  const response = await fetch(url, { method: 'HEAD', cache: 'force-cache' }).catch(() => undefined);
  return response?.status === 404 ? (pathOf(await loadSite(), url) ?? undefined) : undefined;
}
