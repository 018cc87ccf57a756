import { makeTabList, type Tab } from './tab-list.ts';

/** `<section class="c-tab" data-title>` elements, one of which is shown. */
export class Tabs extends HTMLElement {
  connectedCallback() {
    if (this.classList.contains('tabs-ready')) return;
    const tabs = [...this.children].flatMap((panel): Tab[] => {
      if (!(panel instanceof HTMLElement) || !panel.classList.contains('c-tab')) return [];
      return [
        { label: panel.dataset['title'] ?? '', icon: panel.querySelector('.c-tab-title > :is(svg, img)') ?? undefined, panel },
      ];
    });
    if (tabs.length > 0)
      makeTabList(this, tabs, { sync: this.dataset['sync'] !== 'false', initial: Number(this.dataset['default'] ?? 0) });
  }
}

/** Code blocks, one of which is shown, chosen by their titles. */
export class CodeGroup extends HTMLElement {
  connectedCallback() {
    if (this.classList.contains('tabs-ready')) return;
    const tabs = [...this.children].flatMap((panel): Tab[] => {
      if (!(panel instanceof HTMLElement) || !panel.classList.contains('c-code')) return [];
      const title = panel.querySelector('.c-code-title');
      const label = title?.textContent?.trim() || panel.dataset['language'] || 'Code';
      return [{ label, icon: title?.querySelector(':scope > :is(svg, img)') ?? undefined, panel: wrapped(panel) }];
    });
    if (tabs.length > 0) makeTabList(this, tabs, { sync: this.dataset['sync'] !== 'false', initial: 0 });
  }
}

// The role `tabpanel` is not allowed on a figure.
function wrapped(figure: HTMLElement): HTMLElement {
  const panel = document.createElement('div');
  panel.className = 'c-code-panel';
  figure.before(panel);
  panel.append(figure);
  return panel;
}
