// `<base href>` decides what the URLs of a page are relative to. A copy has other URLs, so each URL is resolved against the base instead.
import { isElsewhere } from '../urls/parts.ts';
import { rewritePage } from '../page/rewrite-page.ts';
import { tokenizePage, type TokenizedPage } from '../page/scan-page.ts';

/**
 * The page without `<base>`. If the base is an external origin, the URLs become absolute URLs of that origin. Browsers use the first
 * `<base>` with a URL. `page` is its pass, if there was one already.
 */
export function withoutBaseElement(html: string, page: Omit<TokenizedPage, 'contentOf' | 'ids'> = tokenizePage(html)): string {
  if (page.bases.length === 0) return html;
  const base = page.bases[0]?.href.trim().replace(/#.*$/s, '') ?? '';
  return rewritePage(html, page, {
    rewriteUrl: (url, { kind }) => (kind === 'root' ? url : urlFromBase(url, base)),
    edits: () => page.bases.map(({ start, end }) => ({ start, end, text: '' })),
  });
}

/** A URL of a page resolved against its base. Fragments stay on the page, as their authors intend. */
export function urlFromBase(url: string, base: string): string {
  const bare = url.trim();
  if (base === '' || bare === '' || bare[0] === '#' || isElsewhere(bare)) return url;
  if (isElsewhere(base)) return URL.parse(bare, base.startsWith('//') ? `https:${base}` : base)?.href ?? url;
  if (bare[0] === '/') return url;
  const path = base.replace(/\?.*$/s, '');
  return (bare[0] === '?' ? path : path.replace(/[^/]*$/, '')) + bare;
}
