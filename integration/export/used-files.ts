// The files that the pages of a site use. A file may belong to pages alone that the readers may not see, or to the project around a docs folder:
// an export contains such files only if one of its pages uses them.
import { cssUrls } from '../html/css.ts';
import { isExternal } from '../urls/external-url.ts';
import { createProblem, type Problem } from '../diagnostics.ts';
import { assetText, isCollected, isOnlyIfUsed, type CollectedAsset, type ExportAsset } from '../page/asset.ts';
import type { PageLink, WrittenPage } from '../page/page-types.ts';
import type { NavigationData } from '../reader/core/site-data.ts';
import { encodePath } from '../urls/relative-url.ts';
import { loaded, type Resolver } from '../urls/resolver.ts';
import type { Target } from '../urls/site-paths.ts';
import type { ExportInput } from './export-input.ts';
import type { SiteUrls } from './site-urls.ts';

type Asset = ExportAsset | CollectedAsset;

/** The files that the resolved URLs of a page lead to: encoded paths in the export. */
export function filesOf(resolved: readonly { link: PageLink; target: Target }[]): string[] {
  return [...new Set(resolved.flatMap(({ target }) => (target.kind === 'file' ? target.file : [])))];
}

/** Whether the files of an export depend on what its pages use. */
export function countsFiles({ assets, limited }: Pick<ExportInput, 'assets' | 'limited'>): boolean {
  return limited !== undefined || assets.some(isOnlyIfUsed);
}

/** The assets that pages and the navigation use, with those that their stylesheets load. Each other file of the docs folder is reported. */
export function usedAssets(
  site: Pick<ExportInput, 'assets' | 'limited' | 'navigations'>,
  pages: readonly WrittenPage[],
  { names, resolver }: Pick<SiteUrls, 'names' | 'resolver'>,
): { assets: Asset[]; problems: Problem[] } {
  if (!countsFiles(site)) return { assets: site.assets, problems: [] };
  const byFile = new Map(site.assets.map((asset) => [encodePath(names.asset(asset.path)), asset]));
  const used = new Set<Asset>(
    site.assets.filter((asset) => (site.limited ? asset.path.startsWith('_carrel/') : !isOnlyIfUsed(asset))),
  );
  const use = (file: string): void => {
    const asset = byFile.get(file);
    if (asset === undefined || used.has(asset)) return;
    used.add(asset);
    if (/\.css$/i.test(asset.path) && !isCollected(asset)) for (const inside of filesOfStylesheet(asset, resolver)) use(inside);
  };
  for (const { facts } of pages) for (const file of facts.files ?? []) use(file);
  for (const { icons, entries } of site.navigations?.values() ?? [])
    for (const file of iconFiles(entries, icons, resolver)) use(file);
  const problems = site.assets.flatMap((asset): Problem[] => {
    if (used.has(asset) || isOnlyIfUsed(asset)) return [];
    const { path } = asset;
    return [
      createProblem({
        kind: 'file-without-use',
        page: path,
        message: `${path} is left out: no page of this export loads it or links to it, and pages that its readers may not see may use it.`,
        hint: 'Nothing, unless readers should get the file: then link to it from a page that they see.',
      }),
    ];
  });
  return { assets: site.assets.filter((asset) => used.has(asset)), problems };
}

function filesOfStylesheet(asset: ExportAsset, { resolve }: Pick<Resolver, 'resolve'>): string[] {
  return cssUrls(assetText(asset)).flatMap(({ url }) => {
    const target = isExternal(url) ? undefined : URL.parse(url, `http://site.invalid/${encodePath(asset.path)}`);
    return target ? loaded(resolve(target.pathname, '')).file : [];
  });
}

function iconFiles(entries: NavigationData['entries'], icons: NavigationData['icons'], resolver: Resolver): string[] {
  return entries.flatMap((entry): string[] => {
    if (Array.isArray(entry)) return [];
    const own = entry.icon?.startsWith('/') && !Object.hasOwn(icons, entry.icon) ? [resolver.resolve(entry.icon, '').file] : [];
    return 'entries' in entry ? [...own, ...iconFiles(entry.entries, icons, resolver)] : own;
  });
}
