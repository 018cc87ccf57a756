import { entryNames, type NavigationEntry } from '../../source/docs-json.ts';
import { safeUrl } from '../../../integration/urls/safe-url.ts';
import {
  notInSpecifications,
  operationEntry,
  specificationEntry,
  specificationNames,
} from '../../openapi/named-specifications.ts';
import { findPage, isExternal, normalPath, siteHref, pageHref } from '../page-paths.ts';
import { languageTag } from '../../../integration/text/language-tag.ts';
import type { Directory, DirectoryEntry, NavigationNode, TrailStep } from '../model.ts';
import { defaultFirst, intoVersions, levelsOf, type Division, type Level } from './navigation-items.ts';
import type { PageFacts } from '../page-facts.ts';

/** A context during the walk: the divisions above it, and its sidebar. */
export interface FoundContext {
  key: string;
  language?: string;
  docsVersion?: string;
  levels: { level: Level; active?: Division }[];
  sidebar: NavigationNode[];
  /** Pages of the sidebar in reading order. */
  sequence: string[];
}

/** One occurrence of a page in the navigation. */
export interface Listing {
  path: string;
  context: FoundContext;
  trail: TrailStep[];
  hiddenAbove: boolean;
  searchableAbove?: boolean;
  boost?: number;
}

/** An entry that names an API specification or an operation of one, and why it has no page. */
export interface UnresolvedEntry {
  /** As in the navigation. */
  entry: string;
  reason: string;
  at: string;
  language?: string;
  docsVersion?: string;
}

export interface Walked {
  contexts: FoundContext[];
  /** In navigation order; a page can have several. */
  listings: Listing[];
  missing: { entry: string; at: string; context: FoundContext }[];
  /** Entries for API specifications and operations that have no page. */
  unresolved: UnresolvedEntry[];
  /** Entries with neither pages nor a URL. */
  empty: Omit<UnresolvedEntry, 'reason'>[];
  /** The listings on root pages of groups, by path. */
  directories: Map<string, Directory>;
}

interface WalkState {
  at: string[];
  keys: string[];
  language?: string;
  docsVersion?: string;
  levels: FoundContext['levels'];
  divisions: Division[];
  trail: TrailStep[];
  /** An enclosing group or division is hidden. */
  hidden: boolean;
  /** An enclosing group is hidden; pages in a hidden division still show its sidebar. */
  hiddenGroup: boolean;
  searchable?: boolean;
  boost?: number;
  directory?: NavigationEntry['directory'];
}

export interface WalkOptions {
  /** Pages that exist but are not exported, so not missing. Those in `pages` are still listed, because other pages get their context from them. */
  excluded: ReadonlySet<string>;
  configFile: string;
  /** Why entries of API specifications have no page, by the entry. */
  unresolved?: ReadonlyMap<string, string>;
}

/** Walks a navigation of any shape and collects its contexts. */
export function walkNavigation(root: NavigationEntry, pages: ReadonlyMap<string, PageFacts>, options: WalkOptions): Walked {
  const walk = new Walk(pages, options);
  walk.start(root);
  return walk.walked;
}

const topState: WalkState = {
  at: [],
  keys: [],
  levels: [],
  divisions: [],
  trail: [],
  hidden: false,
  hiddenGroup: false,
};

class Walk {
  readonly walked: Walked = {
    contexts: [],
    listings: [],
    missing: [],
    unresolved: [],
    empty: [],
    directories: new Map(),
  };
  private readonly keys = new Set<string>();
  private readonly pages: ReadonlyMap<string, PageFacts>;
  private readonly excluded: ReadonlySet<string>;
  private readonly configFile: string;
  private readonly unresolved: ReadonlyMap<string, string>;

  constructor(pages: ReadonlyMap<string, PageFacts>, { excluded, configFile, unresolved = new Map() }: WalkOptions) {
    this.pages = pages;
    this.excluded = excluded;
    this.configFile = configFile;
    this.unresolved = unresolved;
  }

  start(root: NavigationEntry): void {
    const global = levelsOf(root.global ?? {});
    const top: WalkState = { ...topState, levels: global.map((level) => ({ level })) };
    this.visit(root, inherit(root, top));
    for (const level of global) {
      const others = global.filter((one) => one !== level).map((one) => ({ level: one }));
      for (const division of level.divisions) this.visitDivision(level, division, { ...top, levels: others });
    }
    // Every page needs a context, even if the navigation has none.
    if (this.walked.contexts.length === 0) this.leaf([], top);
  }

