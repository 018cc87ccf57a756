import { readFileSync } from 'node:fs';

/** A file served at its own path: on disk, or with its contents at hand. */
export type ExportAsset = ({ path: string; file: string } | { path: string; contents: string | Uint8Array }) & {
  /** The file is written only if this is among the `extras` of a page. */
  neededFor?: string;
  /** The file is written only if a page loads it or links to it. */
  onlyIfUsed?: true;
  /** Where others' work in it is from: a file of an npm package, or a URL. */
  origin?: string;
};

/** A file whose contents depend on what the pages need: it is made from the `extras` of all pages. */
export interface CollectedAsset {
  path: string;
  neededFor: string;
  contents(extras: ReadonlySet<string>): Promise<string | Uint8Array>;
}

export function assetText(asset: ExportAsset): string {
  if ('file' in asset) return readFileSync(asset.file, 'utf8');
  return typeof asset.contents === 'string' ? asset.contents : new TextDecoder().decode(asset.contents);
}

/** The assets without those that no page needs, from the `extras` of all pages. */
export function neededAssets(
  assets: readonly (ExportAsset | CollectedAsset)[],
  extras: ReadonlySet<string>,
): (ExportAsset | CollectedAsset)[] {
  return assets.filter(({ neededFor }) => neededFor === undefined || extras.has(neededFor));
}

/** The asset with its contents. */
export async function collected(asset: ExportAsset | CollectedAsset, extras: ReadonlySet<string>): Promise<ExportAsset> {
  return isCollected(asset) ? { path: asset.path, contents: await asset.contents(extras) } : asset;
}

/** The assets whose contents are known from the beginning. */
export function fixedAssets(assets: readonly (ExportAsset | CollectedAsset)[]): ExportAsset[] {
  return assets.flatMap((asset) => (isCollected(asset) ? [] : [asset]));
}

export function isCollected(asset: ExportAsset | CollectedAsset): asset is CollectedAsset {
  return 'contents' in asset && typeof asset.contents === 'function';
}

export function isOnlyIfUsed(asset: ExportAsset | CollectedAsset): boolean {
  return 'onlyIfUsed' in asset;
}
