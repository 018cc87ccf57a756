// What the export takes of an opened docs folder.
import type { ExportCache, ExportInput } from '../../integration/export/export-site.ts';
import { themeRules } from '../../integration/export/theme-rules.ts';
import { missingPage } from '../../integration/page/read-page.ts';
import {
  linkRules,
  navigationsOf,
  notFoundHtml,
  renderListPages,
  renderPages,
  type PageRenderer,
} from '../render/render-pages.ts';
import { untranslatedPages } from '../site/languages.ts';
import { redirectFor } from '../site/redirects.ts';

interface ExportInputOptions {
  siteUrl?: string;
  /** Base path of links: the folder that the site is published in, such as '/docs'. */
  base?: string;
  groups?: readonly string[];
  cache?: ExportCache;
}

export async function exportInput(
  docs: PageRenderer,
  { siteUrl, base, groups, cache }: ExportInputOptions,
): Promise<ExportInput> {
  const { site } = docs;
  const paths = new Set([...site.pages, ...site.excluded].map((page) => page.path));
  const untranslated = untranslatedPages(site);
  return {
    name: site.name,
    description: site.config.description,
    instructions: site.config.instructions,
    pages: renderPages(docs),
    listPages: renderListPages(docs),
    navigations: await navigationsOf(docs),
    excluded: site.excluded.map((page) => page.path),
    limited: site.source.limited?.map(({ page: _, ...limited }) => limited),
    audience: groups,
    assets: docs.assets,
    redirects: site.redirects,
    rules: themeRules({
      base,
      siteUrl,
      isPartOfHost: docs.assets.some(({ path }) => /(?:^|\/)docfx\.json$/.test(path)),
      cache,
      generator: docs.generator,
    }),
    redirectOf: (path) => redirectFor(site.redirectRules, paths, `/${path}`) ?? untranslated(path),
    linkRules: linkRules(site),
    home: site.home,
    defaultLanguage: site.defaultLanguage,
    defaultDocsVersion: site.defaultDocsVersion,
    notFound: missingPage(await notFoundHtml(docs, cache), siteUrl),
    analyticsProviders: site.analyticsProviders,
    problems: site.problems,
  };
}
