import { readFileSync } from 'node:fs';
import { encodePath, relativeUrl } from '../urls/relative-url.ts';
import { rewriteCss } from '../page/rewrite-page.ts';
import { isRemote } from '../html/references.ts';
import { isElsewhere } from '../urls/address.ts';
import { loaded, type Resolver } from '../urls/resolver.ts';

/** A file served at its own path: from disk, or with its contents at hand. */
export type ExportAsset = { path: string; file: string } | { path: string; contents: string | Uint8Array };

export interface StylesheetOptions {
  targets: Resolver;
  /** Its path in the export. */
  file: string;
  /** Whether external addresses are emptied where they were not vendored. */
  isEmptied: boolean;
  /** Files in the export by their external addresses, verbatim. */
  vendored: Map<string, string>;
}

/** A stylesheet with root-absolute addresses made relative to it. */
export function relativeStylesheet(css: string, { targets, file, isEmptied, vendored }: StylesheetOptions): string {
  const from = encodePath(file);
  return rewriteCss(css, (address) => {
    if (isRemote(address)) {
      const local = vendored.get(address);
      return local !== undefined ? relativeUrl(from, local) : isEmptied ? 'data:,' : address;
    }
    if (isElsewhere(address) || address[0] !== '/') return address;
    const target = loaded(targets.resolve(address, ''));
    return relativeUrl(from, target.file) + target.hash;
  });
}

/** Text of an asset. */
export function assetText(asset: ExportAsset): string {
  if ('file' in asset) return readFileSync(asset.file, 'utf8');
  return typeof asset.contents === 'string' ? asset.contents : new TextDecoder().decode(asset.contents);
}
