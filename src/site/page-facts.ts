import type { SourcePage } from '../source/source.ts';
import { flagField, numberField, objectField, textField, textsField } from './frontmatter-fields.ts';
import { pageTitle } from './page-title.ts';

/** What a page's file says about the page, before it has a navigation context. */
export interface PageFacts {
  path: string;
  title: string;
  /** Anchors of the heading that serves as title. */
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
  /** Groups of readers that may see the page; empty when it is public. */
  groups: string[];
  /** URL that its navigation entry links to instead of the page. */
  url?: string;
  hidesFooterPagination: boolean;
  source: SourcePage;
}

const modes = ['wide', 'custom', 'frame', 'center'] as const;

export function pageFacts(page: SourcePage): PageFacts {
  const { frontmatter } = page;
  const sidebar = objectField(frontmatter.sidebar);
  const mode = modes.find((known) => known === frontmatter.mode) ?? 'default';
  const titled = pageTitle(page);
  // In these modes the theme does not show a title, so the page keeps its own heading.
  const { title, body, anchors } = mode === 'custom' || mode === 'frame' ? { ...titled, body: page.body, anchors: [] } : titled;
  const boost = numberField(frontmatter.boost);
  return {
    path: page.path,
    title,
    anchors,
    sidebarTitle: textField(frontmatter.sidebarTitle) ?? textField(sidebar.label) ?? textField(frontmatter.sidebar_label),
    description: textField(frontmatter.description),
    icon: textField(frontmatter.icon),
    tag: textField(frontmatter.tag) ?? textField(sidebar.badge) ?? textField(objectField(sidebar.badge).text),
    deprecated: frontmatter.deprecated === undefined ? false : flagField(frontmatter.deprecated) !== false,
    keywords: textsField(frontmatter.keywords),
    mode,
    boost: boost !== undefined && boost > 0 ? boost : undefined,
    hidden: flagField(frontmatter.hidden) ?? flagField(sidebar.hidden),
    noindex: flagField(frontmatter.noindex) === true || /\bnoindex\b/i.test(textField(frontmatter.robots) ?? ''),
    searchable: flagField(frontmatter.searchable),
    groups: flagField(frontmatter.public) ? [] : textsField(frontmatter.groups),
    url: safeUrl(textField(frontmatter.url)),
    hidesFooterPagination: flagField(frontmatter.hideFooterPagination) === true,
    source: body === page.body ? page : { ...page, body },
  };
}

function safeUrl(url: string | undefined): string | undefined {
  return url && /^(https?:\/\/|mailto:|\/)/i.test(url) ? url : undefined;
}
