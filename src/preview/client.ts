// Runs in the browser on each page of a preview: reloads the page when the site has changed, and shows what is wrong with it.
import type { Fault } from './faults.ts';
import type { GonePage } from './follow-pages.ts';

/** What the server sends: now and after each change. */
export interface PreviewEvent {
  revision: string;
  /** Whether only texts of pages changed since the event before: stylesheets and scripts are as they were. */
  isText: boolean;
  faults: Fault[];
  /** Of the page that the browser shows, if the site does not have it any more. */
  gone?: GonePage | undefined;
}

const style = `
  .back { position: fixed; inset: 0; z-index: 2147483647; overflow: auto; padding: 5vh 1rem; background: rgb(0 0 0 / 0.6); }
  .box { box-sizing: border-box; max-width: 56rem; margin: 0 auto; padding: 1.25rem 1.5rem; border-top: 4px solid #e5484d; border-radius: 8px;
    background: #18181b; color: #f4f4f5; font: 15px/1.5 var(--font-sans, system-ui, sans-serif); box-shadow: 0 12px 40px rgb(0 0 0 / 0.5); }
  .top { display: flex; justify-content: space-between; align-items: center; gap: 1rem; }
  h1 { margin: 0; font-size: 1rem; font-weight: 600; color: #ff8589; }
  p { margin: 0.5rem 0 0; overflow-wrap: anywhere; }
  .fault + .fault { margin-top: 1.25rem; padding-top: 0.75rem; border-top: 1px solid #3f3f46; }
  .location { font: 600 14px/1.5 var(--font-code, ui-monospace, monospace); color: #8ec8ff; }
  .frame { margin: 0.75rem 0 0; padding: 0.75rem; overflow: auto; border-radius: 6px; background: #09090b; font: 13px/1.6 var(--font-code, ui-monospace, monospace); }
  .hint { color: #d4d4d8; }
  .name, .foot { color: #a1a1aa; font-size: 13px; }
  .foot { margin-top: 1.25rem; }
  button { padding: 0.25rem 0.75rem; border: 1px solid #52525b; border-radius: 6px; background: none; color: inherit; font: inherit; cursor: pointer; }
  button:hover { background: #27272a; }
  button:focus-visible { outline: 2px solid #8ec8ff; outline-offset: 2px; }`;

/** The text of the script. Its functions are all that the browser gets: they refer to nothing around them. */
export const clientScript = `(() => {
${[client, restoreScroll, readPage, patched, notify, element, showFaults].join('\n')}
client(${JSON.stringify(style)});
})();
`;

function client(style: string): void {
  const script = document.currentScript as HTMLScriptElement;
  const { file = '' } = script.dataset;
  let { revision } = script.dataset;
  /** The page as it was sent: scripts have changed the one on the screen. */
  let sent = readPage();
  let showing = Promise.resolve();
  const scrollKey = 'carrel-preview-scroll';
  const noticeKey = 'carrel-preview-notice';
  let events: EventSource | undefined;

  restoreScroll(scrollKey);

  const reload = () => {
    events?.close();
    sessionStorage.setItem(scrollKey, JSON.stringify({ url: location.href, left: scrollX, top: scrollY }));
    location.reload();
  };

  /** Replaces what differs, so that the reader keeps place, open tabs and search; or the whole page. */
  const show = async (state: PreviewEvent): Promise<void> => {
    const [before, after] = await Promise.all([sent, readPage()]);
    // The server has stopped: its first event after that reloads the page.
    if (after === null) return;
    const revisionOf = (page?: Document | null) => page?.querySelector<HTMLElement>('script[data-revision]')?.dataset['revision'];
    if (revisionOf(before) !== revision || !after || !patched(before!, after)) return reload();
    document.querySelector('carrel-preview-notice')?.remove();
    sent = Promise.resolve(after);
    revision = revisionOf(after);
    showFaults(state.faults, style);
  };

  /** Goes to the page under its new name. One that was deleted stays until the reader leaves it. */
  const leave = ({ message, url }: GonePage): void => {
    if (url === undefined) return notify(message);
    events?.close();
    sessionStorage.setItem(noticeKey, message);
    location.replace(url);
  };

  const message = sessionStorage.getItem(noticeKey);
  sessionStorage.removeItem(noticeKey);
  if (message !== null) notify(message);

  // A browser opens six connections to a server: tabs that nobody sees leave them to the others.
  const connect = () => {
    events?.close();
    events = undefined;
    if (document.hidden) return;
    events = new EventSource(`/.carrel/events?file=${encodeURIComponent(file)}`);
    events.addEventListener('message', ({ data }) => {
      const state = JSON.parse(String(data)) as PreviewEvent;
      if (state.gone) leave(state.gone);
      else if (state.revision === revision) showFaults(state.faults, style);
      else if (!state.isText) reload();
      else showing = showing.then(() => show(state));
    });
  };
  document.addEventListener('visibilitychange', connect);
  addEventListener('pagehide', () => events?.close());
  addEventListener('pageshow', ({ persisted }) => persisted && connect());
  connect();
}

