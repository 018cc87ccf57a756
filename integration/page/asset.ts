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

/** The assets without those that no page needs, from the `extras` of all pages. */
export function neededAssets(assets: readonly ExportAsset[], extras: ReadonlySet<string>): ExportAsset[] {
  return assets.filter(({ neededFor }) => neededFor === undefined || extras.has(neededFor));
}
