import { feedFile } from '../../integration/export/feed.ts';
import { labelsOf, type Labels } from '../../integration/texts/index.ts';
import type { Heading } from '../markdown/headings.ts';
import type { RenderedMarkdown } from '../markdown/render.ts';
import { firstParagraph } from '../../integration/page/page-record.ts';
import { escapeHtml } from '../../integration/text/escape.ts';
import { extraScripts, extraStyles } from './extras.ts';
import { direction } from './languages.ts';
import type { Branch, NavigationContext, Page, PageLink, Site, SiteConfig } from './model.ts';
import { branchOf, type ListPage } from './navigation/branch.ts';
import { flagField, textField } from './page-facts.ts';
import { pageMenu, type PageMenu } from './page-menu.ts';
import { pageHref } from './page-paths.ts';
import { inlineHtml, inlineText } from './site-config.ts';
import { generatedFile } from '../openapi/described.ts';
import { editUrl, issueUrl } from '../source/repository.ts';
import type { SourcePage } from '../source/source.ts';

/**
 * The theme's input for one page. Every URL is root-relative or external; the export makes them relative.
 * Components only render it and do not compute anything.
 */
export interface PageView {
  site: {
    name: string;
    config: SiteConfig;
    /** Root-relative URL of the home page of the page's language and version. */
    home: string;
    /** Content of `<meta name="generator">`. */
    generator: string;
    /** Root-relative URLs of the reader's scripts and styles. */
    reader: Reader;
    /** Absolute URL of the published site, if known (for canonical links). */
    url?: string;
  };
  page: Omit<Page, 'mode' | 'context' | 'visibility' | 'source'> & {
    /** `not-found` is the page for every missing URL. */
    mode: Page['mode'] | 'not-found';
    dir: 'ltr' | 'rtl';
    /** Safe HTML of the description; `description` is its text. */
    descriptionHtml?: string;
    /** Safe HTML of the content. */
    html: string;
    headings: Heading[];
    noindex: boolean;
    searchable: boolean;
    /** Its first paragraph as plain text, if it has no description. */
    lead?: string;
    /** Root-relative URLs of further stylesheets. */
    styles: string[];
    /** Root-relative URLs of further scripts, which run before the reader's. */
    scripts: string[];
    /** Whether this page is at `/`. */
    isHome: boolean;
    inSitemap: boolean;
    inLlms: boolean;
    metatags: Record<string, string>;
    /** Canonical URL for search engines, if the page sets one. */
    canonical?: string;
    socialCard?: SocialCard;
    menu?: PageMenu;
    /** Root-relative URL of the Markdown version; a page that Carrel generates has none. */
    markdownHref?: string;
    /** Absolute URL of the page's feed, if it has one. */
    feed?: string;
    /** Whether readers see the link to the feed. */
    showsFeed: boolean;
    /** Tags of the page's updates, each once. */
    updateTags: string[];
    /** `lastUpdated` in the page's language. */
    lastUpdatedText?: string;
    /** Page of its repository's host that edits its file. */
    editHref?: string;
    /** Page of its repository's host that opens an issue. */
    issueHref?: string;
  };
  context: Omit<NavigationContext, 'sidebar'>;
  sidebar: Branch;
  labels: ThemeLabels;
  /** Safe `<svg>` of every icon in `context`, `sidebar`, `page` and `site.config`; social networks by key. */
  icons?: Record<string, string>;
}

/** The image of a page for links in social networks. */
export interface SocialCard {
  /** Its path in the export, and its URL on the published site. */
  path: string;
  url: string;
  alt: string;
  width: number;
  height: number;
}

/** The theme's client files, named by content hash. */
export interface Reader {
  style: string;
  /** Those of components that only some pages have: blocks such as cards and steps, fields of an API, and parts such as badges and trees. */
  partStyles: Record<'blocks' | 'fields' | 'long' | 'parts', string>;
  /** Blocking: sets dark mode before the first paint. */
  earlyScript: string;
  /** Deferred: custom elements. */
  script: string;
  /** Deferred, on pages with tabs, code groups or views. */
  notFoundScript: string;
  tabsScript: string;
  /** Deferred, on pages with islands: what their scripts need. */
  islandsScript: string;
}

/** The theme's labels in the page's language. */
export type ThemeLabels = Labels['theme'] & Record<'search' | 'close' | 'copied' | 'tags' | 'nearest', string>;

/** Books have one language and one version. */
function downloadsOn(
  { config, defaultLanguage, defaultDocsVersion }: Site,
  { language, docsVersion = defaultDocsVersion }: Page,
) {
  const isDefault = language === defaultLanguage && docsVersion === defaultDocsVersion;
  return config.downloads.filter((format) => isDefault || format === 'zip');
}