function restoreScroll(scrollKey: string): void {
  const saved = sessionStorage.getItem(scrollKey);
  sessionStorage.removeItem(scrollKey);
  if (saved !== null) {
    const { url, left, top } = JSON.parse(saved) as { url: string; left: number; top: number };
    const restore = () => scrollTo({ left, top, behavior: 'instant' });
    if (url === location.href) {
      restore();
      // Images above can still have been without a size.
      addEventListener('load', restore, { once: true });
    }
  }
}

/** Null while no server answers. */
async function readPage(): Promise<Document | null | undefined> {
  const response = await fetch(location.href).catch(() => null);
  if (!response) return null;
  return response.ok ? new DOMParser().parseFromString(await response.text(), 'text/html') : undefined;
}

/** Replaces the blocks of text that differ between two versions of a page; false where something else differs, too. */
function patched(before: Document, after: Document): boolean {
  const around = (page: Document) => {
    const copy = page.documentElement.cloneNode(true) as Element;
    copy.querySelector('.prose')?.replaceChildren();
    for (const one of copy.querySelectorAll('meta, script[data-revision]')) one.remove();
    return copy.innerHTML;
  };
  const blocks = (page: Document) => [...(page.querySelector('.prose')?.children ?? [])];
  const [old, next, shown] = [before, after, document].map(blocks) as [Element[], Element[], Element[]];
  // Search has read the text of before.
  const isSearched = performance.getEntriesByType('resource').some(({ name }) => name.includes('/_carrel/site.js'));
  if (isSearched || shown.length !== old.length || around(before) !== around(after)) return false;
  // Another page was saved.
  const [was, is] = [before, after].map((page) => page.querySelector('.prose')?.innerHTML);
  if (was === is) return true;
  const isSame = (a?: Element, b?: Element) => a !== undefined && a.outerHTML === b?.outerHTML;
  let start = 0;
  while (isSame(old[start], next[start])) start++;
  let end = 0;
  while (end < Math.min(old.length, next.length) - start && isSame(old.at(-1 - end), next.at(-1 - end))) end++;
  const [leaving, coming] = [old, next].map((all) => all.slice(start, all.length - end)) as [Element[], Element[]];
  // Others have scripts.
  const isText = (block: Element) =>
    /^(?:P|UL|OL|DL|H[2-6]|TABLE|BLOCKQUOTE|HR)$/.test(block.tagName) &&
    !block.querySelector('img, svg, details, [class^="c-"]:not(.c-anchor)');
  if (leaving.length + coming.length === 0 || ![...leaving, ...coming].every(isText)) return false;
  for (const block of shown.slice(start, shown.length - end)) block.remove();
  const place = shown[shown.length - end];
  const prose = document.querySelector('.prose')!;
  for (const block of coming) prose.insertBefore(document.importNode(block, true), place ?? null);
  return true;
}

function notify(message: string): void {
  document.querySelector('carrel-preview-notice')?.remove();
  const notice = document.createElement('carrel-preview-notice');
  notice.setAttribute('role', 'status');
  notice.textContent = message;
  notice.style.cssText =
    'position: fixed; inset: auto 1rem 1rem; z-index: 2147483646; max-width: 40rem; margin: 0 auto; padding: 0.75rem 1rem; border-radius: 8px; background: #18181b; color: #f4f4f5; font: 15px/1.5 var(--font-sans, system-ui, sans-serif); box-shadow: 0 4px 20px rgb(0 0 0 / 0.5)';
  document.documentElement.append(notice);
}

function element(tag: string, className: string, ...children: (string | Node)[]): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  made.append(...children);
  return made;
}

function showFaults(faults: Fault[], style: string): void {
  document.querySelector('carrel-preview-faults')?.remove();
  if (faults.length === 0) return;
  const overlay = document.createElement('carrel-preview-faults');
  const root = overlay.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  root.adoptedStyleSheets = [sheet];
  const close = element('button', 'close', 'Close');
  close.setAttribute('type', 'button');
  close.addEventListener('click', () => overlay.remove());
  overlay.addEventListener('keydown', ({ key }) => key === 'Escape' && overlay.remove());
  const box = element(
    'section',
    'box',
    element('header', 'top', element('h1', 'title', 'Carrel cannot show this as written'), close),
  );
  box.setAttribute('role', 'alert');
  for (const { name, message, hint, location: at, frame } of faults) {
    const part = element('article', 'fault');
    if (at) part.append(element('p', 'location', at));
    part.append(element('p', 'message', message));
    if (frame) part.append(element('pre', 'frame', frame));
    if (hint) part.append(element('p', 'hint', hint));
    part.append(element('p', 'name', name));
    box.append(part);
  }
  box.append(element('p', 'foot', 'Correct the file and save it: this message closes by itself.'));
  root.append(element('div', 'back', box));
  document.documentElement.append(overlay);
}
