import { posix } from 'node:path';
import { objectOf } from '../../integration/text/json.ts';
import { writtenEndpoint } from '../openapi/named-specifications.ts';
import { headingIds } from '../markdown/headings.ts';
import { safeUrl } from '../../integration/urls/safe-url.ts';
import { withBody, type SourcePage } from '../source/source.ts';

/** What a page's file says about the page, before it has a navigation context. */
export interface PageFacts {
  path: string;
  title: string;
  /** Anchors of the title. */
  anchors: string[];
  sidebarTitle?: string;
  description?: string;
  icon?: string;
  tag?: string;
  deprecated: boolean;
  keywords: string[];
  mode: 'default' | 'wide' | 'custom' | 'frame' | 'center';
  boost?: number;
  hidden?: boolean;
  noindex: boolean;
  searchable?: boolean;
  /** URL that its navigation entry links to instead of the page. */
  url?: string;
  hidesFooterPagination: boolean;
  source: SourcePage;
}

const modes = ['wide', 'custom', 'frame', 'center'] as const;

export function pageFacts(page: SourcePage): PageFacts {
  const { frontmatter } = page;
  const sidebar = objectOf(frontmatter.sidebar);
  const mode = modes.find((known) => known === frontmatter.mode) ?? 'default';
  const titled = pageTitle(page);
  // In these modes the theme does not show a title, so the page keeps its own heading.
  const { title, source, anchors } = mode === 'custom' || mode === 'frame' ? { ...titled, source: page, anchors: [] } : titled;
  const boost = numberField(frontmatter.boost);
  return {
    path: page.path,
    title,
    anchors,
    sidebarTitle: textField(frontmatter.sidebarTitle) ?? textField(sidebar.label) ?? textField(frontmatter.sidebar_label),
    description: textField(frontmatter.description),
    icon: textField(frontmatter.icon),
    tag:
      textField(frontmatter.tag) ?? textField(sidebar.badge) ?? textField(objectOf(sidebar.badge).text) ?? methodTag(frontmatter),
    deprecated: frontmatter.deprecated === undefined ? false : flagField(frontmatter.deprecated) !== false,
    keywords: textsField(frontmatter.keywords),
    mode,
    boost: boost !== undefined && boost > 0 ? boost : undefined,
    hidden: flagField(frontmatter.hidden) ?? flagField(sidebar.hidden),
    noindex: flagField(frontmatter.noindex) === true || /\bnoindex\b/i.test(textField(frontmatter.robots) ?? ''),
    searchable: flagField(frontmatter.searchable),
    url: linkField(frontmatter.url),
    hidesFooterPagination: flagField(frontmatter.hideFooterPagination) === true,
    source,
  };
}

/** The method of an operation that the page describes. */
function methodTag(frontmatter: SourcePage['frontmatter']): string | undefined {
  return flagField(frontmatter.hideApiMarker) ? undefined : writtenEndpoint(frontmatter)?.method;
}

/** The URL that a page links to: an absolute one, or one from the root of the site. */
function linkField(value: unknown): string | undefined {
  const url = safeUrl(textField(value) ?? '');
  return url && /^(?:\/|[a-z][a-z0-9+.-]*:)/i.test(url) ? url : undefined;
}

interface PageTitle {
  title: string;
  /** The page without the title heading in its body, because the theme shows the title. Line numbers stay the same. */
  source: SourcePage;
  /** Anchors of the title and of that heading, which links may use. */
  anchors: string[];
}

/**
 * A page's title: from the frontmatter, or else its first level-1 heading, or else its file name in words. Beside a title in the frontmatter,
 * an HTML heading that does not come first belongs to the page's own design and stays.
 */
export function pageTitle(page: SourcePage): PageTitle {
  const own = textField(page.frontmatter.title);
  const ownAnchors = own === undefined ? [] : headingIds(own);
  const { heading } = page;
  const repeats = heading && own !== undefined && sameWords(own, heading.text) && (heading.isMarkdown || heading.isFirst);
  if (heading && (own === undefined || repeats)) {
    const { text, id, kept, start, end, lines } = heading;
    return {
      title: own ?? text,
      source: withBody(page, (body) => body.slice(0, start) + kept + '\n'.repeat(lines) + body.slice(end)),
      anchors: [...new Set([...(id ? [id] : []), ...headingIds(text), ...ownAnchors])],
    };
  }
  return { title: own ?? humanize(posix.basename(page.path)), source: page, anchors: ownAnchors };
}

/**
 * The pages, each with the heading that is its title. A heading in HTML that most pages have names the product, so the next one is the
 * title.
 */
export function withOwnHeadings(pages: SourcePage[]): SourcePage[] {
  const counts = new Map<string, number>();
  for (const { heading } of pages) if (heading?.next) counts.set(heading.text, (counts.get(heading.text) ?? 0) + 1);
  return pages.map((page) => {
    const { text = '', next } = page.heading ?? {};
    const isShared = counts.get(text)! > Math.max(1, pages.length / 2);
    if (!next || !isShared) return page;
    // With a digest of its own, since what is cached for the page shows the other title.
    return Object.assign(
      withBody(page, (body) => body),
      { heading: next, digest: `${page.digest} ${next.start}` },
    );
  });
}

/** '01-getting-started' → 'Getting started' */
export function humanize(name: string): string {
  const words = withoutNumber(name).replace(/[-_]+/g, ' ').trim();
  return words ? words.charAt(0).toUpperCase() + words.slice(1) : 'Home';
}

/** '01-intro' → 'intro'; a name that is only a number stays. */
function withoutNumber(name: string): string {
  return name.replace(/^\d{1,4}[-_. ]+(?=.)/, '');
}

function sameWords(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}

/** Frontmatter can contain anything: these functions return a value of the expected type, or undefined. */

export function textField(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return undefined;
  return value.trim() || undefined;
}

export function flagField(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  return value === 'true' ? true : value === 'false' ? false : undefined;
}

export function numberField(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function textsField(value: unknown): string[] {
  if (typeof value === 'string')
    return value
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean);
  return Array.isArray(value) ? value.map(textField).filter((one) => one !== undefined) : [];
}