interface PageViewOptions {
  /** Program and version: 'carrel/0.1.0'. */
  generator: string;
  /** URL of the published site. */
  url?: string;
}

/** The theme's input for a page with its rendered Markdown. */
export async function pageView(
  site: Site,
  page: Page,
  rendered: RenderedMarkdown,
  reader: Reader,
  { generator, url }: PageViewOptions,
): Promise<PageView> {
  const { source, context: key, visibility, ...own } = page;
  const { frontmatter } = source;
  const { theme, search, dialogs, ask, reference, quotes } = await labelsOf(page.language);
  const { sidebar: _, ...context } = site.contexts.get(key)!;
  return {
    site: {
      name: site.name,
      config: { ...configIn(site.config, page.language), downloads: downloadsOn(site, page) },
      home: pageHref(homeOf(site, page)),
      generator,
      reader,
      url,
    },
    page: {
      ...own,
      ...descriptionOf(page),
      anchors: freeAnchors(page.anchors, rendered),
      trail: page.trail.map(({ title, href }) => (href === pageHref(page.path) ? { title } : { title, href })),
      dir: direction(page.language),
      html: rendered.html,
      headings: rendered.headings,
      lead: page.description === undefined ? firstParagraph(rendered.markdown) : undefined,
      styles: extraStyles(rendered),
      scripts: extraScripts(rendered, reader),
      noindex: visibility.noindex,
      searchable: visibility.search,
      isHome: page.path === site.home,
      inSitemap: visibility.sitemap,
      inLlms: visibility.llms,
      metatags: ownMetatags(frontmatter),
      menu: frontmatter.contextual === undefined ? site.config.pageMenu : pageMenu(frontmatter.contextual, site.isOffline),
      ...feedOf(page, rendered, url),
      canonical: webUrl(textField(frontmatter.canonical)),
      markdownHref: `${pageHref(page.path || 'index')}.md`,
      lastUpdatedText: page.lastUpdated && dateText(page.lastUpdated, page.language),
      ...repositoryLinks(site, page, url),
    },
    context,
    sidebar: sidebarOf(site, page),
    labels: {
      ...theme,
      search: search.search,
      close: dialogs.close,
      copied: ask.askCopied,
      tags: reference.tags,
      nearest: quotes.answerNearest,
    },
  };
}

function configIn({ byLanguage, ...config }: SiteConfig, language: string): SiteConfig {
  return { ...config, ...byLanguage?.[language] };
}

/** What a page carries of its sidebar. */
export function sidebarOf(site: Site, page: Page): Branch {
  return branchOf(site.contexts.get(page.context)!, page.context, site.name, page.path);
}

/** A description is a line of Markdown. Components in it are their content, as they are blocks. */
export function descriptionOf({ description }: Page): Pick<PageView['page'], 'description' | 'descriptionHtml'> {
  if (description === undefined) return {};
  const line = description.replace(/<([A-Z]\w*)>([^<]*)<\/\1>/g, '$2');
  return { description: inlineText(line), descriptionHtml: inlineHtml(line) };
}

/** Anchors that are not ids of anything else on the page. */
function freeAnchors(anchors: string[], { html, headings }: RenderedMarkdown): string[] {
  const taken = new Set(headings.map(({ id }) => id));
  return anchors.filter((id) => !taken.has(id) && !html.includes(`id="${id.replaceAll('&', '&#x26;')}"`));
}

const homes = new WeakMap<Site, Map<string, string>>();

/** Path of the home page of a page's language and version; without a version, of the default version or else of the language. */
export function homeOf(site: Site, page: Page): string {
  let known = homes.get(site);
  if (!known) {
    known = new Map([[context(site.defaultLanguage, site.defaultDocsVersion), site.home]]);
    for (const { path, language, docsVersion } of site.pages) {
      for (const key of [context(language, docsVersion), language]) if (!known.has(key)) known.set(key, path);
    }
    homes.set(site, known);
  }
  return known.get(context(page.language, page.docsVersion ?? site.defaultDocsVersion)) ?? known.get(page.language) ?? site.home;
}

function context(language: string, docsVersion: string | undefined): string {
  return `${language}\n${docsVersion ?? ''}`;
}

/** `og:…`, `twitter:…`, `article:…` and `robots` of the frontmatter. */
function ownMetatags(frontmatter: Record<string, unknown>): Record<string, string> {
  const own: Record<string, string> = {};
  for (const [name, value] of Object.entries(frontmatter)) {
    const text = textField(value);
    if (text && /^(?:og:|twitter:|article:|robots$)/.test(name)) own[name] = text;
  }
  return own;
}

