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
  airGapped: boolean;
  /** Files in the export of addresses on other hosts. */
  vendored: Map<string, string>;
}

/** A style sheet with root-absolute addresses made relative to it; where nothing may be asked of other hosts, without theirs. */
export function relativeStylesheet(
  css: string,
  { targets, file, airGapped, vendored }: StylesheetOptions,
): { css: string; remote: string[] } {
  const remote: string[] = [];
  const from = encodePath(file);
  const rewritten = rewriteCss(css, (address) => {
    if (isRemote(address)) {
      const local = vendored.get(address);
      if (local !== undefined) return relativeUrl(from, local);
      if (!remote.includes(address)) remote.push(address);
      return airGapped ? 'data:,' : address;
    }
    if (isElsewhere(address) || address[0] !== '/') return address;
    const target = loaded(targets.resolve(address, ''));
    return relativeUrl(from, target.file) + target.hash;
  });
  return { css: rewritten, remote };
}

/** Text of a style sheet that is among the assets. */
export function assetText(asset: ExportAsset): string {
  if ('file' in asset) return readFileSync(asset.file, 'utf8');
  return typeof asset.contents === 'string' ? asset.contents : new TextDecoder().decode(asset.contents);
}
