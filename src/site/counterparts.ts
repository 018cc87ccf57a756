import { encodePath } from '../../integration/urls/relative-url.ts';
import type { NavigationContext, Page, Site, Switch } from './model.ts';

type VariantPage = Pick<Page, 'path' | 'language' | 'docsVersion'>;

/** The pages of one language and docs version: path by position. */
interface Variant extends Pick<Page, 'language' | 'docsVersion'> {
  paths: Map<string, string>;
}

/**
 * The variants of a site, and where each page is in them. A page's position is its path without the folders that name its variant
 * ('fr', 'v2'), wherever in the path they are; pages at the same position of two variants are the same page.
 */
export interface Variants {
  all: Variant[];
  places: Map<string, { variant: Variant; position: string }>;
}

const variants = new WeakMap<Site, Variants>();
/** Those of the latest site, which are also those of its next state if its pages are at the same paths. */
let latest = { paths: '', variants: variantsOf([]) };

/** The menus of languages and docs versions of a page: each entry links to the same page, or says that the language or version lacks it. */
export function pageSwitches(site: Site, page: Page): Pick<NavigationContext, 'languages' | 'versions'> {
  const { languages, versions } = site.contexts.get(page.context)!;
  if (languages.length === 0 && versions.length === 0) return { languages, versions };
  let known = variants.get(site);
  if (!known) {
    const paths = JSON.stringify(site.pages.map(({ path, language, docsVersion }) => [path, language, docsVersion]));
    if (latest.paths !== paths)
      latest = { paths, variants: variantsOf(site.pages.map((one) => ({ ...one, path: encodePath(one.path) }))) };
    known = latest.variants;
    variants.set(site, known);
  }
  const own = encodePath(page.path);
  const linked = (switches: Switch[]) => {
    const current = switches.find((one) => one.active)?.href.slice(1);
    return switches.map((one) => {
      const { path, isMissing } = counterpart(own, { current, wanted: one.href.slice(1) }, known);
      return { ...one, ...(path !== undefined && { href: `/${path}` }), ...(isMissing && { isMissing }) };
    });
  };
  return { languages: linked(languages), versions: linked(versions) };
}

/** An entry of a menu of languages or docs versions: a page of the current entry, and a page of the wanted one. */
interface MenuEntry {
  current: string | undefined;
  wanted: string;
}

/** Where an entry of a menu of languages or docs versions leads from a page. */
interface Counterpart {
  /** Undefined where the entry's own link is right. */
  path?: string;
  /** Whether that language or version has no such page. */
  isMissing: boolean;
}

/**
 * The same page as `page` in another language or docs version; where that variant lacks it, its nearest parent.
 * Another language keeps the docs version and the reverse, where there are pages of both.
 */
export function counterpart(page: string, { current, wanted }: MenuEntry, { all, places }: Variants): Counterpart {
  const own = places.get(page);
  const to = places.get(wanted);
  if (!own || !to) return { isMissing: false };
  const from = places.get(current ?? page) ?? own;
  const changed = (key: 'language' | 'docsVersion') =>
    to.variant[key] === from.variant[key] ? own.variant[key] : to.variant[key];
  const [language, docsVersion] = [changed('language'), changed('docsVersion')];
  const nearest = all.find((variant) => variant.language === language && variant.docsVersion === docsVersion) ?? to.variant;
  if (nearest === own.variant) return { ...(to.variant === from.variant && { path: page }), isMissing: false };
  const at = (position: string) => nearest.paths.get(position) ?? to.variant.paths.get(position);
  const same = at(own.position);
  if (same !== undefined) return { path: same, isMissing: false };
  const parent = parents(own.position).map(at);
  return { path: parent.find((found) => found !== undefined) ?? nearest.paths.get(to.position), isMissing: true };
}

/** 'guides/deploy' and 'guides' of 'guides/deploy/kubernetes'. */
function parents(position: string): string[] {
  const names = position.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, names.length - index).join('/'));
}

/** The pages by language and docs version. */
export function variantsOf(pages: VariantPage[]): Variants {
  const groups = new Map<string, Group>();
  for (const { path, language, docsVersion } of pages) {
    const key = `${language}\n${docsVersion ?? ''}`;
    let group = groups.get(key);
    if (!group) groups.set(key, (group = { language, docsVersion, paths: [] }));
    group.paths.push(path);
  }
  const found: Variants = { all: [], places: new Map() };
  const names = variantFolders([...groups.values()]);
  for (const [index, { paths, ...own }] of [...groups.values()].entries()) {
    const variant: Variant = { ...own, paths: new Map() };
    found.all.push(variant);
    // The folder of the variant comes before a page outside it at the same position.
    for (const path of paths.toSorted()) {
      const position = positionOf(path, names[index]!);
      found.places.set(path, { variant, position });
      if (position !== path || !variant.paths.has(position)) variant.paths.set(position, path);
    }
  }
  return found;
}

interface Group extends Pick<Page, 'language' | 'docsVersion'> {
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
        const position = positionOf(path, names);
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

/** 'specification/basic' of 'specification/v2/basic' in 'v2'. */
function positionOf(path: string, names: string[]): string {
  const segments = path.split('/');
  const removed = new Set(names.map((name) => segments.indexOf(name)).filter((index) => index < deepest));
  return segments.filter((_, index) => !removed.has(index)).join('/');
}
