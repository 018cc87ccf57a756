// Site → pages: each page of a docs folder through Markdown and the compiled theme.
import { createHash } from 'node:crypto';
import type { ExportAsset } from '../integration/export/export-site.ts';
import type { BuiltPage, PageSource } from '../integration/page/page-types.ts';
import type { MarkdownRenderer, RenderedMarkdown } from './markdown/render.ts';
import type { Page, NavigationContext, Site } from './site/model.ts';
import type { SourcePage } from './source/source.ts';
import { notFoundView, pageView, type PageView } from './site/page-view.ts';
import { contextDigest } from './site/navigation/contexts.ts';
import type { Theme } from './theme/load.ts';

/** A site with everything that renders its pages. */
export interface PageRenderer {
  site: Site;
  theme: Theme;
  /** All files of the site except pages: those of the folder and of the theme, and those generated from docs.json. */
  assets: ExportAsset[];
  /** Loaded when the first page is rendered. */
  renderer: () => Promise<MarkdownRenderer>;
  /** Digests of the snippets that a page can use. */
  dependencies: (page: SourcePage) => string[];
  /** The icons of a navigation context and a page, by name. */
  icons: (context: NavigationContext, pageIcon: string | undefined) => Record<string, string>;
  /** Program and version: 'carrel/0.1.0'. */
  generator: string;
  siteUrl?: string;
}

/** The pages of a site in navigation order, each rendered on demand. */
export function renderPages(options: PageRenderer): PageSource[] {
  const { site, theme } = options;
  const common = digest([
    options.generator,
    theme.digest,
    options.siteUrl ?? '',
    JSON.stringify([site.name, site.config, redirectsOf(site)]),
    // The target of a link depends on which other pages exist.
    JSON.stringify([...site.pages, ...site.excluded].map((page) => [page.source.file, page.path, page.source.frontmatter.uid])),
  ]);
  return site.pages.map((page) => ({
    path: page.path,
    file: page.source.file,
    key: pageKey(common, options, page),
    build: () => buildPage(options, page),
    lineOf: (text: string) => lineOf(page, text),
  }));
}

function redirectsOf(site: Site): string[][] {
  return site.redirectRules.map(({ source, destination }) => [source, destination]);
}

/** The theme's input for a page, with its rendered Markdown. */
export async function viewOf(options: PageRenderer, page: Page): Promise<{ view: PageView; rendered: RenderedMarkdown }> {
  const { site, theme, generator, siteUrl } = options;
  const renderer = await options.renderer();
  const rendered = await renderer.render(page.source);
  const view = await pageView(site, page, rendered, theme.reader, { generator, url: siteUrl });
  return { rendered, view: { ...view, icons: options.icons(view.context, page.icon) } };
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
  };
}

/** The whole 404 page. */
export async function notFoundHtml(options: PageRenderer): Promise<string> {
  const { site, theme, generator, siteUrl } = options;
  return theme.render(await notFoundView(site, theme.reader, { generator, url: siteUrl }));
}

function pageKey(common: string, { site, dependencies }: PageRenderer, page: Page): string {
  const { source, ...own } = page;
  const context = site.contexts.get(page.context);
  return digest([
    common,
    context ? contextDigest(context) : '',
    JSON.stringify(own),
    source.file,
    source.digest,
    ...dependencies(source),
  ]);
}

function digest(parts: string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex');
}

/** Line of the page's file that contains a text verbatim, such as a URL. */
function lineOf({ source }: Page, text: string): number | undefined {
  const at = source.body.indexOf(text);
  return at < 0 ? undefined : source.bodyLine + source.body.slice(0, at).split('\n').length;
}
