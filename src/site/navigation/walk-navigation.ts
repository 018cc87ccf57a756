import type { NavigationEntry } from '../../source/docs-json.ts';
import type { Operation } from '../../source/specifications.ts';
import { findPage, isExternal, normalPath, siteAddress } from '../find-page.ts';
import {
  operationPage,
  specificationChoice,
  specificationPages,
  type GeneratedPage,
  type SpecificationChoice,
} from './generated-pages.ts';
import { languageTag } from '../languages.ts';
import type { NavigationNode } from '../model.ts';
import { defaultFirst, intoVersions, rowsOf, type Branch, type Row } from './navigation-items.ts';
import type { PageFacts } from '../page-facts.ts';
import { pageHref } from '../view/page-href.ts';

/** A place as found: which divisions lead to it, and its sidebar. */
export interface FoundPlace {
  key: string;
  language?: string;
  docsVersion?: string;
  rows: { row: Row; active?: Branch }[];
  sidebar: NavigationNode[];
  /** Pages of the sidebar in reading order. */
  sequence: string[];
}

/** One mention of a page by the navigation. */
export interface Listing {
  path: string;
  place: FoundPlace;
  trail: string[];
  hiddenAbove: boolean;
  searchableAbove?: boolean;
  boost?: number;
}

export interface Walked {
  places: FoundPlace[];
  /** In order of navigation; a page may have several. */
  listings: Listing[];
  missing: { entry: string; at: string; place: FoundPlace }[];
  /** Pages that would be made from API specifications. */
  generated: GeneratedPage[];
  /** Pages for members only, which the navigation names. */
  limited: Set<string>;
}

interface Context {
  at: string[];
  keys: string[];
  language?: string;
  docsVersion?: string;
  rows: FoundPlace['rows'];
  branches: Branch[];
  trail: string[];
  /** A group or division around is hidden. */
  hidden: boolean;
  /** A group is: a hidden division still shows its own sidebar to those who are in it. */
  hiddenGroup: boolean;
  searchable?: boolean;
  boost?: number;
  isPublic: boolean;
  specification?: SpecificationChoice;
}

export interface WalkOptions {
  /** Pages that exist and are not shown, so that they are not missing; those among the pages are still listed, since others find their place by them. */
  leftOut: ReadonlySet<string>;
  configFile: string;
  /** API specifications of the folder, by path. */
  specifications?: ReadonlyMap<string, readonly Operation[]>;
  /** The `openapi` that applies where the navigation names none. */
  openapi?: unknown;
}

