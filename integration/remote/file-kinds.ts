import type { Download } from './download.ts';

export type FileKind = 'media' | 'stylesheet' | 'script';

/** The extension of a file, which is its type on disk, so it must match the content type. Throws when the kind is not wanted. */
export function endingOf({ type, url }: Pick<Download, 'type' | 'url'>, kinds: readonly FileKind[]): string {
  const known = kinds.map((kind) => endings[kind].get(type)).find((ending) => ending !== undefined);
  if (known !== undefined) return known;
  const named = /\.([a-z0-9]+)$/i.exec(url.pathname)?.[1]?.toLowerCase() ?? '';
  const isVague = type === '' || type === 'application/octet-stream' || type === 'text/plain';
  if (
    isVague &&
    kinds.some((kind) => (kind !== 'media' || type !== 'text/plain') && [...endings[kind].values()].includes(named))
  ) {
    return named;
  }
  throw new Error(`it is ${type || 'of no known kind'}, not ${kinds.map((kind) => kindNames[kind]).join(' or ')}`);
}

/** The kind of a file by its name; undefined if the name does not tell, or the kind is not wanted. */
export function kindOfFile(path: string): FileKind | undefined {
  const named = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  return (['script', 'stylesheet', 'media'] as const).find((kind) => [...endings[kind].values()].includes(named));
}

const kindNames: Record<FileKind, string> = {
  media: 'an image, video, sound or font',
  stylesheet: 'a stylesheet',
  script: 'a script',
};

const endings: Record<FileKind, Map<string, string>> = {
  media: new Map([
    ['image/png', 'png'],
    ['image/apng', 'apng'],
    ['image/jpeg', 'jpg'],
    ['image/gif', 'gif'],
    ['image/webp', 'webp'],
    ['image/avif', 'avif'],
    ['image/svg+xml', 'svg'],
    ['image/x-icon', 'ico'],
    ['image/vnd.microsoft.icon', 'ico'],
    ['video/mp4', 'mp4'],
    ['video/webm', 'webm'],
    ['video/quicktime', 'mov'],
    ['audio/mpeg', 'mp3'],
    ['audio/wav', 'wav'],
    ['audio/ogg', 'ogg'],
    ['text/vtt', 'vtt'],
    ['font/woff2', 'woff2'],
    ['font/woff', 'woff'],
    ['font/ttf', 'ttf'],
    ['font/otf', 'otf'],
    ['application/font-woff2', 'woff2'],
    ['application/font-woff', 'woff'],
    ['application/x-font-ttf', 'ttf'],
    ['application/vnd.ms-fontobject', 'eot'],
  ]),
  stylesheet: new Map([['text/css', 'css']]),
  script: new Map([
    ['text/javascript', 'js'],
    ['application/javascript', 'js'],
    ['application/x-javascript', 'js'],
    ['application/ecmascript', 'js'],
    ['text/ecmascript', 'js'],
  ]),
};
