import { extensionIn, extensionOfType, loadKindOf } from '../html/media-types.ts';
import type { LoadKind } from '../html/load.ts';
import type { Download } from './download.ts';

export type FileKind = 'media' | 'stylesheet' | 'script';

/** The kinds of files that can be vendored, by what loads them. */
export const fileKinds: Partial<Record<LoadKind, FileKind>> = {
  image: 'media',
  media: 'media',
  font: 'media',
  stylesheet: 'stylesheet',
  script: 'script',
};

/** The extension of a downloaded file, which is its type on disk, so it must match the content type. Throws when the type or the content is of another kind. */
export function extensionOf({ type, url, bytes }: Download, kind: FileKind): string {
  if (kind === 'media' && isPage(bytes)) throw new Error(`it is an HTML page, not ${kindNames[kind]}`);
  const extension = extensionOfType(type);
  if (extension !== undefined && kindOfFile(`.${extension}`) === kind) return extension;
  const isVague = type === '' || type === 'application/octet-stream' || (type === 'text/plain' && kind !== 'media');
  if (isVague && kindOfFile(url.pathname) === kind) return extensionIn(url.pathname);
  throw new Error(`it is ${type || 'of no known kind'}, not ${kindNames[kind]}`);
}

// A host may send its error page or its login with the type of the image.
function isPage(bytes: Uint8Array): boolean {
  return /^[\s\ufeff]*(?:<!--[^]*?-->\s*)*<(?:!doctype html|html|head|body)\b/i.test(
    Buffer.from(bytes.subarray(0, 1000)).toString(),
  );
}

/** The kind of a file by its name; undefined if it cannot be vendored. */
export function kindOfFile(path: string): FileKind | undefined {
  return fileKinds[loadKindOf(path)];
}

const kindNames: Record<FileKind, string> = {
  media: 'an image, video, sound or font',
  stylesheet: 'a stylesheet',
  script: 'a script',
};
