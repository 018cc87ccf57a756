// Frames and widgets of other hosts, and what stands for them where no other host may be asked.
import type { RemoteElement } from './remote-elements.ts';
import { escapeAttribute } from '../page/rewrite-page.ts';
import { outsideAddress } from '../urls/external-url.ts';

/** How a script shows something of its host: in its own place, or by decorating text that the page holds anyway. */
type Widget = 'in-place' | 'decorates';

/** Whether an element shows something of another host that a card can stand for: a frame, or the script of a widget. */
export function isEmbed(element: RemoteElement): boolean {
  return element.load === 'frame' || widgetOf(element) !== undefined;
}

/** Where a card leads, of what the element shows. */
export function embedAddress(element: RemoteElement): string {
  const url = outsideAddress(element.urls[0]!);
  return url === undefined ? element.urls[0]! : readerAddress(new URL(url));
}

/**
 * A link that looks like a card, with the author's words and the address; within a link another may not stand, there it is only text.
 * Nothing for a widget that decorates text: a quoted post is readable without.
 */
export function embedCard(element: RemoteElement, stylesheet: string | undefined): string {
  if (widgetOf(element) === 'decorates') return '';
  const address = escapeAttribute(embedAddress(element), '"');
  const words = element.words && `<span class="carrel-card-words">${escapeAttribute(element.words, '"')}</span> `;
  const text = `${words ?? ''}<span class="carrel-card-address">${address}</span>`;
  const style = stylesheet === undefined ? '' : `<link rel="stylesheet" href="${escapeAttribute(stylesheet, '"')}">`;
  if (element.inLink) return `${style}<span class="carrel-card">${text}</span>`;
  return `${style}<a class="carrel-card" href="${address}" rel="noreferrer">${text}</a>`;
}

/** File of the export that holds the look of cards: a policy may refuse styles in pages. */
export const cardStylesheet = '_carrel/card.css';

/** Colours are those around it, so that it is as readable as its page is, light or dark. */
export const cardStyle = `.carrel-card {
  display: block;
  box-sizing: border-box;
  max-width: 40rem;
  margin: 1rem 0;
  padding: 0.75rem 1rem;
  border: 1px solid currentColor;
  border-inline-start-width: 4px;
  border-radius: 6px;
  color: inherit;
  font: inherit;
  line-height: 1.5;
  text-align: start;
  text-decoration: none;
  overflow-wrap: anywhere;
}
a.carrel-card:hover,
a.carrel-card:focus-visible {
  outline: 2px solid currentColor;
  outline-offset: 2px;
}
.carrel-card-words {
  display: block;
  font-weight: 600;
}
.carrel-card-address {
  text-decoration: underline;
}
`;

function widgetOf({ name, urls }: RemoteElement): Widget | undefined {
  const url = name === 'script' ? outsideAddress(urls[0] ?? '') : undefined;
  if (url === undefined) return undefined;
  const { hostname, pathname } = new URL(url);
  return widgets.find(([host, path]) => (hostname === host || hostname.endsWith(`.${host}`)) && path.test(pathname))?.[2];
}

const widgets: [host: string, path: RegExp, widget: Widget][] = [
  ['gist.github.com', /\.js$/, 'in-place'],
  ['emgithub.com', /\/embed/, 'in-place'],
  ['gitlab.com', /\/snippets\/\d+\.js$/, 'in-place'],
  ['asciinema.org', /^\/a\/[^/]+\.js$/, 'in-place'],
  ['jsfiddle.net', /\/embed/, 'in-place'],
  ['speakerdeck.com', /^\/assets\/embed\.js$/, 'decorates'],
  ['platform.twitter.com', /^\/widgets\.js$/, 'decorates'],
  ['platform.x.com', /^\/widgets\.js$/, 'decorates'],
  ['embed.bsky.app', /\/embed\.js$/, 'decorates'],
  ['instagram.com', /^\/embed\.js$/, 'decorates'],
  ['tiktok.com', /^\/embed\.js$/, 'decorates'],
  ['reddit.com', /\/widgets\.js$/, 'decorates'],
  ['redditmedia.com', /\/widgets\/platform\.js$/, 'decorates'],
  ['codepen.io', /\/embed\/(?:ei|index)\.js$/, 'decorates'],
  ['codepenassets.com', /\/embed\/(?:ei|index)\.js$/, 'decorates'],
];

/** The page for people of an address that is made for frames. */
function readerAddress(url: URL): string {
  const { hostname, pathname, href } = url;
  const host = hostname.replace(/^www\./, '');
  const id = pathname.split('/').filter(Boolean).at(-1) ?? '';
  if ((host === 'youtube.com' || host === 'youtube-nocookie.com') && /^\/embed\/[\w-]+$/.test(pathname) && id !== 'videoseries') {
    return `https://www.youtube.com/watch?v=${id}`;
  }
  if (host === 'player.vimeo.com' && pathname.startsWith('/video/')) return `https://vimeo.com/${id}`;
  if (host === 'codepen.io') return href.replace(/\/embed\/(?:preview\/)?/, '/pen/');
  if (host === 'gist.github.com' || host === 'asciinema.org') return href.replace(/\.js(?=[?#]|$)/, '');
  return href;
}
