// Placeholders for elements that must not load from an external origin.
import type { LoadingElement } from '../html/loading-elements.ts';
import { placeholderHtml } from '../html/placeholder-html.ts';
import { escapeHtml } from '../text/escape.ts';
import { externalUrl } from '../urls/external-url.ts';
import { readerUrl } from '../urls/reader-url.ts';

/** How a script shows something of its host: at its own position, or by decorating text that the page contains anyway. */
type Widget = 'in-place' | 'decorates';

/** Whether an element shows something that only its own host can show: a frame, or the script of a widget. */
export function isEmbed(element: LoadingElement): boolean {
  return element.load === 'frame' || widgetOf(element) !== undefined;
}

/** The link of a placeholder; for a frame, the human-readable page that it shows. */
export function placeholderUrl(element: LoadingElement): string {
  const [url = ''] = element.urls;
  const outside = isEmbed(element) ? externalUrl(url) : undefined;
  return outside === undefined ? (url.startsWith('//') ? `https:${url}` : url) : readerUrl(new URL(outside));
}

export interface PlaceholderOptions {
  /** Whether the element's own classes are carried over: those of our own theme style placeholders too. */
  keepsClasses: boolean;
  /** URL of the placeholders' stylesheet, if the page needs it. */
  stylesheet?: string;
  /** Whether the site does not have the file: there is nothing to open, so the placeholder is not a link. */
  isMissing?: boolean;
}

/**
 * A link with the author's description and the URL; inside a link, which must not contain another, only text. Empty for elements that do
 * not show anything themselves, and for a widget that decorates text: a quoted post is readable without it.
 */
export function placeholder(element: LoadingElement, { keepsClasses, stylesheet, isMissing }: PlaceholderOptions): string {
  const widget = widgetOf(element);
  if (widget === 'decorates') return '';
  if (widget === undefined && element.without === 'nothing') {
    // Without an icon the browser requests one from the host.
    return element.name === 'link' && element.load === 'media' ? '<link rel="icon" href="data:,">' : '';
  }
  const style = stylesheet === undefined ? '' : `<link rel="stylesheet" href="${escapeHtml(stylesheet)}">`;
  const { name, words, className, inLink } = element;
  return (
    style +
    placeholderHtml({
      ...{ name, words, url: placeholderUrl(element), inLink, isMissing },
      className: keepsClasses ? className : undefined,
    })
  );
}

/** File of the export with the styles of placeholders in existing sites: a policy may refuse styles in pages. */
export const placeholderStylesheet = '_carrel/placeholder.css';

/** Inherits the colors of the page, so that it is readable in light and dark mode. */
export const placeholderStyle = `.c-remote {
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
a.c-remote:hover,
a.c-remote:focus-visible {
  outline: 2px solid currentColor;
  outline-offset: 2px;
}
.c-remote-words {
  display: block;
  font-weight: 600;
}
.c-remote-address {
  text-decoration: underline;
}
`;

function widgetOf({ name, urls }: LoadingElement): Widget | undefined {
  const url = name === 'script' ? externalUrl(urls[0] ?? '') : undefined;
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
