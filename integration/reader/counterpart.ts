import type { SiteVariant } from './core/site-data.ts';

/** An entry of a menu of languages or docs versions: a page of the current entry, and a page of the wanted one. */
export interface MenuEntry {
  current: string | null;
  wanted: string | null;
}

/**
 * The same page as `page` in another language or docs version; null where that variant lacks it and the menu's own link is right.
 * Another language keeps the docs version and the reverse, where there are pages of both.
 */
export function counterpart(page: string, { current, wanted }: MenuEntry, variants: SiteVariant[]): string | null {
  const own = find(page, variants);
  const to = wanted === null ? undefined : find(wanted, variants);
  if (!own || !to) return null;
  const from = (current === null ? undefined : find(current, variants)) ?? own;
  const changed = (key: 'language' | 'docsVersion') =>
    to.variant[key] === from.variant[key] ? own.variant[key] : to.variant[key];
  const [language, docsVersion] = [changed('language'), changed('docsVersion')];
  const nearest = variants.find((variant) => variant.language === language && variant.docsVersion === docsVersion) ?? to.variant;
  if (nearest === own.variant) return null;
  const same = pathIn(nearest, own.position) ?? pathIn(to.variant, own.position);
  return same ?? (nearest === to.variant ? null : pathIn(nearest, to.position));
}

/** Path of a folder's page; that of the folder itself is the folder's name. */
export function pageAt(folder: string, page: string): string {
  return page === '' ? folder.slice(0, -1) : folder + page;
}

function find(page: string, variants: SiteVariant[]): { variant: SiteVariant; position: string } | undefined {
  for (const variant of variants) {
    for (const { prefix, base = '', pages } of variant.folders) {
      // The folder itself may have no page.
      if (`${page}/` === prefix) return { variant, position: pageAt(base, '') };
      const rest = page.slice(prefix.length);
      if (page.startsWith(prefix) && pages.includes(rest)) return { variant, position: pageAt(base, rest) };
    }
  }
  return undefined;
}

function pathIn({ folders }: SiteVariant, position: string): string | null {
  for (const { prefix, base = '', pages } of folders) {
    const page = pages.find((rest) => pageAt(base, rest) === position);
    if (page !== undefined) return pageAt(prefix, page);
  }
  return null;
}
