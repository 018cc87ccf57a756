// Browsers may not guess types (nosniff), so every kind of file that an export may hold is listed here. Tables such as mrmime name other
// types for some of them (YAML, XML), which would change the headers of hosted sites.
const types: Record<string, string> = {
  html: 'text/html',
  htm: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  mjs: 'text/javascript',
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
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  vtt: 'text/vtt',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  pdf: 'application/pdf',
  zip: 'application/zip',
  gz: 'application/gzip',
  wasm: 'application/wasm',
};

const textual = /^text\/|json$|xml$|javascript$|yaml$/;
const alsoCompressible = new Set(['application/wasm', 'font/ttf', 'font/otf', 'image/x-icon']);

/** Value of `Content-Type` for a file, with its charset where it is text. */
export function contentType(path: string): string {
  const type = mediaType(path);
  return textual.test(type) ? `${type}; charset=utf-8` : type;
}

/** Whether gzip or brotli make a file of this kind smaller. */
export function isCompressible(path: string): boolean {
  const type = mediaType(path);
  return textual.test(type) || alsoCompressible.has(type);
}

function mediaType(path: string): string {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(types, extension) ? types[extension]! : 'application/octet-stream';
}
