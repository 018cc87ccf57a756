import type { BuiltPage } from './built-page.ts';
import { markdownOfHtml } from './markdown-of-html.ts';
import { attribute, readHtml } from './read-html.ts';

export interface FinishedPage extends BuiltPage {
  /** `og:site_name`. */
  siteName?: string;
  /** `carrel:site-description`, which the home page says. */
  siteDescription?: string;
}

/**
 * A finished page as the export takes it. A page says of itself what HTML has no word for in `<meta>` elements:
 * `carrel:title` (without the site's name), `carrel:site-description`, `carrel:docs-version`, `carrel:boost`, and `carrel:searchable`,
 * `carrel:sitemap`, `carrel:llms` with the content `false`.
 */
export function readPage(path: string, html: string, options: { defaultLanguage: string; markdown?: string }): FinishedPage {
  const head = readHead(html);
  const meta = (name: string): string | undefined => head.metas.get(name);
  const noindex = /\bnoindex\b/i.test(meta('robots') ?? '');
  const boost = Number(meta('carrel:boost'));
  return {
    path,
    html,
    title: meta('carrel:title') ?? (head.title.trim() || path || 'Home'),
    description: meta('description'),
    language: head.language ?? options.defaultLanguage,
    docsVersion: meta('carrel:docs-version'),
    markdown: options.markdown ?? markdownOfHtml(html),
    searchable: meta('carrel:searchable') !== 'false',
    boost: boost > 0 ? boost : undefined,
    inSitemap: !noindex && meta('carrel:sitemap') !== 'false',
    siteDescription: meta('carrel:site-description'),
    siteName: meta('og:site_name'),
    inLlms: !noindex && meta('carrel:llms') !== 'false',
  };
}

function readHead(html: string): { language?: string; title: string; metas: Map<string, string> } {
  const metas = new Map<string, string>();
  let language: string | undefined;
  let title = '';
  let inTitle = false;
  let inHead = true;
  const end = html.search(/<\/head\s*>/i);
  readHtml(end < 0 ? html : html.slice(0, end), {
    open(tag) {
      if (tag.name === 'html') language = attribute(tag, 'lang') || undefined;
      else if (tag.name === 'body') inHead = false;
      else if (tag.name === 'title' && inHead && title === '') inTitle = true;
      else if (tag.name === 'meta' && inHead) {
        const name = (attribute(tag, 'name') ?? attribute(tag, 'property'))?.toLowerCase();
        if (name && !metas.has(name)) metas.set(name, attribute(tag, 'content') ?? '');
      }
    },
    close(name) {
      if (name === 'title') inTitle = false;
    },
    text(text) {
      if (inTitle) title += text;
    },
  });
  return { language, title, metas };
}
