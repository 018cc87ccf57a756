// What the pages of an existing site need to work from disk: SVG symbols drawn in place, links of options, scripts in one file, search.
import { assetText } from '../page/asset.ts';
import type { SiteContext, SiteFixes } from '../export/export-input.ts';
import type { Edit } from '../text/edit.ts';
import { decode } from '../urls/parts.ts';
import { encodePath, relativeUrl } from '../urls/relative-url.ts';
import { openAppScripts } from './app-scripts.ts';
import type { ReadExistingPage } from './existing-page.ts';
import { optionLinkEdits } from './option-links.ts';
import type { PageApp } from './page-apps.ts';
import type { SiteFile } from './read-folder.ts';
import { createSiteScripts } from './site-scripts.ts';
import type { StaticSite } from './static-site.ts';
import { copySymbols, inlineSymbols } from './svg-symbols.ts';

export interface StaticSiteFixes extends SiteFixes {
  /** The edits of a page; `others` are its other edits, `searchLabel` is the word for search in its language if that is not English. */
  edits(read: ReadExistingPage, searchLabel: string | undefined, others: Edit[]): Edit[];
}

/** What of a site its application needs. */
export interface RunningApp {
  app: PageApp;
  pages: SiteFile[];
  /** Pages that only redirect. */
  redirects: SiteFile[];
}

export async function openSiteFixes(
  context: SiteContext,
  site: StaticSite,
  running: RunningApp | undefined,
): Promise<StaticSiteFixes> {
  const { names, resolver } = context;
  const { builtSiteScripts } = await import('../reader-build/built-site-scripts.ts');
  const built = site.search === 'off' && !running ? undefined : await builtSiteScripts();
  const scripts = createSiteScripts({ ...context, site, reading: site.search === 'off' ? undefined : built });
  const app = running && built ? openAppScripts({ ...context, ...running, site, pageApp: built.pageApp }) : undefined;
  const svgFile = svgFiles(context);
  return {
    isModule: scripts.isModule,
    isExcluded: (path) => scripts.isExcluded(path) || app?.isExcluded(path) === true,
    rewritten: app?.rewritten,
    async write() {
      await scripts.write();
      await app?.write();
    },
    edits({ page, existing }, searchLabel, others) {
      const from = encodeURI(names.page(page.path));
      const symbolOf = (url: string) => {
        const target = resolver.resolve(url, page.path);
        const svg = target.kind === 'file' ? svgFile(target.file) : undefined;
        return svg === undefined ? undefined : { svg, id: decode(target.hash.slice(1)) };
      };
      const { start, body } = existing.app;
      const symbols =
        start && body !== undefined ? copySymbols(existing.uses, body, symbolOf) : inlineSymbols(existing.uses, symbolOf);
      const added = [
        ...existing.app.edits,
        ...(app?.edit(page.path, existing.app) ?? []),
        ...symbols,
        ...optionLinkEdits(existing.optionLinks, (url) => {
          const target = resolver.resolve(url, page.path);
          return target.kind === 'page' ? relativeUrl(from, target.file) + target.query + target.hash : undefined;
        }),
      ];
      const { scripts: found, search } = existing;
      return [...added, ...scripts.edit({ ...page, searchLabel, scripts: found, search, others: [...others, ...added] })];
    },
  };
}

/** Gives the text of an SVG file by its encoded path in the export; reads each at most once. */
function svgFiles({ assets, names }: SiteContext): (file: string) => string | undefined {
  const byFile = new Map(
    assets.flatMap((asset) => (/\.svg$/i.test(asset.path) ? [[encodePath(names.asset(asset.path)), asset]] : [])),
  );
  const texts = new Map<string, string>();
  return (file) => {
    const asset = byFile.get(file);
    if (!asset) return undefined;
    let text = texts.get(file);
    if (text === undefined) texts.set(file, (text = assetText(asset)));
    return text;
  };
}
