// The attributes of a page that contain URLs, and those that make the browser load something.
import { cssUrls } from './css.ts';
import { attribute, type Attribute, type ReferenceKind, type Role, type RoleLoad, type Tag } from './read-html.ts';

/** An attribute (or the text of a style element) that contains one or more URLs. */
export interface Reference {
  kind: ReferenceKind;
  load?: RoleLoad;
  /** The range to rewrite: the value of the attribute without quotes. */
  start: number;
  end: number;
  quote: Attribute['quote'];
  value: string;
  /** Whether it is in the main content: an author wrote it, rather than the theme. */
  inContent: boolean;
}

/** The role of an attribute, or undefined when it does not contain a URL. Computed once for each attribute. */
export function roleOf(tag: Tag, item: Attribute): Role | undefined {
  if (item.role === undefined) item.role = decideRole(tag, item.name) ?? null;
  return item.role ?? undefined;
}

function decideRole(tag: Tag, name: string): Role | undefined {
  const role = roles.get(name);
  if (role === undefined) return carrelRoles.get(name);
  return typeof role === 'function' ? role(tag) : role;
}

const link: Role = { kind: 'link' };
const media: Role = { kind: 'file', load: 'media' };
const code: Role = { kind: 'file', load: 'code' };

/** SVG elements that load their `href`. */
export const svgLoads = new Set([
  'use',
  'image',
  'feimage',
  'pattern',
  'lineargradient',
  'radialgradient',
  'textpath',
  'mpath',
  'filter',
]);

// Maps, since a page may have an attribute named `constructor`.
const roles = new Map<string, Role | ((tag: Tag) => Role | undefined)>(
  Object.entries({
    href(tag) {
      if (tag.name === 'link') return linkRole(tag);
      if (tag.name === 'a' || tag.name === 'area') return isMarkdownLink(tag) ? { kind: 'markdown' } : link;
      if (tag.name === 'script') return code;
      if (svgLoads.has(tag.name)) return media;
      return tag.name === 'base' ? undefined : link;
    },
    'xlink:href': (tag) => (tag.name === 'a' ? link : tag.name === 'script' ? code : media),
    src: (tag) => (tag.name === 'script' ? code : frameElements.has(tag.name) ? { kind: 'link', load: 'frame' } : media),
    srcset: { kind: 'srcset', load: 'media' },
    imagesrcset: { kind: 'srcset', load: 'hint' },
    poster: media,
    background: media,
    data: (tag) => (tag.name === 'object' ? { kind: 'file', load: 'frame' } : undefined),
    action: (tag) => (tag.name === 'form' ? link : undefined),
    formaction: link,
    cite: link,
    style: { kind: 'css', load: 'media' },
    content: (tag) => metaRole(tag),
  } satisfies Record<string, Role | ((tag: Tag) => Role | undefined)>),
);

// Attributes in which pages pass URLs to the reader's scripts.
const carrelRoles = new Map<string, Role>([
  ['data-carrel-href', link],
  ['data-carrel-src', { kind: 'file' }],
  ['data-carrel-root', { kind: 'root' }],
]);

function linkRole(tag: Tag): Role {
  const relations = (attribute(tag, 'rel') ?? '').toLowerCase().split(/\s+/);
  const has = (name: string) => relations.includes(name);
  if (has('stylesheet')) return code;
  if (relations.some((name) => imageRelations.has(name))) return media;
  if (relations.some((name) => hintRelations.has(name))) return { kind: 'file', load: 'hint' };
  if (isMarkdownLink(tag)) return { kind: 'markdown' };
  if (has('canonical') || attribute(tag, 'hreflang') !== undefined) return { kind: 'meta' };
  return link;
}

const imageRelations = new Set([
  'icon',
  'apple-touch-icon',
  'apple-touch-icon-precomposed',
  'apple-touch-startup-image',
  'mask-icon',
  'manifest',
]);

const hintRelations = new Set(['preload', 'prefetch', 'modulepreload', 'dns-prefetch', 'preconnect', 'prerender']);

