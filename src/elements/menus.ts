import { elementAt } from '../../integration/reader/shared/element-at.ts';

const MENUS = 'details:is(.switcher, .tab-menu)[open]';

/** Closes open menus of the header when the reader uses something else. Opening works without script. */
export function closeMenus(): void {
  const closeOthers = (used: EventTarget | null) => {
    for (const menu of document.querySelectorAll<HTMLDetailsElement>(MENUS))
      if (!(used instanceof Node && menu.contains(used))) menu.open = false;
  };
  document.addEventListener('pointerdown', (event) => closeOthers(event.target));
  document.addEventListener('focusin', (event) => closeOthers(event.target));
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    const menu = elementAt(event, MENUS);
    closeOthers(null);
    menu?.querySelector('summary')?.focus();
  });
}

/** Places a tab's open menu below the tab, also in a scrolled row, and scrolls the row to the current tab. */
export function placeTabMenus(): void {
  const row = document.querySelector('.header-tabs .tab-row');
  const header = row?.closest('.header');
  if (!row || !header) return;
  const current = row.querySelector(':scope > li:has(> [aria-current], > .active)');
  // Not scrollIntoView: that would scroll the page as well.
  if (current) row.scrollLeft += hidden(current.getBoundingClientRect(), row.getBoundingClientRect());
  const place = (tab: HTMLDetailsElement) => {
    const menu = tab.querySelector<HTMLElement>('.menu');
    if (!menu) return;
    const { left, right, width } = header.getBoundingClientRect();
    const box = tab.getBoundingClientRect();
    const start = getComputedStyle(tab).direction === 'rtl' ? right - box.right : box.left - left;
    menu.style.insetInlineStart = `${Math.max(8, Math.min(start, width - menu.offsetWidth - 8))}px`;
  };
  const open = () => row.querySelectorAll<HTMLDetailsElement>('.tab-menu[open]').forEach(place);
  // `toggle` does not bubble.
  row.addEventListener('toggle', open, { capture: true });
  row.addEventListener('scroll', open, { passive: true });
  addEventListener('resize', open);
}

function hidden(inner: DOMRect, outer: DOMRect): number {
  if (inner.left < outer.left) return inner.left - outer.left;
  return Math.max(0, inner.right - outer.right);
}
