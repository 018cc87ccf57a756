// Site → pages: each page of a docs folder through Markdown and the compiled theme.
import { hash } from 'node:crypto';
import type { ExportAsset } from '../../integration/export/export-site.ts';
import type { CollectedAsset } from '../../integration/page/asset.ts';
import { createProblem, type Problem } from '../../integration/diagnostics.ts';
import { cachedValue, recordIn, type ExportCache } from '../../integration/output/export-cache.ts';
import { instructionsBlock } from '../../integration/export/llms-and-sitemap.ts';
import type { BuiltPage, LinkTargets, PageSource } from '../../integration/page/page-types.ts';
import { linkTarget, type Pages, termTarget } from '../markdown/links.ts';
import type { MarkdownRenderer, RenderedMarkdown } from '../markdown/render.ts';
import type { RenderThreads } from '../markdown/render-threads.ts';
import type { RemoteFile } from '../openapi/remote-files.ts';
import type { Branch, BranchNode, NavigationContext, Page, Site } from '../site/model.ts';
import { positionOfUrl, urlBase, type SourcePage } from '../source/source.ts';
import { labelsOf } from '../../integration/texts/index.ts';
import type { NavigationData } from '../../integration/reader/core/site-data.ts';
import { homeOf, listView, notFoundView, pageView, sidebarOf, type PageView } from '../site/page-view.ts';
import { listPages, navigationEntries, type ListPage } from '../site/navigation/branch.ts';
import { pageSwitches } from '../site/counterparts.ts';
import { areaOf, headerDigest } from '../site/navigation/contexts.ts';
import { flagField } from '../site/page-facts.ts';
import { extrasOf } from '../site/extras.ts';
import { sidebarIcons } from '../site/view-icons.ts';
import type { SocialCards } from '../social-cards/social-cards.ts';
import type { Theme } from '../theme/load.ts';

/** A site with everything that renders its pages. */
export interface PageRenderer {
  site: Site;
  theme: Theme;
  /** All files of the site except pages: those of the folder and of the theme, and those generated from docs.json. */
  assets: (ExportAsset | CollectedAsset)[];
  /** What links refer to. */
  linkPages: () => Pages;
  /** Loaded when the first page is rendered. */
  renderer: () => Promise<MarkdownRenderer>;
  /** Render pages ahead; `close` closes them. */
  threads: RenderThreads;
  /** Stores rendered Markdown between runs. */
  markdownCache?: ExportCache;
  /** Whether a page shows an operation or runs components, which threads do not know. */
  needsMainThread: (page: SourcePage) => boolean;
  /** Ends the threads and processes. */
  close: () => Promise<void>;
  /** Digests of what a page depends on beside its file: snippets, operations, components that run. */
  dependencies: (page: SourcePage) => string[];
  /** The icons of a navigation context and a page, by name. */
  icons: (context: NavigationContext, pageIcon: string | undefined) => Record<string, string>;
  /** Program and version: 'carrel/0.1.0'. */
  generator: string;
  siteUrl?: string;
  cardOf: SocialCards['cardOf'];
  /** The files from external origins that the site was made from. */
  remoteFiles: RemoteFile[];
}

/** The pages of a site in navigation order, each rendered on demand. */
export function renderPages(options: PageRenderer): PageSource[] {
  const { site } = options;
  const common = commonDigest(options);
  const ahead = createAhead(options, common);
  return site.pages.map((page, index) => {
    let key: string | undefined;
    return {
      path: page.path,
      file: page.source.file,
      // A preview shows an edited page before it needs the keys of all others.
      get key() {
        return (key ??= pageKey(common, options, page));
      },
      hasTargets: (targets) => hasTargets(options, page.source, targets),
      build: async () => buildPage(options, page, await ahead(index)),
      // A page that is generated from a specification has no lines of its own.
      positionOf: (text: string) => (/\.mdx?$/i.test(page.source.file) ? positionOfUrl(page.source, text) : undefined),
    };
  });
}

function hasTargets({ linkPages, site }: PageRenderer, source: SourcePage, targets: LinkTargets): boolean {
  const targetOf = (url: string) =>
    url.startsWith(termTarget)
      ? site.source.glossary?.get(url.slice(termTarget.length))
      : linkTarget(url, urlBase(source), linkPages());
  return targets.every(([url, target]) => targetOf(url) === target);
}

