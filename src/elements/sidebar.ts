// The sidebar: a page carries its own branch of the navigation, and sidebar-entries.ts completes it around the entries that are there.
import { runAlone } from '../../integration/reader/run-script.ts';
import { elementAt } from '../../integration/reader/shared/elements.ts';
import { carrelFolder } from '../../integration/reader/shared/loader.ts';
import { isRecord } from '../../integration/text/json.ts';
import { currentEntry, dropRoom, isInside, titlePath, whenIdle, type Memory } from './sidebar-places.ts';
import { stores } from './theme-choice.ts';

/**
 * Keeps the sidebar's scroll position and open groups from page to page, shows the current entry, and completes the sidebar when the browser
 * is idle and shows it, or the reader uses it. Without the scripts for that, the page's own branch stays as it is.
 */
export function installSidebar(): void {
  const sidebar = document.getElementById('carrel-sidebar');
  const navigation = sidebar?.querySelector<HTMLElement>('.c-navigation');
  const list = navigation?.querySelector<HTMLElement>(':scope > ul:not(.c-anchors)');
  if (!sidebar || !navigation || !list) return;
  const { carrelContext: context, carrelPartial: partial } = navigation.dataset;
  const isComplete = context === undefined || partial === undefined;
  const memory = remember(sidebar, navigation, !isComplete);
  memory.openGroups(list);
  if (!memory.place()) showCurrentEntry(sidebar);
  sidebar.addEventListener('toggle', (event) => event.target === sidebar && showCurrentEntry(sidebar));
  if (isComplete) return;
  let started = false;
  const start = () => {
    if (started) return;
    started = true;
    // Without the scripts, the page's own branch stays, with links to everything.
    runAlone<typeof import('./sidebar-entries.ts')>('sidebar')
      .then(({ complete }) => complete(sidebar, list, context, memory))
      .catch(() => dropRoom(sidebar));
  };
  for (const type of ['pointerenter', 'focusin', 'toggle']) sidebar.addEventListener(type, start);
  // On narrow screens the sidebar is closed, and most readers never open it.
  whenIdle(() => sidebar.getClientRects().length > 0 && start());
}

function showCurrentEntry(sidebar: HTMLElement): void {
  const entry = currentEntry(sidebar);
  if (!entry) return;
  const { top, bottom } = entry.getBoundingClientRect();
  const box = sidebar.getBoundingClientRect();
  // Not scrollIntoView: that would scroll the page as well.
  if (top < box.top || bottom > box.bottom) sidebar.scrollTop += top - box.top - box.height / 3;
}

/** What the sidebar of the last page looked like, in the session's storage. Pages opened from disk can share it, so each site has its own. */
function remember(sidebar: HTMLElement, navigation: HTMLElement, isPartial: boolean): Memory {
  const name = `carrel-sidebar ${carrelFolder} ${navigation.dataset['carrelContext'] ?? ''}`;
  const stored: unknown = stores(() => JSON.parse(sessionStorage.getItem(name) ?? 'null') as unknown);
  const state = isRecord(stored) ? stored : {};
  const open = new Map(Object.entries(isRecord(state['open']) ? state['open'] : {}));
  const entries = Array.isArray(state['entries']) ? (state['entries'] as unknown[]) : [];
  const { from } = state;
  if (isRecord(from) && from['href'] === currentEntry(sidebar)?.href) sidebar.dataset['carrelFrom'] = String(from['name']);
  let clicked: HTMLAnchorElement | null = null;

  navigation.addEventListener('click', (event) => {
    clicked = elementAt<HTMLAnchorElement>(event, 'a');
    const group = elementAt(event, 'summary')?.parentElement;
    // The toggle comes after the click.
    if (!(group instanceof HTMLDetailsElement && !group.matches('.c-switcher'))) return;
    open.set(titlePath(group), !group.open);
    if (!group.open && navigation.dataset['carrelDrilldown'] !== undefined) group.querySelector('a')?.click();
  });
  addEventListener('pagehide', () => {
    const box = sidebar.getBoundingClientRect();
    const visible = [clicked, currentEntry(sidebar), ...navigation.querySelectorAll('a')].flatMap((link) => {
      if (!(link instanceof HTMLAnchorElement)) return [];
      const { top, bottom, height } = link.getBoundingClientRect();
      return height > 0 && top >= box.top && bottom <= box.bottom
        ? [[link.href, Math.round(top - box.top), titlePath(link)]]
        : [];
    });
    const from = clicked && { href: clicked.href, name: titlePath(clicked) };
    const next = { open: Object.fromEntries(open), entries: visible.slice(0, 60), from };
    stores(() => sessionStorage.setItem(name, JSON.stringify(next)));
  });
  return {
    openGroups(list) {
      for (const group of list.querySelectorAll<HTMLDetailsElement>('details')) {
        const name = titlePath(group);
        const { carrelFrom: from } = sidebar.dataset;
        const wanted = from && isInside(from, name) ? true : open.get(name);
        // The way to the current entry is always open.
        if (typeof wanted === 'boolean' && !group.querySelector('[aria-current="page"]')) group.open = wanted;
      }
    },
    place() {
      const links = [...navigation.querySelectorAll('a')].map((link) => ({ link, href: link.href, name: titlePath(link) }));
      for (const entry of entries) {
        const [href, top, name]: unknown[] = Array.isArray(entry) ? entry : [];
        const isFrom = sidebar.dataset['carrelFrom'] !== undefined && name === sidebar.dataset['carrelFrom'];
        const own = links.filter((other) => other.href === href);
        const found =
          own.find((other) => other.name === name) ??
          // The place that the reader came from may still be in a closed group, which is a link.
          (isFrom ? links.findLast((other) => isInside(String(name), other.name)) : undefined) ??
          own[0];
        const link = found?.link;
        if (!link || typeof top !== 'number' || link.getClientRects().length === 0) continue;
        const missing = () => top - (link.getBoundingClientRect().top - sidebar.getBoundingClientRect().top);
        sidebar.scrollTop -= missing();
        // Until the sidebar is complete, room stands for the entries above.
        if (isPartial && missing() > 0) navigation.style.paddingBlockStart = `${missing()}px`;
        return isFrom;
      }
      return false;
    },
  };
}
