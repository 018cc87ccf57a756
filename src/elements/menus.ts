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
