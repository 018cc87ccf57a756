import type { SiteVariant } from './site-data.ts';

/**
 * The page of another language or docs version that `page` is in its own; null where that variant lacks it.
 * `home` is any page of the wanted variant.
 */
export function counterpart(page: string, home: string | null, variants: SiteVariant[]): string | null {
  const own = variantOf(page, variants);
  const wanted = home === null ? null : variantOf(home, variants);
  if (!own || !wanted || own === wanted) return null;
  const rest = page.slice(own.prefix.length);
  return wanted.pages.includes(rest) ? wanted.prefix + rest : null;
}

function variantOf(page: string, variants: SiteVariant[]): SiteVariant | undefined {
  const holds = ({ prefix, pages }: SiteVariant) =>
    (page.startsWith(prefix) && pages.includes(page.slice(prefix.length))) || `${page}/` === prefix;
  return variants.find(holds);
}
