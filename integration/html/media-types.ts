// The media types of files by extension: what an export may contain, load or download. Browsers may not guess types (nosniff), and tables
// such as mrmime name other types for some (YAML, XML), which would change the headers of hosted sites.
import type { LoadKind } from './load.ts';

/** The media type of a file by its extension; undefined for an extension that is not listed. */
export function mediaTypeOf(path: string): string | undefined {
  return types.get(extensionIn(path));
}

/** The usual extension of a media type, without its dot. */
export function extensionOfType(type: string): string | undefined {
  return extensions.get(otherNames.get(type) ?? type);
}

/** What loads a file, by the extension in its path or URL; `connection` for a file that only a script can use, and for no file. */
export function loadKindOf(url: string): LoadKind {
  const path = url.replace(/[?#].*$/s, '');
  const type = mediaTypeOf(path) ?? '';
  if (type === 'text/javascript') return 'script';
  if (type === 'text/css') return 'stylesheet';
  if (type.startsWith('image/')) return 'image';
  if (type.startsWith('font/') || type === 'application/vnd.ms-fontobject') return 'font';
  if (/^(?:audio|video)\/|^text\/vtt$/.test(type)) return 'media';
  return 'connection';
}

/** Whether an absolute URL names a file that a page loads rather than links to. */
export function namesLoadedFile(url: string): boolean {
  const path = /[^/]\/[^?#]*/.exec(url)?.[0] ?? '';
  return loadKindOf(path) !== 'connection' || data.has(extensionIn(path));
}

/** In lower case, without its dot; empty if there is none. */
export function extensionIn(path: string): string {
  return /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

// Files that scripts read.
const data = new Set(['json', 'wasm', 'xml', 'txt', 'glb']);

const types = new Map(
  Object.entries({
    html: 'text/html',
    htm: 'text/html',
    css: 'text/css',
    js: 'text/javascript',
    mjs: 'text/javascript',
    cjs: 'text/javascript',
    json: 'application/json',
    map: 'application/json',
    webmanifest: 'application/manifest+json',
    md: 'text/markdown',
    mdx: 'text/markdown',
    txt: 'text/plain',
    csv: 'text/csv',
    xml: 'application/xml',
    rss: 'application/rss+xml',
    yaml: 'application/yaml',
    yml: 'application/yaml',
    graphql: 'application/graphql',
    graphqls: 'application/graphql',
    gql: 'application/graphql',
    svg: 'image/svg+xml',
    png: 'image/png',
    apng: 'image/apng',
    jpg: 'image/jpeg',
    jpeg: 'image/jpeg',
    gif: 'image/gif',
    webp: 'image/webp',
    avif: 'image/avif',
    ico: 'image/x-icon',
    woff: 'font/woff',
    woff2: 'font/woff2',
    ttf: 'font/ttf',
    otf: 'font/otf',
    eot: 'application/vnd.ms-fontobject',
    mp4: 'video/mp4',
    webm: 'video/webm',
    mov: 'video/quicktime',
    vtt: 'text/vtt',
    mp3: 'audio/mpeg',
    wav: 'audio/wav',
    ogg: 'audio/ogg',
    pdf: 'application/pdf',
    glb: 'model/gltf-binary',
    zip: 'application/zip',
    gz: 'application/gzip',
    wasm: 'application/wasm',
  }),
);

/** The first extension of a type is the usual one. */
const extensions = new Map([...types].reverse().map(([extension, type]) => [type, extension]));

const otherNames = new Map(
  Object.entries({
    'image/vnd.microsoft.icon': 'image/x-icon',
    'application/font-woff2': 'font/woff2',
    'application/font-woff': 'font/woff',
    'application/x-font-ttf': 'font/ttf',
    'application/javascript': 'text/javascript',
    'application/x-javascript': 'text/javascript',
    'application/ecmascript': 'text/javascript',
    'text/ecmascript': 'text/javascript',
  }),
);
