import { mediaTypeOf } from '../../integration/html/media-types.ts';

const textual = /^text\/|json$|xml$|javascript$|yaml$/;
const alsoCompressible = new Set(['application/wasm', 'font/ttf', 'font/otf', 'image/x-icon']);

/** Value of `Content-Type` for a file, with its charset where it is text. */
export function contentType(path: string): string {
  const type = mediaTypeOf(path) ?? 'application/octet-stream';
  return textual.test(type) ? `${type}; charset=utf-8` : type;
}

/** Whether gzip or brotli make a file of this kind smaller. */
export function isCompressible(path: string): boolean {
  const type = mediaTypeOf(path) ?? '';
  return textual.test(type) || alsoCompressible.has(type);
}
