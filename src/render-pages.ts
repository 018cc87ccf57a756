// Site → pages: each page of a docs folder through Markdown and the compiled theme.
import { hash } from 'node:crypto';
import type { ExportAsset } from '../integration/export/export-site.ts';
import { cachedValue, type ExportCache } from '../integration/output/export-cache.ts';
import type { BuiltPage, PageSource } from '../integration/page/page-types.ts';
import { linkTarget, type Pages } from './markdown/links.ts';
import type { MarkdownRenderer, RenderedMarkdown } from './markdown/render.ts';
import type { Branch, NavigationContext, Page, Site } from './site/model.ts';
import type { SourcePage } from './source/source.ts';
import { labelsOf } from '../integration/search/labels/index.ts';
import type { NavigationData } from '../integration/reader/core/site-data.ts';
import { homeOf, listView, notFoundView, pageView, sidebarOf, type PageView } from './site/page-view.ts';
import { listPages, navigationEntries } from './site/navigation/branch.ts';
import { headerDigest } from './site/navigation/contexts.ts';
import { sidebarIcons } from './site/view-icons.ts';
import type { Theme } from './theme/load.ts';

/** A site with everything that renders its pages. */
export interface PageRenderer {
  site: Site;
  theme: Theme;
  /** All files of the site except pages: those of the folder and of the theme, and those generated from docs.json. */
  assets: ExportAsset[];
  /** What links refer to. */
  linkPages: () => Pages;
  /** Loaded when the first page is rendered. */
  renderer: () => Promise<MarkdownRenderer>;
  /** Digests of the snippets that a page can use. */
  dependencies: (page: SourcePage) => string[];
  /** The icons of a navigation context and a page, by name. */
  icons: (context: NavigationContext, pageIcon: string | undefined) => Record<string, string>;
  /** Program and version: 'carrel/0.1.0'. */
  generator: string;
  siteUrl?: string;
  /** Whether every page carries its whole sidebar, for a site without navigation scripts. */
  wholeSidebar?: boolean;
}

/** The pages of a site in navigation order, each rendered on demand. */
export function renderPages(options: PageRenderer): PageSource[] {
  const { site } = options;
  const common = commonDigest(options);
  return site.pages.map((page) => ({
    path: page.path,
    file: page.source.file,
    key: pageKey(common, options, page),
    hasTargets: (targets) => targets.every(([url, target]) => linkTarget(url, page.source.file, options.linkPages()) === target),
    build: () => buildPage(options, page),
    lineOf: (text: string) => lineOf(page, text),
  }));
}

function commonDigest({ generator, theme, siteUrl, site }: PageRenderer): string {
  return digest([generator, theme.digest, siteUrl ?? '', JSON.stringify([site.name, site.config])]);
}

/** The list pages of the navigation: those of every list that no page carries whole. */
export async function renderListPages(options: PageRenderer): Promise<PageSource[]> {
  const { site, theme, generator, siteUrl } = options;
  const common = commonDigest(options);
  return [...usedContexts(site)].flatMap(([key, page]) =>
    listPages(site.contexts.get(key)!, key, site.name).map((list): PageSource => ({
      path: list.path,
      key: digest([common, JSON.stringify([list, homeOf(site, page)]), headerDigest(site.contexts.get(key)!)]),
      async build() {
        const view = await listView(site, page, list, theme.reader, { generator, url: siteUrl });
        const { title } = view.page;
        const html = await theme.render({ ...view, icons: options.icons(site.contexts.get(key)!, undefined) });
        const { language, docsVersion } = page;
        return { path: list.path, html, title, language, docsVersion, searchable: false, inSitemap: false, inLlms: false };
      },
    })),
  );
}

/** The whole sidebars that pages carry a part of, by the key of their context. */
export async function navigationsOf({ site, icons }: PageRenderer): Promise<Map<string, NavigationData>> {
  const paths = new Set(site.pages.map(({ path }) => path));
  const navigations = new Map<string, NavigationData>();
  for (const [key, { language }] of usedContexts(site)) {
    const context = site.contexts.get(key)!;
    const entries = navigationEntries(context, (path) => paths.has(path));
    if (entries === undefined) continue;
    const { deprecated, opensOtherSite, allPages } = (await labelsOf(language)).theme;
    const used = sidebarIcons(context, icons(context, undefined));
    navigations.set(key, { icons: used, labels: { deprecated, opensOtherSite, allPages }, entries });
  }
  return navigations;
}

/** The contexts that have pages, each with its first page. */
function usedContexts(site: Site): Map<string, Page> {
  const used = new Map<string, Page>();
  for (const page of site.pages) if (!used.has(page.context)) used.set(page.context, page);
  return used;
}

/** Digest of what links of the site's Markdown refer to: its pages and redirects. */
export function linkRules(site: Site): string {
  return digest([
    JSON.stringify(site.redirectRules.map(({ source, destination }) => [source, destination])),
    JSON.stringify([...site.pages, ...site.excluded].map((page) => [page.source.file, page.path, page.source.frontmatter.uid])),
  ]);
}

/** The theme's input for a page, with its rendered Markdown. */
export async function viewOf(options: PageRenderer, page: Page): Promise<{ view: PageView; rendered: RenderedMarkdown }> {
  const { site, theme, generator, siteUrl, wholeSidebar } = options;
  const renderer = await options.renderer();
  const rendered = await renderer.render(page.source);
  const view = await pageView(site, page, rendered, theme.reader, { generator, url: siteUrl, wholeSidebar });
  return { rendered, view: { ...view, icons: options.icons(site.contexts.get(page.context)!, page.icon) } };
}

async function buildPage(options: PageRenderer, page: Page): Promise<BuiltPage> {
  const { view, rendered } = await viewOf(options, page);
  return {
    path: page.path,
    html: await options.theme.render(view),
    title: page.title,
    description: page.description,
    language: page.language,
    docsVersion: page.docsVersion,
    markdown: rendered.markdown,
    searchable: page.visibility.search,
    boost: page.boost,
    inSitemap: page.visibility.sitemap,
    inLlms: page.visibility.llms,
    problems: rendered.problems,
    linkTargets: rendered.linkTargets,
  };
}

/** The whole 404 page, from the cache or rendered now. */
export async function notFoundHtml(options: PageRenderer, cache?: ExportCache): Promise<string> {
  const { site, theme, generator, siteUrl } = options;
  const view = await notFoundView(site, theme.reader, { generator, url: siteUrl });
  return cachedValue(cache, 'not-found', [theme.digest, view], () => theme.render(view));
}

function pageKey(common: string, { site, dependencies, wholeSidebar }: PageRenderer, page: Page): string {
  const { source, ...own } = page;
  const context = site.contexts.get(page.context);
  return digest([
    common,
    context ? headerDigest(context) : '',
    branchDigest(sidebarOf(site, page, wholeSidebar)),
    JSON.stringify([homeOf(site, page), page.path === site.home]),
    JSON.stringify(own),
    source.file,
    source.digest,
    ...dependencies(source),
  ]);
}

const branchDigests = new WeakMap<Branch, string>();

function branchDigest(branch: Branch): string {
  let known = branchDigests.get(branch);
  if (known === undefined) branchDigests.set(branch, (known = digest([JSON.stringify(branch)])));
  return known;
}

function digest(parts: string[]): string {
  return hash('sha256', parts.join('\0'));
}

/** Line of the page's file that contains a text verbatim, such as a URL. */
function lineOf({ source }: Page, text: string): number | undefined {
  const at = source.body.indexOf(text);
  return at < 0 ? undefined : source.bodyLine + source.body.slice(0, at).split('\n').length;
}