  private visit(found: NavigationEntry, state: WalkState): void {
    const entry = intoVersions(found);
    const levels = levelsOf(entry);
    const own = [...(entry.pages ?? []), ...(entry.groups ?? [])];
    const beside = (active?: Level) => levels.filter((level) => level !== active).map((level) => ({ level }));
    if (own.length) this.leaf(own, { ...state, levels: [...state.levels, ...beside()] });
    else if (levels.length === 0) this.addUnresolved(entry, state);
    for (const level of levels) {
      for (const division of defaultFirst(level.divisions))
        this.visitDivision(level, division, { ...state, levels: [...state.levels, ...beside(level)] });
    }
  }

  private visitDivision(level: Level, division: Division, state: WalkState): void {
    const { entry } = division;
    const next: WalkState = {
      ...inherit(entry, state),
      at: [...state.at, division.label],
      keys: [...state.keys, entry.language ? languageTag(entry.language) : division.label],
      levels: [...state.levels, { level, active: division }],
      divisions: [...state.divisions, division],
    };
    if (entry.language) next.language = languageTag(entry.language);
    if (entry.version) next.docsVersion = entry.version;
    this.visit(entry, next);
    if (entry.menu?.length) {
      const menu: Level = { name: 'menu', divisions: entry.menu.map((item) => ({ label: item.item ?? '', entry: item })) };
      division.menu = menu.divisions;
      for (const item of menu.divisions) this.visitDivision(menu, item, next);
    }
  }

  private leaf(entries: (string | NavigationEntry)[], state: WalkState): void {
    const { language, docsVersion, levels } = state;
    const context: FoundContext = { key: this.freshKey(state.keys), language, docsVersion, levels, sidebar: [], sequence: [] };
    this.walked.contexts.push(context);
    context.sidebar = this.nodes(entries, state, context, 0);
  }

  private freshKey(parts: string[]): string {
    const base = parts.map((part) => part.replaceAll('/', '-')).join('/') || 'site';
    let key = base;
    for (let number = 2; this.keys.has(key); number++) key = `${base}~${number}`;
    this.keys.add(key);
    return key;
  }

  private nodes(entries: (string | NavigationEntry)[], state: WalkState, context: FoundContext, depth: number): NavigationNode[] {
    return entries.flatMap((entry) =>
      typeof entry === 'string' ? this.pageNode(entry, state, context) : this.groupNode(entry, state, context, depth),
    );
  }

