import { element } from './shared/elements.ts';
import { isApple } from './shared/is-apple.ts';
import { followScheme, colors, adoptStyle } from './shared/style.ts';
import { searchIcon } from './shared/search-icon.ts';

/**
 * `<carrel-search-button label="Search">`: a button that opens search, for sites without one. With `corner` it is a small one in the
 * corner of the window; without, it has its label and stays where the site puts it.
 */
export class SearchButton extends HTMLElement {
  connectedCallback() {
    if (this.shadowRoot) return;
    const label = this.getAttribute('label') ?? 'Search';
    const shortcut = isApple ? '⌘K' : 'Ctrl K';
    const button = element('button', {
      type: 'button',
      part: 'button',
      'data-carrel-search': '',
      'aria-haspopup': 'dialog',
      'aria-keyshortcuts': 'Meta+K Control+K /',
      title: `${label} (${shortcut})`,
    });
    const icon = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    icon.setAttribute('viewBox', '0 0 24 24');
    icon.setAttribute('aria-hidden', 'true');
    path.setAttribute('d', searchIcon);
    icon.append(path);
    const text = element('span', {}, label);
    const keys = element('kbd', { 'aria-hidden': 'true' }, shortcut);
    button.append(icon, text, keys);
    const root = this.attachShadow({ mode: 'open' });
    adoptStyle(root, style);
    followScheme(this);
    root.append(button);
  }
}

const style = `
${colors}
button {
  display: inline-flex; align-items: center; gap: 0.5rem; min-height: 2.5rem; padding: 0 0.6rem 0 0.75rem;
  border: 1px solid var(--line); border-radius: 0.5rem; background: var(--ground); color: var(--text);
  font: 400 0.875rem/1.5 system-ui, sans-serif; font-family: var(--carrel-font, inherit); cursor: pointer;
}
button:hover { border-color: var(--muted); color: var(--strong); }
button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
svg { width: 1.1rem; height: 1.1rem; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; }
kbd { padding: 0 0.35rem; border: 1px solid var(--line); border-radius: 0.3rem; color: var(--muted); font: inherit; font-size: 0.75rem; }
:host([corner]) button {
  position: fixed; z-index: var(--carrel-layer, 1000);
  inset-block-end: max(1rem, env(safe-area-inset-bottom)); inset-inline-end: max(1rem, env(safe-area-inset-right));
  justify-content: center; width: 2.75rem; height: 2.75rem; padding: 0; border-color: var(--muted); border-radius: 50%;
  color: var(--strong); box-shadow: 0 2px 10px rgb(0 0 0 / 18%);
}
:host([corner]) span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
:host([corner]) kbd { display: none; }
@media print { button { display: none !important; } }
`;
