import type { SiteData, SiteLabels, SiteVariant } from '../client/site-data.ts';

/** The classic script that hands the site's data to the reader. */
export function siteScript(data: SiteData): string {
  return `__carrel_site(${JSON.stringify(data)});\n`;
}

/** The classic script that hands over the paths of all pages. */
export function pagesScript(variants: SiteVariant[]): string {
  return `__carrel_pages(${JSON.stringify(variants)});\n`;
}

/** Which files the pages are in, as the reader's scripts need it told; given by page path, the home page's left out. */
export function pageFiles(files: Map<string, string>): Pick<SiteData, 'ending' | 'files'> {
  const others = (ending: string) => [...files].filter(([path, file]) => file !== path + ending);
  const [nested, flat] = [others('/index.html'), others('.html')];
  const told = flat.length < nested.length ? flat : nested;
  return {
    ...(told === flat && { ending: '.html' }),
    ...(told.length > 0 && { files: Object.fromEntries(told) }),
  };
}

/** The classic script that hands over the words of one language. */
export function labelsScript(labels: SiteLabels): string {
  return `__carrel_labels(${JSON.stringify(labels)});\n`;
}

export interface VariantPage {
  path: string;
  language: string;
  docsVersion?: string;
}

/** The pages by language and docs version, each variant with the folder that leaves the most paths the same as in others. */
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
  const choices = all.map((variant) =>
    sharedFolders(variant.pages, depth).map((prefix) => ({
      prefix,
      pages: variant.pages.map((path) => path.slice(prefix.length)),
    })),
  );
  const owners = new Map<string, Set<number>>();
  choices.forEach((prefixes, index) => {
    for (const path of prefixes.flatMap((choice) => choice.pages)) {
      let indexes = owners.get(path);
      if (!indexes) owners.set(path, (indexes = new Set()));
      indexes.add(index);
    }
  });
  all.forEach((variant, index) => {
    let best = -1;
    for (const choice of choices[index]!) {
      const score = choice.pages.filter((path) => owners.get(path)!.size > 1).length;
      if (score <= best) continue;
      best = score;
      variant.prefix = choice.prefix;
      variant.pages = choice.pages;
    }
    variant.pages.sort();
  });
  return all.sort((a, b) => compare(a.language, b.language) || compare(a.docsVersion ?? '', b.docsVersion ?? ''));
}

/** Folders that all paths are in ('fr/v2/', 'fr/', ''), deepest first; a page that is such a folder's own counts as in it. */
function sharedFolders(paths: string[], depth: number): string[] {
  const folders = [''];
  for (let length = 1; length <= depth; length++) {
    const deepest = paths.find((path) => path.split('/').length > length);
    const folder = deepest === undefined ? undefined : `${deepest.split('/').slice(0, length).join('/')}/`;
    if (folder === undefined || !paths.every((path) => path.startsWith(folder) || `${path}/` === folder)) break;
    folders.unshift(folder);
  }
  return folders;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