  private pageNode(entry: string, state: WalkState, context: FoundContext): NavigationNode[] {
    if (isExternal(entry) && safeUrl(entry) !== undefined && !this.unresolved.has(entry.trim())) {
      return state.hiddenGroup
        ? []
        : [{ kind: 'page', path: '', title: entry.replace(/^\w+:\/\//, ''), href: entry.trim(), external: true }];
    }
    const facts = this.list(entry, state, context);
    if (!facts || state.hiddenGroup || facts.hidden) return [];
    const { path, icon, tag, url } = facts;
    const title = facts.sidebarTitle ?? facts.title;
    const shared = { kind: 'page' as const, path, title, icon, tag, deprecated: facts.deprecated || undefined };
    if (url) return [{ ...shared, href: url, external: isExternal(url) || undefined }];
    context.sequence.push(path);
    return [{ ...shared, href: pageHref(path) }];
  }

  /** Records an occurrence of a page; undefined when the page is not shown. */
  private list(entry: string, state: WalkState, context: FoundContext): PageFacts | undefined {
    const facts = findPage(entry, this.pages);
    if (!facts) {
      if (this.excluded.has(normalPath(entry))) return undefined;
      const reason = this.unresolved.get(entry.trim()) ?? (operationEntry.test(entry.trim()) ? notInSpecifications : undefined);
      if (reason !== undefined) this.walked.unresolved.push({ entry: entry.trim(), reason, ...this.contextOf(state) });
      else this.walked.missing.push({ entry, at: state.at.join(' › ') || this.configFile, context });
      return undefined;
    }
    const { trail, hidden: hiddenAbove, searchable: searchableAbove, boost } = state;
    this.walked.listings.push({ path: facts.path, context, trail, hiddenAbove, searchableAbove, boost });
    if (this.excluded.has(facts.path)) return undefined;
    if (!facts.hidden && !facts.url && !state.hidden) for (const division of state.divisions) division.first ??= facts.path;
    if (!facts.hidden && !facts.url && !state.hiddenGroup) for (const step of trail) step.href ??= pageHref(facts.path);
    return facts;
  }

  private groupNode(entry: NavigationEntry, outer: WalkState, context: FoundContext, depth: number): NavigationNode[] {
    const label = entry.group?.trim() ?? entry.tab ?? entry.anchor ?? entry.dropdown ?? entry.product ?? entry.version ?? '';
    const state = inherit(entry, outer);
    state.hiddenGroup ||= entry.hidden === true;
    state.at = label ? [...outer.at, label] : outer.at;
    state.trail = label ? [...outer.trail, { title: label }] : outer.trail;
    const before = context.sequence.length;
    const rootFacts = entry.root === undefined ? undefined : this.list(entry.root, state, context);
    if (rootFacts && !rootFacts.hidden && !rootFacts.url && !state.hiddenGroup) context.sequence.push(rootFacts.path);
    const own = [...(entry.pages ?? []), ...(entry.groups ?? [])].filter((page) => page !== entry.root);
    if (own.length === 0) this.addUnresolved(entry, state);
    const children = this.nodes(own, state, context, depth + 1);
    const kind = state.directory ?? 'none';
    if (rootFacts && kind !== 'none' && !this.walked.directories.has(rootFacts.path)) {
      const listed = children.flatMap((node) => directoryEntry(node, this.pages) ?? []);
      if (listed.length > 0) this.walked.directories.set(rootFacts.path, { kind, entries: listed });
    }
    if (state.hiddenGroup) {
      context.sequence.length = before;
      return [];
    }
    const href = rootFacts ? (rootFacts.url ?? pageHref(rootFacts.path)) : entry.href && siteHref(entry.href);
    if (children.length === 0 && !href) return [];
    const marks = { icon: entry.icon || undefined, tag: entry.tag || undefined };
    if (children.length === 0 && rootFacts)
      return [{ kind: 'page', path: rootFacts.path, title: label || rootFacts.title, href: href!, ...marks }];
    const expanded = depth === 0 || entry.expanded === true || entry.collapsed === false;
    return [{ kind: 'group', title: label, ...marks, href: href || undefined, expanded, children }];
  }

  /** Records what an entry without its own pages names but cannot get (a specification that could not be read, or one in an unsupported format), or that it names nothing. */
  private addUnresolved(entry: NavigationEntry, state: WalkState): void {
    const context = this.contextOf(state);
    for (const key of ['openapi', 'asyncapi', 'graphql'] as const) {
      if (entry[key] === undefined) continue;
      const name = specificationEntry(key, specificationNames(entry[key]));
      const reason = this.unresolved.get(name) ?? 'the specification is not in the docs folder';
      this.walked.unresolved.push({ entry: name, reason, ...context });
    }
    if (entry.sdk !== undefined) {
      const reason = 'this format is not supported yet';
      this.walked.unresolved.push({ entry: `"sdk": ${JSON.stringify(entry.sdk)}`, reason, ...context });
    }
    const name = entryNames.find((one) => entry[one]?.trim());
    const { openapi, asyncapi, graphql, sdk, href, root, menu } = entry;
    const isEmpty = [openapi, asyncapi, graphql, sdk, href, root, menu?.[0]].every((value) => value === undefined);
    if (name !== undefined && isEmpty && !state.hidden) this.walked.empty.push({ entry: `${name} "${entry[name]}"`, ...context });
  }

  private contextOf({ at, language, docsVersion }: WalkState): Omit<UnresolvedEntry, 'entry' | 'reason'> {
    return { at: at.join(' › ') || this.configFile, ...(language && { language }), ...(docsVersion && { docsVersion }) };
  }
}

function inherit(entry: NavigationEntry, state: WalkState): WalkState {
  const isHidden = entry.hidden === true;
  return {
    ...state,
    hidden: state.hidden || isHidden,
    searchable: entry.searchable ?? (isHidden ? false : state.searchable),
    boost: entry.boost ?? state.boost,
    directory: entry.directory ?? state.directory,
  };
}

/** An entry of a sidebar as a directory lists it; undefined for a group without a page. */
function directoryEntry(node: NavigationNode, pages: ReadonlyMap<string, PageFacts>): DirectoryEntry | undefined {
  const { title, icon } = node;
  if (node.kind === 'page') {
    const description = node.href === pageHref(node.path) ? pages.get(node.path)?.description : undefined;
    return { title, ...(icon && { icon }), ...(description && { description }), href: node.href };
  }
  const entries = node.children.flatMap((child) => directoryEntry(child, pages) ?? []);
  const href = node.href ?? entries[0]?.href;
  const description = node.href === undefined ? undefined : pages.get(node.href.slice(1))?.description;
  return href === undefined ? undefined : { title, ...(icon && { icon }), ...(description && { description }), href, entries };
}
