import { readFileSync } from 'node:fs';

/** A file served at its own path: on disk, or with its contents at hand. */
export type ExportAsset = ({ path: string; file: string } | { path: string; contents: string | Uint8Array }) & {
  /** The file is written only if this is among the `extras` of a page. */
  neededFor?: string;
};

export function assetText(asset: ExportAsset): string {
  if ('file' in asset) return readFileSync(asset.file, 'utf8');
  return typeof asset.contents === 'string' ? asset.contents : new TextDecoder().decode(asset.contents);
}