/** URL of a video whose element a script turns into a frame on a click, such as `<lite-youtube videoid>`. */
export function lazyFrame(tag: Tag): string | undefined {
  if (!tag.name.startsWith('lite-')) return undefined;
  for (const [name, given, url] of lazyFrames) {
    const id = tag.name === name ? attribute(tag, given) : undefined;
    if (id) return url + encodeURIComponent(id);
  }
  return undefined;
}

const lazyFrames: [name: string, given: string, url: string][] = [
  ['lite-youtube', 'videoid', 'https://www.youtube.com/watch?v='],
  ['lite-youtube', 'playlistid', 'https://www.youtube.com/playlist?list='],
  ['lite-vimeo', 'videoid', 'https://vimeo.com/'],
];

/** Elements whose scripts create a frame with the player in `src`. */
export const playerElements = ['youtube-video', 'vimeo-video', 'wistia-video', 'twitch-video', 'tiktok-video', 'spotify-audio'];

/** The element of our own theme whose `src` becomes a frame at a click. Without `src` it is the placeholder of the frame. */
export const frameOnClick = 'carrel-frame';

const frameElements = new Set(['iframe', 'frame', 'embed', frameOnClick, ...playerElements]);

// With this type, the link goes to the Markdown version of a page; without it, `.md` refers to the page itself.
function isMarkdownLink(tag: Tag): boolean {
  return attribute(tag, 'type')?.toLowerCase() === 'text/markdown';
}

const urlProperties =
  /^(?:og|twitter):(?:url|(?:image|audio|video)(?::(?:url|src|secure_url))?)$|^msapplication-\w*(?:logo|image|config)$/;

function metaRole(tag: Tag): Role | undefined {
  if (tag.name !== 'meta') return undefined;
  if (attribute(tag, 'http-equiv')?.toLowerCase() === 'refresh') return { kind: 'refresh' };
  const property = attribute(tag, 'property') ?? attribute(tag, 'name') ?? attribute(tag, 'itemprop');
  return property !== undefined && urlProperties.test(property.toLowerCase()) ? { kind: 'meta' } : undefined;
}

/** The URL in `5; url=/x`, with its position in the text. */
export function refreshUrl(content: string): { start: number; end: number; url: string } | undefined {
  const match = /^\s*[\d.]*\s*[;,]?\s*(?:url\s*=\s*)?(['"]?)/i.exec(content);
  if (!match || !/url\s*=/i.test(match[0])) return undefined;
  const start = match[0].length;
  const close = match[1] ? content.indexOf(match[1], start) : -1;
  const end = close < 0 ? content.trimEnd().length : close;
  return { start, end, url: content.slice(start, end) };
}

/** The candidates of a `srcset`: URLs with their positions. */
export function srcsetUrls(value: string): { start: number; end: number; url: string }[] {
  const found: { start: number; end: number; url: string }[] = [];
  const pattern = /[\s,]*(\S+)/gy;
  for (let match = pattern.exec(value); match; match = pattern.exec(value)) {
    const start = pattern.lastIndex - match[1]!.length;
    const url = match[1]!.replace(/,+$/, '');
    found.push({ start, end: start + url.length, url });
    // A comma right after the URL ends the candidate; otherwise its descriptors continue to the next comma outside parentheses.
    if (url.length === match[1]!.length) pattern.lastIndex = endOfDescriptors(value, pattern.lastIndex);
    if (pattern.lastIndex >= value.length) break;
  }
  return found.filter(({ url }) => url !== '');
}

function endOfDescriptors(value: string, from: number): number {
  let depth = 0;
  for (let i = from; i < value.length; i++) {
    if (value[i] === '(') depth++;
    else if (value[i] === ')') depth--;
    else if (value[i] === ',' && depth <= 0) return i + 1;
  }
  return value.length;
}

/** The URLs in the value of an attribute, by its kind. */
export function urlsIn(kind: ReferenceKind, value: string): string[] {
  if (kind === 'srcset') return srcsetUrls(value).map((found) => found.url);
  if (kind === 'css') return cssUrls(value).map((found) => found.url);
  if (kind === 'refresh') return [refreshUrl(value)?.url ?? ''].filter((url) => url !== '');
  return [value];
}
