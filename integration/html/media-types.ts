// The media types of files by extension: what an export may contain, load or download. Browsers may not guess types (nosniff), and tables
// such as mrmime name other types for some (YAML, XML), which would change the headers of hosted sites.
import type { LoadKind } from './load.ts';
import mediaTypes from './media-types.json' with { type: 'json' };

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

const types = new Map(Object.entries(mediaTypes.byExtension));

/** The first extension of a type is the usual one. */
const extensions = new Map([...types].reverse().map(([extension, type]) => [type, extension]));

const otherNames = new Map(Object.entries(mediaTypes.otherNames));
