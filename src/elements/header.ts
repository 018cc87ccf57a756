import { elementAt } from '../../integration/reader/shared/elements.ts';
import { applyChoice, isChoice, readChoice, storeChoice, stores } from './theme-choice.ts';

/** A banner that can be dismissed, and stays so until its text changes. */
export class Banner extends HTMLElement {
  connectedCallback() {
    this.querySelector('.c-banner-dismiss')?.addEventListener('click', () => {
      stores(() => localStorage.setItem('carrel-banner', document.documentElement.dataset['carrelBanner'] ?? ''));
      document.documentElement.classList.add('c-banner-dismissed');
    });
  }
}

/** Buttons for system, light and dark; the pressed one is the reader's choice. */
export class ThemeSwitch extends HTMLElement {
  connectedCallback() {
    this.addEventListener('click', (event) => {
      const choice = elementAt<HTMLButtonElement>(event, 'button')?.value;
      if (!isChoice(choice)) return;
      storeChoice(choice);
      applyChoice(choice);
      this.show();
    });
    // Another window of the same site may change the choice.
    addEventListener('storage', () => {
      applyChoice(readChoice());
      this.show();
    });
    this.show();
  }

  private show() {
    for (const button of this.querySelectorAll('button'))
      button.setAttribute('aria-pressed', String(button.value === readChoice()));
  }
}

const MENUS = 'details:is(.c-switcher, .c-tab-menu, .c-page-menu-more)[open]';

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
  const row = document.querySelector('.c-header-tabs .c-tab-row');
  const header = row?.closest('.c-header');
  if (!row || !header) return;
  const current = row.querySelector(':scope > li:has(> [aria-current], > .c-active)');
  // Not scrollIntoView: that would scroll the page as well.
  if (current) row.scrollLeft += hidden(current.getBoundingClientRect(), row.getBoundingClientRect());
  const position = (tab: HTMLDetailsElement) => {
    const menu = tab.querySelector<HTMLElement>('.c-menu');
    if (!menu) return;
    const { left, right, width } = header.getBoundingClientRect();
    const box = tab.getBoundingClientRect();
    const start = getComputedStyle(tab).direction === 'rtl' ? right - box.right : box.left - left;
    menu.style.insetInlineStart = `${Math.max(8, Math.min(start, width - menu.offsetWidth - 8))}px`;
  };
  const open = () => row.querySelectorAll<HTMLDetailsElement>('.c-tab-menu[open]').forEach(position);
  // `toggle` does not bubble.
  row.addEventListener('toggle', open, { capture: true });
  row.addEventListener('scroll', open, { passive: true });
  addEventListener('resize', open);
}

function hidden(inner: DOMRect, outer: DOMRect): number {
  if (inner.left < outer.left) return inner.left - outer.left;
  return Math.max(0, inner.right - outer.right);
}