function feedOf(
  { path, source }: Page,
  { updates }: RenderedMarkdown,
  url: string | undefined,
): Pick<PageView['page'], 'feed' | 'showsFeed' | 'updateTags'> {
  const hasFeed = updates.length > 0 && url !== undefined;
  const feed = hasFeed ? new URL(feedFile(path && `${path}/`), url.replace(/\/?$/, '/')).href : undefined;
  const updateTags = [...new Set(updates.flatMap(({ tags }) => tags))];
  return { feed, showsFeed: flagField(source.frontmatter.rss) ?? false, updateTags };
}

function webUrl(text: string | undefined): string | undefined {
  return text && /^https?:\/\//i.test(text) ? text : undefined;
}

function dateText(date: string, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date));
}

/** The file of the docs folder that a page's text is in; of a generated page, its specification. */
function writtenFile({ file, described }: SourcePage): string | undefined {
  if (!described || file !== generatedFile(described)) return file;
  return /^https?:/i.test(described.specification) ? undefined : described.specification;
}

function repositoryLinks(
  { config: { repository } }: Site,
  { path, title, source }: Page,
  siteUrl: string | undefined,
): Pick<PageView['page'], 'editHref' | 'issueHref'> {
  if (!repository) return {};
  const address = siteUrl === undefined ? pageHref(path) : new URL(path, siteUrl.replace(/\/?$/, '/')).href;
  const file = writtenFile(source);
  return {
    editHref: repository.edit && file !== undefined ? editUrl(repository, file) : undefined,
    issueHref: repository.issue ? issueUrl(repository, title, `${address}\n\n`) : undefined,
  };
}

const noContent: RenderedMarkdown = {
  html: '',
  headings: [],
  utilities: [],
  islands: [],
  updates: [],
  markdown: '',
  problems: [],
  degraded: false,
  linkTargets: [],
};

/** The page for every missing URL. */
export async function notFoundView(site: Site, home: Page, reader: Reader, options: PageViewOptions): Promise<PageView> {
  const view = await pageView(site, home, noContent, reader, options);
  return {
    ...view,
    // It has no URL of its own.
    site: { ...view.site, url: undefined, reader: { ...reader, script: reader.notFoundScript } },
    context: { ...view.context, tabs: view.context.tabs.map((tab) => ({ ...tab, active: false })) },
    page: {
      ...view.page,
      path: '404',
      title: site.config.notFound.title ?? view.labels.notFoundTitle,
      description: undefined,
      lead: undefined,
      socialCard: undefined,
      mode: 'not-found',
      noindex: true,
      searchable: false,
      isHome: false,
      metatags: {},
      markdownHref: undefined,
    },
  };
}

/** The theme's input for a list page of the navigation; `page` is any page of the same context. */
export async function listView(
  site: Site,
  page: Page,
  list: ListPage,
  reader: Reader,
  options: PageViewOptions,
): Promise<PageView> {
  const { path, group, trail, entries, number, count, near } = list;
  const view = await pageView(site, page, noContent, reader, options);
  const title = view.labels.allPages.replace('{name}', () => group);
  const link = (other: number): PageLink | undefined => {
    const found = near.find((page) => page.number === other);
    return found && { title: `${title} (${other} / ${count})`, href: pageHref(found.path) };
  };
  const items = entries.map((entry) => `<li><a href="${escapeHtml(entry.href)}">${escapeHtml(entry.title)}</a></li>`);
  const others = near.map((other) =>
    other.number === number
      ? `<span aria-current="page">${number}</span>`
      : `<a href="${escapeHtml(pageHref(other.path))}">${other.number}</a>`,
  );
  return {
    ...view,
    sidebar: list.branch,
    page: {
      path,
      title: count > 1 ? `${title} (${number} / ${count})` : title,
      anchors: [],
      language: view.page.language,
      dir: view.page.dir,
      docsVersion: view.page.docsVersion,
      mode: 'wide',
      deprecated: false,
      html:
        `<ul class="c-page-list">${items.join('')}</ul>` +
        (others.length > 1 ? `<p class="c-page-numbers">${others.join(' ')}</p>` : ''),
      headings: [],
      styles: [],
      scripts: [],
      trail,
      noindex: true,
      searchable: false,
      isHome: false,
      inSitemap: false,
      inLlms: false,
      keywords: [],
      related: [],
      metatags: {},
      showsFeed: false,
      updateTags: [],
      previous: link(number - 1),
      next: link(number + 1),
    },
  };
}
