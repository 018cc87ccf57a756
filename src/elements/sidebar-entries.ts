// The script of the sidebar's other entries, which is loaded when the browser is idle.
import { currentPage, loadNavigation, loadSite, pageUrl, siteRoot } from '../../integration/reader/core/site.ts';
import type { NavigationData, NavigationEntry, NavigationGroup, SiteData } from '../../integration/reader/core/site-data.ts';
import type { BranchNode } from '../site/model.ts';
import { entryHtml } from '../site/navigation/navigation-html.ts';
import { currentEntry, dropRoom, navigationOf, titleOf, whenIdle, type Memory } from './sidebar-places.ts';

/** So many entries are added at a time, which takes a few milliseconds. */
const STEP = 60;
/** While the browser is idle, lists grow up to this many entries in all, so that the reader can search the page for one. */
const MOST_IDLE = 1000;
/** Lists also grow when their ends come as close as this to what is visible. */
const MARGIN = '2000px 0px';

/** A list whose entries from `from` to `to` are on the page. */
interface Shown {
  list: HTMLElement;
  level: number;
  entries: NavigationEntry[];
  from: number;
  to: number;
}

/** Completes the sidebar around the entries of the page. Rejects where the navigation script cannot be loaded. */
export async function complete(sidebar: HTMLElement, root: HTMLElement, key: string, memory: Memory): Promise<void> {
  const site = await loadSite();
  const data = await loadNavigation(site, key);
  if (!Array.isArray(data?.entries)) return dropRoom(sidebar);
  new SidebarEntries(sidebar, memory, site, data).start(root);
}

class SidebarEntries {
  private readonly sidebar: HTMLElement;
  private readonly memory: Memory;
  private readonly site: SiteData;
  private readonly data: NavigationData;
  private readonly markup: ReturnType<typeof markupOf>;
  private readonly views = new Map<HTMLElement, Shown>();
  private readonly parts = new WeakMap<Element, Shown>();
  /** While the reader is in a list, it grows outside of what is visible only. */
  private readonly grown: IntersectionObserver;

  constructor(sidebar: HTMLElement, memory: Memory, site: SiteData, data: NavigationData) {
    this.sidebar = sidebar;
    this.memory = memory;
    this.site = site;
    this.data = data;
    this.markup = markupOf(site, data);
    const onSeen: IntersectionObserverCallback = (seen) => {
      const near = new Set(seen.flatMap(({ isIntersecting, target }) => (isIntersecting ? (this.parts.get(target) ?? []) : [])));
      inPlace(sidebar, () => near.forEach((shown) => this.grow(shown)));
    };
    this.grown = new IntersectionObserver(onSeen, { root: sidebar, rootMargin: MARGIN });
  }

  start(root: HTMLElement): void {
    const { sidebar, data, site } = this;
    inPlace(sidebar, () => {
      this.adopt(root, data.entries, 1, pathTo(data.entries, site));
      this.memory.openGroups(root);
    });
    const fill = (deadline?: IdleDeadline) => {
      const next = [...this.views.values()].find(isPartial);
      if (!next || root.getElementsByTagName('li').length >= MOST_IDLE) return dropRoom(sidebar);
      if (!deadline || deadline.timeRemaining() > 5 || deadline.didTimeout) inPlace(sidebar, () => this.grow(next));
      whenIdle(fill);
    };
    whenIdle(fill);
  }

  /** Completes a list of the page. `path` holds the groups around the current entry, from this list down. */
  private adopt(list: HTMLElement, entries: NavigationEntry[], level: number, path: NavigationGroup[]): void {
    const items = [...list.children].filter((item) => !item.matches('.c-all-pages'));
    const folded =
      items.length === 1 && items[0]?.matches('.c-folded') ? items[0].querySelector<HTMLElement>(':scope > ul') : null;
    if (folded) return this.adoptFolded(folded, level, path);
    const from = find(items, entries);
    // A page of another export than the script: its own branch is right, and stays.
    if (from === undefined) return;
    for (const [index, item] of items.entries()) {
      const entry = entries[from + index]!;
      if (!isGroupEntry(entry)) continue;
      const inner = item.querySelector<HTMLElement>(':scope > ul, :scope > details > ul');
      if (inner?.childElementCount) this.adopt(inner, entry.entries, level + 1, entry === path[0] ? path.slice(1) : []);
      else this.openLater(item, entry, level);
    }
    this.show({ list, level, entries, from, to: from + items.length });
  }