// Pages one after another that are rendered before threads start: an export of few pages, or with few changed ones, takes less time without.
const pagesWithoutThreads = 64;
const pagesAhead = 8;

/**
 * A function that is called with the index of each page that is built. It gives the page's Markdown as rendered: by a thread, from the cache, or now;
 * and it has threads render the next pages. The cache has it by the page's text and links alone, so it outlives a change of the navigation, and
 * the exports for all audiences share it.
 */
function createAhead(options: PageRenderer, common: string) {
  const { site, threads, needsMainThread, dependencies, markdownCache } = options;
  const { pages } = site;
  let previous = -1;
  let inARow = 0;
  const begun = new Map<number, Promise<RenderedMarkdown | undefined>>();
  const record = recordIn<RenderedMarkdown, Pick<PageSource, 'key' | 'hasTargets'>>(markdownCache, 'markdown');

  const rendered = ({ source, language }: Page, byThread: boolean): Promise<RenderedMarkdown> => {
    const key = () => digest([common, language, source.path, source.file, source.digest, ...dependencies(source)]);
    return record(
      { key: needsMainThread(source) ? undefined : key(), hasTargets: (targets) => hasTargets(options, source, targets) },
      async () =>
        (byThread ? await threads.render(source, language) : undefined) ??
        (await (await options.renderer()).render(source, language)),
    );
  };
  const begin = (index: number): void => {
    const page = pages[index];
    if (!page || begun.has(index) || needsMainThread(page.source)) return;
    begun.set(
      index,
      // A file that has changed meanwhile is reported when its own turn comes.
      attempt(() => rendered(page, true)),
    );
  };

  return async (index: number): Promise<RenderedMarkdown> => {
    inARow = index === previous + 1 ? inARow + 1 : 1;
    previous = index;
    const ahead = begun.get(index);
    for (const known of begun.keys()) if (known <= index) begun.delete(known);
    if (inARow > pagesWithoutThreads && begun.size <= pagesAhead / 2)
      for (let next = index + 1; next <= index + pagesAhead; next++) begin(next);
    return (await ahead) ?? (await rendered(pages[index]!, false));
  };
}

async function attempt<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}

function commonDigest({ generator, theme, siteUrl, site }: PageRenderer): string {
  return digest([
    generator,
    theme.digest,
    siteUrl ?? '',
    JSON.stringify([site.name, site.config, [...(site.source.glossary?.keys() ?? [])]]),
  ]);
}

/** The list pages of the navigation: those of every list that no page carries whole. */
export function renderListPages(options: PageRenderer): PageSource[] {
  const { site, theme } = options;
  const common = commonDigest(options);
  return listsOf(site).map(({ page, list }): PageSource => ({
    path: list.path,
    key: digest([common, JSON.stringify([list, homeOf(site, page)]), headerDigest(site.contexts.get(page.context)!)]),
    async build() {
      const view = await listViewOf(options, { page, list });
      const html = await theme.render(view);
      const { title, language, docsVersion } = view.page;
      return { path: list.path, html, title, language, docsVersion, searchable: false, inSitemap: false, inLlms: false };
    },
  }));
}

interface List {
  list: ListPage;
  /** A page of the same context. */
  page: Page;
}

/** The list pages of all contexts. */
export function listsOf(site: Site): List[] {
  return [...usedContexts(site)].flatMap(([key, page]) =>
    listPages(site.contexts.get(key)!, key, site.name).map((list) => ({ list, page })),
  );
}

