import { pageAt, type NavigationData, type SiteData, type SiteVariant, type VariantFolder } from '../reader/core/site-data.ts';

/** The classic script that hands the site's data to the reader. */
export function siteScript(data: SiteData): string {
  return `__carrel_site(${JSON.stringify(data)});\n`;
}

/** The classic script that hands over the paths of all pages. */
export function pagesScript(variants: SiteVariant[]): string {
  return `__carrel_pages(${JSON.stringify(variants)});\n`;
}

/** The classic script that hands over a whole sidebar. */
export function navigationScript(data: NavigationData): string {
  return `__carrel_navigation(${JSON.stringify(data)});\n`;
}

/** The files of pages as the reader's scripts need them, from the files by page path without the home page. */
export function pageFiles(files: Map<string, string>): Pick<SiteData, 'ending' | 'files'> {
  const others = (ending: string) => [...files].filter(([path, file]) => file !== path + ending);
  const [nested, flat] = [others('/index.html'), others('.html')];
  const shorter = flat.length < nested.length ? flat : nested;
  return {
    ...(shorter === flat && { ending: '.html' }),
    ...(shorter.length > 0 && { files: Object.fromEntries(shorter) }),
  };
}

/** The classic script that hands over the labels of one language. */
export function labelsScript(labels: Record<string, string>): string {
  return `__carrel_labels(${JSON.stringify(labels)});\n`;
}

export interface VariantPage {
  path: string;
  language: string;
  docsVersion?: string;
}

/**
 * The pages by language and docs version. A page's position is its path without the folders that name its variant ('fr', 'v2'),
 * wherever in the path they are; pages at the same position of two variants are the same page.
 */
export function variantsOf(pages: VariantPage[]): SiteVariant[] {
  const groups = new Map<string, Group>();
  for (const { path, language, docsVersion } of pages) {
    const key = `${language}\n${docsVersion ?? ''}`;
    let group = groups.get(key);
    if (!group) groups.set(key, (group = { language, docsVersion, paths: [] }));
    group.paths.push(path);
  }
  const all = [...groups.values()].sort(
    (a, b) => compare(a.language, b.language) || compare(a.docsVersion ?? '', b.docsVersion ?? ''),
  );
  const names = variantFolders(all);
  return all.map(({ language, docsVersion, paths }, index) => ({
    language,
    docsVersion,
    folders: foldersOf(paths, names[index]!),
  }));
}

interface Group {
  language: string;
  docsVersion?: string;
  paths: string[];
}

/** For each group, the names of folders without which most of its pages have counterparts in the other groups. */
function variantFolders(groups: Group[]): string[][] {
  const several = (key: 'language' | 'docsVersion') => new Set(groups.map((group) => group[key])).size > 1;
  const most = Number(several('language')) + Number(several('docsVersion'));
  const frequent = groups.map(({ paths }) => frequentFolders(paths));
  const choices = frequent.map((names) => {
    const own = names.filter((name) => !frequent.every((other) => other.includes(name)));
    const single = most > 0 ? own.map((name) => [name]) : [];
    const pairs = most > 1 ? own.flatMap((name, index) => own.slice(index + 1).map((other) => [name, other])) : [];
    return [[], ...single, ...pairs];
  });
  const owners = new Map<string, Set<number>>();
  const positions = choices.map((ofGroup, index) =>
    ofGroup.map((names) =>
      groups[index]!.paths.map((path) => {
        const { position } = positionOf(path, names);
        let indexes = owners.get(position);
        if (!indexes) owners.set(position, (indexes = new Set()));
        indexes.add(index);
        return position;
      }),
    ),
  );
  return choices.map((ofGroup, index) => {
    const counts = positions[index]!.map((found) => found.reduce((sum, position) => sum + owners.get(position)!.size - 1, 0));
    // On a tie the fewest folders, which come first: a folder that does not name a variant stays in the position.
    return ofGroup[counts.indexOf(Math.max(...counts))]!;
  });
}

// Folders deeper down are the content's own.
const deepest = 4;

/** Names of the upper folders that contain at least half of the paths. */
function frequentFolders(paths: string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    for (const name of new Set(path.split('/').slice(0, -1).slice(0, deepest))) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count * 2 >= paths.length).map(([name]) => name);
}

/** Pages by the folder whose name is not in their positions, the deepest first. */
function foldersOf(paths: string[], names: string[]): VariantFolder[] {
  const folders = new Map<string, VariantFolder>();
  for (const path of paths) {
    const { prefix, base, rest } = positionOf(path, names);
    let folder = folders.get(prefix);
    if (!folder) folders.set(prefix, (folder = { prefix, ...(base && { base }), pages: [] }));
    folder.pages.push(rest);
  }
  for (const { pages } of folders.values()) pages.sort();
  return [...folders.values()].sort((a, b) => compare(b.prefix, a.prefix));
}

/** 'specification/v2/basic' without 'v2': in 'specification/v2/' the page 'basic', at the position 'specification/basic'. */
function positionOf(path: string, names: string[]): { prefix: string; base: string; rest: string; position: string } {
  const segments = path.split('/');
  const removed = new Set(names.map((name) => segments.indexOf(name)).filter((index) => index >= 0 && index < deepest));
  const length = Math.max(-1, ...removed) + 1;
  const folder = (kept: string[]) => kept.map((segment) => `${segment}/`).join('');
  const base = folder(segments.slice(0, length).filter((_, index) => !removed.has(index)));
  const rest = segments.slice(length).join('/');
  return { prefix: folder(segments.slice(0, length)), base, rest, position: pageAt(base, rest) };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
