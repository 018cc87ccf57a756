// `<base href>` decides what the URLs of a page are relative to. A copy has other URLs, so each URL is resolved against the base instead.
import { isElsewhere } from '../urls/parts.ts';
import { rewritePage } from '../page/rewrite-page.ts';
import { scanPage } from '../page/scan-page.ts';

/**
 * The page without `<base>`. If the base is an external origin, the URLs become absolute URLs of that origin. Browsers use the first
 * `<base>` with a URL. `scan` is the scan of the page, if there is one already.
 */
export function withoutBaseElement(html: string, scan = scanPage(html, { path: '', title: '', language: '' })): string {
  if (scan.bases.length === 0) return html;
  const base = scan.bases[0]?.href.trim().replace(/#.*$/s, '') ?? '';
  return rewritePage(html, scan, {
    rewriteUrl: (url, { kind }) => (kind === 'root' ? url : urlFromBase(url, base)),
    edits: () => scan.bases.map(({ start, end }) => ({ start, end, text: '' })),
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