/** The theme's input for a list page. */
export async function listViewOf(
  { site, theme, generator, siteUrl, icons }: PageRenderer,
  { list, page }: List,
): Promise<PageView> {
  const view = await listView(site, page, list, theme.reader, { generator, url: siteUrl });
  return { ...view, icons: icons(site.contexts.get(page.context)!, undefined) };
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

/** Digest of what links and terms of the site's Markdown refer to: its pages, redirects and glossary. */
export function linkRules(site: Site): string {
  return digest([
    JSON.stringify([...(site.source.glossary ?? [])]),
    JSON.stringify(site.redirectRules.map(({ source, destination }) => [source, destination])),
    JSON.stringify([...site.pages, ...site.excluded].map((page) => [page.source.file, page.path, page.source.frontmatter.uid])),
  ]);
}

/** The theme's input for a page, with its rendered Markdown. */
export async function viewOf(
  options: PageRenderer,
  page: Page,
  known?: RenderedMarkdown,
): Promise<{ view: PageView; rendered: RenderedMarkdown }> {
  const { site, theme, generator, siteUrl } = options;
  const rendered = known ?? (await (await options.renderer()).render(page.source, page.language));
  const view = await pageView(site, page, rendered, theme.reader, { generator, url: siteUrl });
  const { instructions } = site.config;
  if (instructions !== undefined) rendered.markdown = `${rendered.markdown}\n\n${instructionsBlock(instructions)}`.trim();
  const socialCard = options.cardOf(page);
  const icons = options.icons(site.contexts.get(page.context)!, page.icon);
  const context = { ...view.context, ...pageSwitches(site, page) };
  return { rendered, view: { ...view, page: { ...view.page, socialCard }, context, icons } };
}

async function buildPage(options: PageRenderer, page: Page, markdown: RenderedMarkdown): Promise<BuiltPage> {
  const { view, rendered } = await viewOf(options, page, markdown);
  return {
    path: page.path,
    html: await options.theme.render(view),
    title: page.title,
    description: page.description,
    language: page.language,
    docsVersion: page.docsVersion,
    markdown: rendered.markdown,
    ...(view.page.menu?.copiesMarkdown && { copiesMarkdown: true }),
    searchable: page.visibility.search,
    tag: page.tag,
    trail: page.trail.map(({ title }) => title).join(' › ') || undefined,
    area: areaOf(view.context),
    boost: page.boost,
    lastUpdated: page.lastUpdated,
    inSitemap: page.visibility.sitemap,
    inLlms: page.visibility.llms,
    extras: [...extrasOf(rendered), ...(view.page.socialCard ? [view.page.socialCard.path] : [])],
    ...(rendered.updates.length > 0 && { updates: rendered.updates }),
    problems: [...rendered.problems, ...feedProblems(page, rendered, options.siteUrl)],
    linkTargets: rendered.linkTargets,
  };
}

/** A feed has absolute URLs alone. */
function feedProblems({ source }: Page, { updates }: RenderedMarkdown, siteUrl: string | undefined): Problem[] {
  if (siteUrl !== undefined || updates.length === 0 || !flagField(source.frontmatter.rss)) return [];
  const message = 'The page asks for a feed ("rss: true"), which needs the URL of the site: the export has none.';
  return [createProblem({ kind: 'feed-without-site', page: source.file, message, hint: 'Export with --site URL.' })];
}

/** The whole 404 page, from the cache or rendered now. */
export async function notFoundHtml(options: PageRenderer, cache?: ExportCache): Promise<string> {
  const { site, theme, generator, siteUrl } = options;
  const home = site.pages.find((page) => page.path === site.home) ?? site.pages[0]!;
  const icons = options.icons(site.contexts.get(home.context)!, undefined);
  const view = { ...(await notFoundView(site, home, theme.reader, { generator, url: siteUrl })), icons };
  return cachedValue(cache, 'not-found', [theme.digest, view], () => theme.render(view));
}

function pageKey(common: string, { site, dependencies, cardOf }: PageRenderer, page: Page): string {
  const { source, ...own } = page;
  const context = site.contexts.get(page.context);
  return digest([
    common,
    context ? headerDigest(context) : '',
    remembered(sidebarOf(site, page), ({ nodes, ...own }) => digest([JSON.stringify(own), ...nodes.map(entryDigest)])),
    JSON.stringify([homeOf(site, page), page.path === site.home, context && pageSwitches(site, page)]),
    JSON.stringify(own),
    source.file,
    source.digest,
    cardOf(page)?.path ?? '',
    ...dependencies(source),
  ]);
}

// Pages carry windows of the same lists, so most entries are in dozens of branches.
const branchDigests = new WeakMap<Branch | BranchNode, string>();

function entryDigest(node: BranchNode): string {
  if (!('children' in node)) return remembered(node, (entry) => digest([JSON.stringify(entry)]));
  const { children, ...own } = node;
  return digest([JSON.stringify(own), ...children.map(entryDigest)]);
}

function remembered<Node extends Branch | BranchNode>(node: Node, make: (node: Node) => string): string {
  let known = branchDigests.get(node);
  if (known === undefined) branchDigests.set(node, (known = make(node)));
  return known;
}

function digest(parts: string[]): string {
  return hash('sha256', parts.join('\0'));
}
