const MENUS = 'details:is(.switcher, .tab-menu)[open]';

/** Closes open menus of the header when the reader turns elsewhere. Opening needs no script. */
export function closeMenus(): void {
  const closeExcept = (kept: Node | null) => {
    for (const menu of document.querySelectorAll<HTMLDetailsElement>(MENUS)) if (!menu.contains(kept)) menu.open = false;
  };
  document.addEventListener('pointerdown', (event) => closeExcept(event.target as Node));
  document.addEventListener('focusin', (event) => closeExcept(event.target as Node));
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    const menu = (event.target as Element).closest<HTMLDetailsElement>(MENUS);
    closeExcept(null);
    menu?.querySelector('summary')?.focus();
  });
}
/** Puts a tab's open menu below the tab, wherever the row is scrolled to, and the current tab into the row's view. */
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
