import type { SiteData, SiteVariant } from '../client/site-data.ts';

/** The classic script that hands the site's data to the reader. */
export function siteScript(data: SiteData): string {
  return `__carrel_site(${JSON.stringify(data)});\n`;
}

/** The classic script that hands over the paths of all pages. */
export function pagesScript(variants: SiteVariant[]): string {
  return `__carrel_pages(${JSON.stringify(variants)});\n`;
}

export interface VariantPage {
  path: string;
  language: string;
  docsVersion?: string;
}

/** The pages by language and docs version, each variant with the folder that its paths share and no other says the same in. */
export function variantsOf(pages: VariantPage[]): SiteVariant[] {
  const variants = new Map<string, SiteVariant>();
  for (const { path, language, docsVersion } of pages) {
    const key = `${language}\n${docsVersion ?? ''}`;
    let variant = variants.get(key);
    if (!variant) variants.set(key, (variant = { language, docsVersion, prefix: '', pages: [] }));
    variant.pages.push(path);
  }
  const all = [...variants.values()];
  const several = (key: 'language' | 'docsVersion') => new Set(all.map((variant) => variant[key])).size > 1;
  const depth = Number(several('language')) + Number(several('docsVersion'));
  for (const variant of all) {
    variant.prefix = sharedFolder(variant.pages, depth);
    variant.pages = variant.pages
      .map((path) => (path.length < variant.prefix.length ? '' : path.slice(variant.prefix.length)))
      .sort();
  }
  return all.sort((a, b) => compare(a.language, b.language) || compare(a.docsVersion ?? '', b.docsVersion ?? ''));
}

// 'fr/v2/' of pages that all are 'fr/v2' or in it, at most as deep as there are choices.
function sharedFolder(paths: string[], depth: number): string {
  let shared: string[] = (paths[0] ?? '').split('/').slice(0, depth);
  for (const path of paths) {
    const segments = path.split('/');
    const differs = shared.findIndex((segment, i) => segments[i] !== segment);
    if (differs >= 0) shared = shared.slice(0, differs);
  }
  if (shared.length === 0 || shared[0] === '') return '';
  return `${shared.join('/')}/`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