/** Follows a navigation of any shape to its places. */
export function walkNavigation(
  root: NavigationEntry,
  pages: ReadonlyMap<string, PageFacts>,
  { leftOut, configFile, specifications = new Map(), openapi }: WalkOptions,
): Walked {
  const walked: Walked = { places: [], listings: [], missing: [], generated: [], limited: new Set() };
  const keys = new Set<string>();
  const global = rowsOf(root.global ?? {});
  const top: Context = {
    at: [],
    keys: [],
    rows: global.map((row) => ({ row })),
    branches: [],
    trail: [],
    hidden: false,
    hiddenGroup: false,
    isPublic: false,
  };
  const fallback = openapi === undefined ? undefined : specificationChoice(openapi);
  visit(root, inherit(root, top));
  // Every page needs a place, even where the navigation has none.
  if (walked.places.length === 0) leaf([], top);
  return walked;

  function visit(found: NavigationEntry, context: Context): void {
    const entry = intoVersions(found);
    const rows = rowsOf(entry);
    const own = [...(entry.pages ?? []), ...(entry.groups ?? [])];
    const beside = (active?: Row) => rows.filter((row) => row !== active).map((row) => ({ row }));
    if (own.length) leaf(own, { ...context, rows: [...context.rows, ...beside()] });
    else if (rows.length === 0) addGenerated(entry, context);
    for (const row of rows) {
      for (const branch of defaultFirst(row.branches))
        visitBranch(row, branch, { ...context, rows: [...context.rows, ...beside(row)] });
    }
  }

  function visitBranch(row: Row, branch: Branch, context: Context): void {
    const { entry } = branch;
    const next: Context = {
      ...inherit(entry, context),
      at: [...context.at, branch.label],
      keys: [...context.keys, entry.language ? languageTag(entry.language) : branch.label],
      rows: [...context.rows, { row, active: branch }],
      branches: [...context.branches, branch],
    };
    if (entry.language) next.language = languageTag(entry.language);
    if (entry.version) next.docsVersion = entry.version;
    visit(entry, next);
    if (entry.menu?.length) {
      const menu: Row = { name: 'menu', branches: entry.menu.map((item) => ({ label: item.item ?? '', entry: item })) };
      branch.menu = menu.branches;
      for (const item of menu.branches) visitBranch(menu, item, next);
    }
  }

  function leaf(entries: (string | NavigationEntry)[], context: Context): void {
    const { language, docsVersion, rows } = context;
    const place: FoundPlace = { key: freshKey(context.keys), language, docsVersion, rows, sidebar: [], sequence: [] };
    walked.places.push(place);
    place.sidebar = nodes(entries, context, place, 0);
  }

  function freshKey(parts: string[]): string {
    const base = parts.map((part) => part.replaceAll('/', '-')).join('/') || 'site';
    let key = base;
    for (let number = 2; keys.has(key); number++) key = `${base}~${number}`;
    keys.add(key);
    return key;
  }

  function nodes(entries: (string | NavigationEntry)[], context: Context, place: FoundPlace, depth: number): NavigationNode[] {
    return entries.flatMap((entry) =>
      typeof entry === 'string' ? pageNode(entry, context, place) : groupNode(entry, context, place, depth),
    );
  }

  function pageNode(entry: string, context: Context, place: FoundPlace): NavigationNode[] {
    if (isExternal(entry)) {
      return context.hiddenGroup
        ? []
        : [{ kind: 'page', path: '', title: entry.replace(/^\w+:\/\//, ''), href: entry.trim(), external: true }];
    }
    const facts = list(entry, context, place);
    if (!facts || context.hiddenGroup || facts.hidden) return [];
    const { path, icon, tag } = facts;
    const title = facts.sidebarTitle ?? facts.title;
    const shared = {
      kind: 'page' as const,
      path,
      title,
      ...(icon && { icon }),
      ...(tag && { tag }),
      ...(facts.deprecated && { deprecated: true }),
    };
    if (facts.url) return [{ ...shared, href: facts.url, ...(isExternal(facts.url) && { external: true }) }];
    place.sequence.push(path);
    return [{ ...shared, href: pageHref(path) }];
  }

  /** Records that a place names a page; undefined where there is none to show. */
  function list(entry: string, context: Context, place: FoundPlace): PageFacts | undefined {
    const facts = findPage(entry, pages);
    if (!facts) {
      if (leftOut.has(normalPath(entry))) return undefined;
      const generated = operationPage(entry, context.specification ?? fallback, specifications);
      if (generated) walked.generated.push({ ...generated, ...placeOf(context) });
      else walked.missing.push({ entry, at: context.at.join(' › ') || configFile, place });
      return undefined;
    }
    if (facts.groups.length && !context.isPublic) {
      walked.limited.add(facts.path);
      return undefined;
    }
    const { trail, hidden: hiddenAbove, searchable: searchableAbove, boost } = context;
    walked.listings.push({ path: facts.path, place, trail, hiddenAbove, searchableAbove, boost });
    if (leftOut.has(facts.path)) return undefined;
    if (!facts.hidden && !facts.url && !context.hidden) for (const branch of context.branches) branch.first ??= facts.path;
    return facts;
  }

  function groupNode(entry: NavigationEntry, outer: Context, place: FoundPlace, depth: number): NavigationNode[] {
    const label = entry.group?.trim() ?? entry.tab ?? entry.anchor ?? entry.dropdown ?? entry.product ?? entry.version ?? '';
    const context = inherit(entry, outer);
    context.hiddenGroup ||= entry.hidden === true;
    context.at = label ? [...outer.at, label] : outer.at;
    context.trail = label ? [...outer.trail, label] : outer.trail;
    const before = place.sequence.length;
    const rootFacts = entry.root === undefined ? undefined : list(entry.root, context, place);
    if (rootFacts && !rootFacts.hidden && !rootFacts.url && !context.hiddenGroup) place.sequence.push(rootFacts.path);
    const own = [...(entry.pages ?? []), ...(entry.groups ?? [])].filter((page) => page !== entry.root);
    if (own.length === 0) addGenerated(entry, context);
    const children = nodes(own, context, place, depth + 1);
    if (context.hiddenGroup) {
      place.sequence.length = before;
      return [];
    }
    const href = rootFacts ? (rootFacts.url ?? pageHref(rootFacts.path)) : entry.href && siteAddress(entry.href);
    if (children.length === 0 && !href) return [];
    if (children.length === 0 && rootFacts) {
      const { path } = rootFacts;
      return [
        {
          kind: 'page',
          path,
          title: label || rootFacts.title,
          href: href!,
          ...(entry.icon && { icon: entry.icon }),
          ...(entry.tag && { tag: entry.tag }),
        },
      ];
    }
    const expanded = depth === 0 || entry.expanded === true || entry.collapsed === false;
    return [
      {
        kind: 'group',
        title: label,
        ...(entry.icon && { icon: entry.icon }),
        ...(entry.tag && { tag: entry.tag }),
        ...(href && { href }),
        expanded,
        children,
      },
    ];
  }

  function inherit(entry: NavigationEntry, context: Context): Context {
    const isHidden = entry.hidden === true;
    return {
      ...context,
      hidden: context.hidden || isHidden,
      searchable: entry.searchable ?? (isHidden ? false : context.searchable),
      boost: entry.boost ?? context.boost,
      isPublic: entry.public ?? context.isPublic,
      ...(entry.openapi !== undefined && { specification: specificationChoice(entry.openapi) }),
    };
  }

  /** Pages that an entry without pages of its own stands for: all of the specification that applies to it. */
  function addGenerated(entry: NavigationEntry, context: Context): void {
    const place = placeOf(context);
    const isOther = entry.href !== undefined || entry.root !== undefined || entry.menu !== undefined || entry === root;
    if (entry.openapi !== undefined || (context.specification && !isOther)) {
      const pages = specificationPages(context.specification!, specifications);
      walked.generated.push(...pages.map((page) => ({ ...page, ...place })));
    }
    for (const key of ['asyncapi', 'graphql', 'sdk'] as const) {
      if (entry[key] !== undefined) walked.generated.push({ entry: `"${key}": ${JSON.stringify(entry[key])}`, ...place });
    }
  }

  function placeOf({ at, language, docsVersion }: Context): Omit<GeneratedPage, 'entry'> {
    return { at: at.join(' › ') || configFile, ...(language && { language }), ...(docsVersion && { docsVersion }) };
  }
}
