import { isMissingPage, withRootFinder } from './not-found-page.ts';
import type { BuiltPage, PageSource } from './page-types.ts';
import { variantOf, type VariantRules } from './page-variant.ts';
import { withoutEnding } from './page-title.ts';
import { attribute, readHtml, type HtmlReader } from '../html/read-html.ts';
import { refreshUrl } from '../html/references.ts';

export interface StaticPageOptions {
  variants: VariantRules;
  /** What the site adds to the title of each page. */
  titleEnding: string;
  /** Whether search finds only pages that mark what Pagefind should index. */
  onlyMarked: boolean;
}

/**
 * A built page of another theme, as the export takes it. What HTML has no element for, a page can say in `<meta>`
 * elements: `carrel:title` (without the site's name), `carrel:site-description`, `carrel:docs-version`, `carrel:tag`, `carrel:trail`, `carrel:area`, `carrel:boost`, and
 * `carrel:searchable`, `carrel:sitemap`, `carrel:llms` with the content `false`; so can `carrel:description`, where the description only
 * repeats the text. Its Markdown is made from its content, once that is read.
 */
export function readStaticPage(path: string, html: string, head: PageHead, options: StaticPageOptions): BuiltPage {
  const page = pageOf(path, html, head);
  const isShown = !isMissingPage(path);
  const said = { language: head.language, docsVersion: head.metas.get('carrel:docs-version') };
  return {
    ...page,
    ...variantOf(path, said, options.variants),
    title: head.metas.get('carrel:title') ?? withoutEnding(page.title, options.titleEnding),
    searchable: page.searchable && isShown && (!options.onlyMarked || html.includes('data-pagefind-body')),
    inSitemap: page.inSitemap && isShown,
    inLlms: page.inLlms && isShown,
  };
}

/** The 404 page of our theme, which names its language. */
export function missingPage(rendered: string, siteUrl: string | undefined): PageSource {
  const html = withRootFinder(rendered, undefined, siteUrl === undefined ? '/' : new URL(siteUrl).pathname.replace(/\/*$/, '/'));
  const head = readHead(html);
  return { path: '404.html', build: async () => ({ ...pageOf('404', html, head), language: head.language ?? 'en' }) };
}

/** What both kinds of pages have in common. */
export function pageOf(path: string, html: string, head: PageHead): Omit<BuiltPage, 'language'> {
  const meta = (name: string): string | undefined => head.metas.get(name);
  const noindex = /\bnoindex\b/i.test(meta('robots') ?? '');
  const boost = Number(meta('carrel:boost'));
  return {
    path,
    html,
    title: meta('carrel:title') ?? (head.title.trim() || firstHeading(html) || path || 'Home'),
    description: meta('carrel:description') === 'false' ? undefined : meta('description'),
    searchable: meta('carrel:searchable') !== 'false',
    tag: meta('carrel:tag'),
    trail: meta('carrel:trail'),
    area: meta('carrel:area'),
    boost: boost > 0 ? boost : undefined,
    lastUpdated: isoDate.exec(meta('article:modified_time') ?? '')?.[0],
    inSitemap: !noindex && meta('carrel:sitemap') !== 'false',
    inLlms: !noindex && meta('carrel:llms') !== 'false',
  };
}

// The format of a sitemap's dates: https://www.w3.org/TR/NOTE-datetime
const isoDate = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** Names a page without a title. */
function firstHeading(html: string): string {
  const start = html.search(/<h1[\s>]/i);
  if (start < 0) return '';
  let text = '';
  let isOpen = true;
  readHtml(html.slice(start), {
    open() {},
    close: (name) => void (isOpen &&= name !== 'h1'),
    text: (piece) => void (isOpen && (text += piece)),
  });
  return text.replace(/\s+/g, ' ').trim();
}

/** What the head of a page says about it. */
export interface PageHead {
  language?: string;
  title: string;
  /** By name or property, in lower case. */
  metas: Map<string, string>;
  /** Where it redirects. */
  refresh?: string;
  /** Its canonical URL. */
  canonical?: string;
  /** Its URL for readers of any other language. */
  forAnyLanguage?: string;
}

/** Reads a page up to its body. */
export function readHead(html: string): PageHead {
  const reader = headReader(html);
  readHtml(html.slice(0, reader.end), reader);
  return reader.head();
}

/** Reads the head of a page, which ends at `end`, as its tags come. */
export function headReader(html: string): HtmlReader & { end: number; head(): PageHead } {
  const metas = new Map<string, string>();
  let language: string | undefined;
  let refresh: string | undefined;
  let canonical: string | undefined;
  let forAnyLanguage: string | undefined;
  let title = '';
  let inTitle = false;
  let inHead = true;
  const headEnd = html.search(/<\/head\s*>/i);
  const bodyStart = headEnd < 0 ? html.search(/<body[\s>]/i) : headEnd;
  const end = bodyStart < 0 ? html.length : bodyStart;
  return {
    end,
    open(tag) {
      if (tag.end > end) return;
      if (tag.name === 'html') language = attribute(tag, 'lang') || undefined;
      else if (tag.name === 'body') inHead = false;
      else if (tag.name === 'title' && inHead && title === '') inTitle = true;
      else if (tag.name === 'link' && attribute(tag, 'rel')?.toLowerCase() === 'canonical') canonical ??= attribute(tag, 'href');
      else if (tag.name === 'link' && attribute(tag, 'hreflang')?.toLowerCase() === 'x-default')
        forAnyLanguage ??= attribute(tag, 'href');
      else if (tag.name === 'meta' && inHead) {
        const name = (attribute(tag, 'name') ?? attribute(tag, 'property'))?.toLowerCase();
        if (name && !metas.has(name)) metas.set(name, attribute(tag, 'content') ?? '');
        if (attribute(tag, 'http-equiv')?.toLowerCase() === 'refresh')
          refresh ??= refreshUrl(attribute(tag, 'content') ?? '')?.url;
      }
    },
    close(name) {
      if (name === 'title') inTitle = false;
    },
    text(text, start) {
      if (inTitle && start < end) title += text.slice(0, end - start);
    },
    head: () => ({ language, title, metas, refresh, canonical, forAnyLanguage }),
  };
}
