// `<base href>` decides what the addresses of a page are relative to. A copy stands elsewhere, so its addresses are written out instead.
import { isElsewhere } from '../urls/address.ts';
import { rewritePage } from '../page/rewrite-page.ts';
import { scanPage } from '../page/scan-page.ts';

/**
 * The page as it reads without `<base>`: with one of another host, its addresses are full ones of that host. Of several, browsers
 * heed the first that has an address. Most pages have none.
 */
export function withoutBaseElement(html: string): string {
  if (!/<base/i.test(html)) return html;
  const scan = scanPage(html, { path: '', title: '', language: '' });
  const base = scan.bases[0]?.href.trim().replace(/#.*$/s, '') ?? '';
  return rewritePage(html, scan, {
    address: (address, { kind }) => (kind === 'root' ? address : addressFromBase(address, base)),
    edits: () => scan.bases.map(({ start, end }) => ({ start, end, text: '' })),
  });
}

/** An address of a page as it is without the page's base. Fragments stay on the page, which is what their authors mean. */
export function addressFromBase(address: string, base: string): string {
  const bare = address.trim();
  if (base === '' || bare === '' || bare[0] === '#' || isElsewhere(bare)) return address;
  if (isElsewhere(base)) return URL.parse(bare, base.startsWith('//') ? `https:${base}` : base)?.href ?? address;
  if (bare[0] === '/') return address;
  const path = base.replace(/\?.*$/s, '');
  return (bare[0] === '?' ? path : path.replace(/[^/]*$/, '')) + bare;
}