  /** The levels below a fold are the last ones of the path. */
  private adoptFolded(list: HTMLElement, level: number, path: NavigationGroup[]): void {
    const depth = 1 + list.querySelectorAll('details[open] > ul').length;
    const group = path.at(-depth);
    if (group) this.adopt(list, group.entries, level + 1, path.slice(path.length - depth + 1));
  }

  /** Makes a link to a closed group the group. A link with the focus stays until it loses it. */
  private openLater(item: Element, group: NavigationGroup, level: number): void {
    const link = item.querySelector<HTMLAnchorElement>('a.c-closed');
    if (link && link === document.activeElement) {
      link.addEventListener('blur', () => inPlace(this.sidebar, () => this.openLater(item, group, level)), { once: true });
      return;
    }
    if (link && level > 1) {
      const opened = this.created(group, level);
      item.replaceChildren(...opened.children);
    } else if (link) {
      if (group.href === undefined) link.replaceWith(...link.childNodes);
      else link.className = '';
    }
    this.connect(item, group, level);
  }

  private created(entry: NavigationEntry, level: number): Element {
    const template = document.createElement('template');
    template.innerHTML = entryHtml(this.nodeOf(entry), level, this.markup);
    return template.content.firstElementChild!;
  }

  /** Gives a group without entries those that it has, at once or when it is opened. */
  private connect(item: Element, group: NavigationGroup, level: number): void {
    const details = item.querySelector<HTMLDetailsElement>(':scope > details');
    const holder = details ?? item;
    const list = holder.querySelector<HTMLElement>(':scope > ul') ?? holder.appendChild(document.createElement('ul'));
    list.setAttribute('role', 'list');
    const fillNow = () => {
      if (list.childElementCount > 0) return;
      const shown: Shown = { list, level: level + 1, entries: group.entries, from: 0, to: 0 };
      // Of a group at the top level, the entries come when it is near: there can be thousands.
      if (details) this.grow(shown);
      this.show(shown, item);
    };
    if (!details || details.open) return fillNow();
    // The toggle comes after the click, and a fast Tab key before it.
    details.querySelector(':scope > summary')?.addEventListener('click', fillNow);
    details.addEventListener('toggle', () => details.open && fillNow());
  }

  private nodeOf(entry: NavigationEntry): BranchNode {
    if (Array.isArray(entry)) return { kind: 'page', path: entry[1], title: entry[0], href: pageUrl(this.site, entry[1]) };
    const { title, icon, tag } = entry;
    const shared = { title, ...(icon !== undefined && { icon: this.iconOf(icon) }), ...(tag !== undefined && { tag }) };
    const href = entry.href === undefined ? undefined : new URL(entry.href, siteRoot()).href;
    if (isGroupEntry(entry))
      return { kind: 'group', ...shared, ...(href !== undefined && { href }), open: entry.open ?? false, children: [] };
    const { path, deprecated, external } = entry;
    return {
      kind: 'page',
      ...shared,
      path: path ?? '',
      href: href ?? pageUrl(this.site, path ?? ''),
      ...(deprecated && { deprecated }),
      ...(external && { external }),
    };
  }

  private iconOf(icon: string): string {
    return Object.hasOwn(this.data.icons, icon) ? icon : new URL(icon, siteRoot()).href;
  }

  /** Watches the ends of a list that is not complete. */
  private show(shown: Shown, holder?: Element): void {
    this.views.set(shown.list, shown);
    this.watch(shown, holder);
  }

  private watch(shown: Shown, holder?: Element): void {
    const { list, from, to, entries } = shown;
    const items = [...list.children].filter((item) => !item.matches('.c-all-pages'));
    const all = list.querySelector(':scope > .c-all-pages');
    if (!isPartial(shown)) {
      if (all && !all.contains(document.activeElement)) all.remove();
      return;
    }
    const ends = [from > 0 && items[0], to < entries.length && (items.at(-1) ?? holder), all];
    for (const end of ends) {
      if (!end) continue;
      this.parts.set(end, shown);
      // An observer reports what is visible only when it starts, and when that changes.
      this.grown.unobserve(end);
      this.grown.observe(end);
    }
  }

