import type { Tag } from '../html/read-html.ts';
import { matcherOf, type Ancestors, type Matcher } from '../html/selector.ts';

/** Which part of a page is content, as CSS selectors. */
export interface ContentRules {
  /** The first one that matches on a page selects its content: all elements that it matches. */
  select: string[];
  /** Elements inside the content that are not read. */
  ignore: string[];
}

/** One rule that selects the content of a page. */
export interface PartRules {
  isContent(tag: Tag, above: Ancestors): boolean;
  /** Whether the content begins with such an element and continues to the end of the page, instead of being inside it. */
  isOpenEnded?: boolean;
  /** Whether an element inside the content is excluded, besides those that are never content. */
  isIgnored?(tag: Tag, above: Ancestors): boolean;
}

/** The content of most documentation themes, best first. */
export const usualContent = [
  '[data-carrel-content]',
  // Starlight; its page title is the title of every section.
  '.sl-markdown-content',
  '[data-pagefind-body]',
  // VitePress, Docusaurus, Material for MkDocs.
  '.vp-doc',
  '.theme-doc-markdown',
  '.md-content__inner',
  'main',
  '[role="main"]',
  'article',
  'body',
];

/** Elements inside the main content that are not content, in common documentation themes: search would find them on every page. */
export const usualIgnored = [
  'body > header',
  '[role="banner"]',
  ':not(blockquote) > footer',
  '[role="contentinfo"]',
  '[role="navigation"]',
  '[role="search"]',
  '[class*="breadcrumb" i]',
  '[aria-label="breadcrumb" i]',
  '[aria-label="breadcrumbs" i]',
  // Links to the source of the page.
  '.edit-link',
  '.edit-page-link',
  '[class*="edit-this-page" i]',
  '.md-content__button',
  // Links to the previous and the next page.
  '.pagination',
  '.pagination-links',
  '.pagination-nav',
  '[rel~="prev"]',
  '[rel~="next"]',
  '.nav-wrapper',
  '.nav-wide-wrapper',
  // The page's own outline.
  '.table-of-contents',
  '.toc',
  '#TableOfContents',
  '.theme-doc-toc-mobile',
  // Links of headings to themselves, outside the heading element.
  '.sl-anchor-link',
  '.header-anchor',
  '.heading-anchor',
  '.anchor-link',
  '.hash-link',
  '.headerlink',
  // What code blocks add: their language, line numbers, copy buttons, and "Terminal window" for screen readers.
  '.expressive-code figcaption > .sr-only',
  '[class*="language-"] > .lang',
  '.line-numbers',
  '.linenos',
  '.lnt',
  'clipboard-copy',
  '.skip-link',
];

/** The rules that may apply to a page, best first; reading the page shows which one does. Throws `ExportError` `SelectorNotReadable`. */
export function* partsOf(html: string, rules: ContentRules): Generator<PartRules, undefined> {
  const { select, isIgnored } = compiled(rules);
  for (const { matcher, selector } of select) {
    if (!matcher.mayMatch(html) && selector !== 'body') continue;
    const isImplied = selector === 'body' && !/<body[\s>]/i.test(html);
    yield { isContent: isImplied ? isInImpliedBody : matcher.matches, isOpenEnded: isImplied, isIgnored };
  }
}

/** Throws `ExportError` `SelectorNotReadable` when a selector needs more than one reading. */
export function checkRules(rules: ContentRules): void {
  compiled(rules);
}

interface CompiledRules {
  select: { selector: string; matcher: Matcher }[];
  isIgnored: Matcher['matches'];
}

// Cached, since each page calls it with the same key.
const known = new WeakMap<ContentRules, CompiledRules>();

function compiled(rules: ContentRules): CompiledRules {
  let made = known.get(rules);
  if (!made) {
    const select = rules.select.map((selector) => ({ selector, matcher: matcherOf([selector], 'content') }));
    known.set(rules, (made = { select, isIgnored: matcherOf(rules.ignore, 'ignore').matches }));
  }
  return made;
}

// HTML lets authors omit <body>: it begins with the first element that is not allowed in a head.
function isInImpliedBody(tag: Tag): boolean {
  return !headElements.has(tag.name);
}

const headElements = new Set(['html', 'head', 'title', 'meta', 'link', 'base', 'script', 'style', 'noscript', 'template']);
