// The files of a site that are not pages: copied, or rewritten where they contain URLs.
import { lineAt } from '../text/edit.ts';
import { cssUrls } from '../html/css.ts';
import { isExternal } from '../urls/external-url.ts';
import type { Problem } from '../diagnostics.ts';
import type { OutputFolder } from '../output/export-folder.ts';
import type { Incremental } from '../output/incremental.ts';
import { cachedValue } from '../output/export-cache.ts';
import { assetText, collected, neededAssets } from '../page/asset.ts';
import type { WrittenPage } from '../page/page-types.ts';
import { rewriteCss } from '../page/rewrite-page.ts';
import type { RemotePolicy } from '../remote/remote-policy.ts';
import { isElsewhere } from '../urls/parts.ts';
import { encodePath, relativeUrl } from '../urls/relative-url.ts';
import { loaded, type Resolver } from '../urls/resolver.ts';
import type { ExportInput, ExportOptions, SiteFixes, SiteRules } from './export-input.ts';
import type { SiteUrls } from './site-urls.ts';
import { usedAssets } from './used-files.ts';

interface AssetOptions extends Pick<ExportOptions, 'onProgress' | 'cache' | 'generator' | 'signal'> {
  site: ExportInput;
  pages: readonly WrittenPage[];
  urls: Pick<SiteUrls, 'names' | 'resolver' | 'context'>;
  incremental: Pick<Incremental, 'copy'> & { folder: Pick<OutputFolder, 'write'> };
  policy: Pick<RemotePolicy, 'addFile' | 'blanksStyleUrls'>;
  /** Files in the export by their external URLs, verbatim. */
  vendored: Map<string, string>;
  fixes: SiteFixes | undefined;
}

/** Writes all assets that pages need; returns what is wrong with them. */
export async function writeAssets(options: AssetOptions): Promise<Problem[]> {
  const { site, pages, urls, incremental, policy, vendored, fixes, onProgress, cache, generator, signal } = options;
  const { names, resolver, context } = urls;
  const { folder } = incremental;
  const problems: Problem[] = [];
  // Our own theme has no web manifest.
  const manifests = site.rules.keepsFiles ? await import('./web-manifest.ts') : undefined;
  const extras = new Set(pages.flatMap(({ facts }) => facts.extras ?? []));
  const used = usedAssets(site, pages, urls);
  problems.push(...used.problems);
  const assets = neededAssets(used.assets, extras)
    .filter(({ path }) => !fixes?.isExcluded(path))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  for (const [index, needed] of assets.entries()) {
    signal?.throwIfAborted();
    const asset = await collected(needed, extras);
    const file = names.asset(asset.path);
    problems.push(...(await policy.addFile(asset.path, () => assetText(asset), fixes?.isModule(asset.path))));
    const rewritten = await fixes?.rewritten?.(asset.path);
    if (rewritten !== undefined) folder.write(file, rewritten);
    else if (/\.css$/i.test(file)) {
      const text = assetText(asset);
      const blanksUrls = policy.blanksStyleUrls;
      const inputs = [generator, context, asset.path, text, blanksUrls, [...vendored]];
      const stylesheet = await cachedValue(cache, 'stylesheet', inputs, () => ({
        text: relativeStylesheet(text, { resolver, file, blanksUrls, vendored }),
        problems: checkStylesheet(text, asset.path, resolver, site.rules),
      }));
      problems.push(...stylesheet.problems);
      folder.write(file, stylesheet.text);
    } else if (manifests?.isWebManifest(file)) {
      folder.write(file, manifests.relativeWebManifest(assetText(asset), { resolver, file, vendored }));
    } else if ('file' in asset) incremental.copy(file, asset.file);
    else folder.write(file, asset.contents);
    onProgress?.({ stage: 'write', done: index + 1, total: assets.length });
  }
  return problems;
}

interface StylesheetOptions {
  resolver: Resolver;
  /** Its path in the export. */
  file: string;
  /** Whether external URLs that were not vendored become `data:,`, which loads nothing. */
  blanksUrls: boolean;
  /** Files in the export by their external URLs, verbatim. */
  vendored: Map<string, string>;
}

/** A stylesheet whose root-absolute URLs are relative to it. */
export function relativeStylesheet(css: string, { resolver, file, blanksUrls, vendored }: StylesheetOptions): string {
  const from = encodePath(file);
  return rewriteCss(css, (url) => {
    if (isExternal(url)) {
      const local = vendored.get(url);
      return local !== undefined ? relativeUrl(from, local) : blanksUrls ? 'data:,' : url;
    }
    if (isElsewhere(url) || url[0] !== '/') return url;
    const target = loaded(resolver.resolve(url, ''));
    return relativeUrl(from, target.file) + target.hash;
  });
}

/** A warning for each distinct URL in a stylesheet whose file is missing, and for each `@import` that an author wrote too late. */
function checkStylesheet(css: string, path: string, { resolve }: Pick<Resolver, 'resolve'>, rules: SiteRules): Problem[] {
  const seen = new Set<string>();
  return cssUrls(css).flatMap(({ url: written, start, isLate }): Problem[] => {
    const shared = { kind: 'asset-without-file', severity: 'warning', page: path, line: lineAt(css, start) } as const;
    if (isLate) {
      if (rules.keepsFiles) return [];
      const message = `Browsers ignore the @import of "${written}", because other rules are before it.`;
      return [{ ...shared, message, hint: 'Move it to the beginning of the stylesheet.' }];
    }
    if (written === '' || written[0] === '#' || isElsewhere(written) || seen.has(written)) return [];
    seen.add(written);
    // Relative URLs start from the stylesheet, not from a page.
    const url = URL.parse(written, `http://site.invalid${rules.urls.base}${encodePath(path)}`);
    const target = url && loaded(resolve(url.pathname, ''));
    if (target?.kind !== 'missing') return [];
    return [
      {
        ...shared,
        message: `The file "${written}" in this stylesheet is missing from the site.`,
        hint: `Add the file ${target.wanted} or correct the URL.`,
      },
    ];
  });
}