  /** Adds entries at both ends of a list. */
  private grow(shown: Shown): void {
    const { list, level, entries } = shown;
    const before = entries.slice(Math.max(0, shown.from - STEP / 2), shown.from);
    const after = entries.slice(shown.to, shown.to + STEP - before.length);
    const add = (added: NavigationEntry[], put: (...items: Element[]) => void) => {
      const items = added.map((entry) => this.created(entry, level));
      put(...items);
      this.memory.openGroups(list);
      for (const [index, item] of items.entries()) {
        const entry = added[index]!;
        if (isGroupEntry(entry)) this.connect(item, entry, level);
      }
    };
    for (const item of [list.firstElementChild, list.lastElementChild]) if (item) this.grown.unobserve(item);
    add(before, (...items) => list.prepend(...items));
    const all = list.querySelector(':scope > .c-all-pages');
    add(after, (...items) => (all ? all.before(...items) : list.append(...items)));
    shown.from -= before.length;
    shown.to += after.length;
    this.watch(shown);
  }
}

function isPartial({ from, to, entries }: Shown): boolean {
  return from > 0 || to < entries.length;
}

function isGroupEntry(entry: NavigationEntry): entry is NavigationGroup {
  return !Array.isArray(entry) && 'entries' in entry;
}

function markupOf(site: SiteData, { icons, labels }: NavigationData) {
  return { here: pageUrl(site, currentPage(site)), icons, labels };
}

/** The groups around the entry of the current page, from the top level down; the first place where the page is. */
function pathTo(entries: NavigationEntry[], site: SiteData): NavigationGroup[] {
  const here = currentPage(site);
  const path: NavigationGroup[] = [];
  const isIn = (list: NavigationEntry[]): boolean =>
    list.some((entry) => {
      if (Array.isArray(entry)) return entry[1] === here;
      if (!isGroupEntry(entry)) return entry.path === here;
      path.push(entry);
      if (isIn(entry.entries)) return true;
      path.pop();
      return false;
    });
  isIn(entries);
  return path;
}

/** The position in `entries` of the first of `items`, all of which follow each other there; undefined where they do not. */
function find(items: Element[], entries: NavigationEntry[]): number | undefined {
  const titles = items.map(titleOf);
  const title = (entry: NavigationEntry | undefined) => (Array.isArray(entry) ? entry[0] : entry?.title);
  const current = items.findIndex((item) => item.querySelector(':scope > a[aria-current="page"]'));
  const found: number[] = [];
  for (let start = 0; start + titles.length <= entries.length; start++) {
    if (titles.every((wanted, index) => title(entries[start + index]) === wanted)) found.push(start);
  }
  if (found.length < 2 || current < 0) return found[0];
  // Entries with the same titles: those around the current page.
  const path = document.documentElement.dataset['carrelPage'];
  return (
    found.find((start) => {
      const entry = entries[start + current];
      return Array.isArray(entry) ? entry[1] === path : entry !== undefined && 'path' in entry && entry.path === path;
    }) ?? found[0]
  );
}

/** Changes the sidebar so that what the reader sees stays where it is. */
function inPlace(sidebar: HTMLElement, change: () => void): void {
  const box = sidebar.getBoundingClientRect();
  const isVisible = (element: Element) => {
    const { top, bottom, height } = element.getBoundingClientRect();
    return height > 0 && bottom > box.top && top < box.bottom;
  };
  const current = currentEntry(sidebar);
  const links = () => [...sidebar.querySelectorAll('.c-navigation :is(li > a, summary, .c-group-title)')];
  const fixed = current && isVisible(current) ? current : links().find(isVisible);
  const before = fixed?.getBoundingClientRect().top ?? 0;
  change();
  if (!fixed?.isConnected) return;
  const moved = fixed.getBoundingClientRect().top - before;
  const { style } = navigationOf(sidebar);
  const room = parseFloat(style.paddingBlockStart) || 0;
  const used = Math.max(0, Math.min(room, moved));
  if (used > 0) style.paddingBlockStart = room > used ? `${room - used}px` : '';
  sidebar.scrollTop += moved - used;
}
