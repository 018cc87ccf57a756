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

/** The extension of a downloaded file, which is its type on disk, so it must match the content type. Throws when it is of another kind. */
export function extensionOf({ type, url }: Pick<Download, 'type' | 'url'>, kind: FileKind): string {
  const extension = extensionOfType(type);
  if (extension !== undefined && kindOfFile(`.${extension}`) === kind) return extension;
  const isVague = type === '' || type === 'application/octet-stream' || (type === 'text/plain' && kind !== 'media');
  if (isVague && kindOfFile(url.pathname) === kind) return extensionIn(url.pathname);
  throw new Error(`it is ${type || 'of no known kind'}, not ${kindNames[kind]}`);
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
