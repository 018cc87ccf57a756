import { decode } from '../../integration/reader/shared/decode.ts';
import { elementAt } from '../../integration/reader/shared/elements.ts';
import { stores } from './theme-choice.ts';

/** `<section class="c-tab" data-carrel-title>` elements, one of which is shown. */
export class Tabs extends HTMLElement {
  connectedCallback() {
    if (this.classList.contains('c-tabs-ready')) return;
    const tabs = [...this.children].flatMap((panel): Tab[] => {
      if (!(panel instanceof HTMLElement) || !panel.classList.contains('c-tab')) return [];
      return [
        {
          label: panel.dataset['carrelTitle'] ?? '',
          icon: panel.querySelector('.c-tab-title > :is(svg, img)') ?? undefined,
          panel,
        },
      ];
    });
    if (tabs.length > 0)
      makeTabList(this, tabs, {
        sync: this.dataset['carrelSync'] !== 'false',
        initial: Number(this.dataset['carrelDefault'] ?? 0),
      });
  }
}

/** Code blocks, one of which is shown, chosen by their titles. */
export class CodeGroup extends HTMLElement {
  connectedCallback() {
    if (this.classList.contains('c-tabs-ready')) return;
    const tabs = [...this.children].flatMap((panel): Tab[] => {
      if (!(panel instanceof HTMLElement) || !panel.classList.contains('c-code')) return [];
      const title = panel.querySelector('.c-code-title');
      const label = title?.textContent?.trim() || panel.dataset['language'] || 'Code';
      return [{ label, icon: title?.querySelector(':scope > :is(svg, img)') ?? undefined, panel: wrapped(panel) }];
    });
    const sync = this.dataset['carrelSync'] !== 'false';
    if (tabs.length > 0) makeTabList(this, tabs, { sync, initial: 0, selectLabel: this.dataset['carrelDropdown'] });
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

interface Tab {
  label: string;
  icon?: Node;
  panel: HTMLElement;
}

interface TabListOptions {
  /** Whether tabs with the same label elsewhere on the page are chosen together. */
  sync: boolean;
  /** The tab that is shown where the reader has chosen none. */
  initial: number;
  /** The label of a `<select>` in place of the tabs. */
  selectLabel?: string | undefined;
}

/** What the reader chooses a panel with. */
interface Chooser {
  element: HTMLElement;
  /** Marks the panel that is shown. */
  mark(chosen: number): void;
}

const KEY = 'carrel-tabs';
const CHOSEN = 'carrel-tab-chosen';
let panels = 0;

declare global {
  interface DocumentEventMap {
    [CHOSEN]: CustomEvent<string>;
  }
}

/** Adds a tab list before the panels and shows one of them; the browser's own search still finds text in the others. */
function makeTabList(host: HTMLElement, tabs: Tab[], { sync, initial, selectLabel }: TabListOptions): void {
  const choose = (chosen: number) => {
    show(chosen);
    const label = tabs[chosen]?.label;
    if (!sync || label === undefined) return;
    // Other tab lists change their height, but the one that the reader has just used must stay where it is.
    const before = list.getBoundingClientRect().top;
    remember(label);
    document.dispatchEvent(new CustomEvent(CHOSEN, { detail: label }));
    scrollBy({ top: list.getBoundingClientRect().top - before, behavior: 'instant' });
  };
  const { element: list, mark } = selectLabel === undefined ? tabRow(tabs, choose) : selectOf(tabs, selectLabel, choose);
  const show = (chosen: number) => {
    mark(chosen);
    for (const [index, { panel }] of tabs.entries()) {
      if (index === chosen) panel.removeAttribute('hidden');
      else panel.setAttribute('hidden', 'until-found');
    }
  };
  tabs.forEach(({ panel }, index) => {
    for (const found of ['beforematch', 'carrel-reveal'])
      panel.addEventListener(found, (event) => event.target === panel && show(index));
  });
  if (sync)
    document.addEventListener(CHOSEN, ({ detail }) => {
      const same = tabs.findIndex(({ label }) => label === detail);
      if (same >= 0) show(same);
    });

  list.classList.add('c-tab-list');
  host.prepend(list);
  host.classList.add('c-tabs-ready');
  show((sync ? remembered(tabs) : null) ?? (initial in tabs ? initial : 0));
}

function tabRow(tabs: Tab[], choose: (chosen: number) => void): Chooser {
  const list = document.createElement('div');
  list.setAttribute('role', 'tablist');
  const buttons = tabs.map(({ label, icon, panel }) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...(icon ? [icon.cloneNode(true)] : []), label);
    button.setAttribute('role', 'tab');
    panel.id ||= `panel-${++panels}`;
    button.id = `${panel.id}-tab`;
    button.setAttribute('aria-controls', panel.id);
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', button.id);
    list.append(button);
    return button;
  });
  list.addEventListener('click', (event) => {
    const pressed = elementAt(event, 'button');
    const chosen = buttons.findIndex((button) => button === pressed);
    if (chosen >= 0) choose(chosen);
  });
  list.addEventListener('keydown', (event) => {
    const next = neighbor(
      event.key,
      buttons.findIndex((button) => button === event.target),
      buttons.length,
    );
    if (next === null) return;
    event.preventDefault();
    choose(next);
    buttons[next]?.focus();
  });
  const mark = (chosen: number) => {
    for (const [index, button] of buttons.entries()) {
      button.setAttribute('aria-selected', String(index === chosen));
      button.tabIndex = index === chosen ? 0 : -1;
    }
  };
  return { element: list, mark };
}

function selectOf(tabs: Tab[], label: string, choose: (chosen: number) => void): Chooser {
  const select = document.createElement('select');
  select.setAttribute('aria-label', label);
  select.append(...tabs.map((tab) => new Option(tab.label)));
  select.addEventListener('change', () => choose(select.selectedIndex));
  return { element: select, mark: (chosen) => (select.selectedIndex = chosen) };
}

function neighbor(key: string, from: number, count: number): number | null {
  const forward = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  const back = forward === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft';
  if (key === forward) return (from + 1) % count;
  if (key === back) return (from - 1 + count) % count;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return null;
}

function labels(): string[] {
  const stored: unknown = stores(() => JSON.parse(localStorage.getItem(KEY) ?? '[]'));
  return Array.isArray(stored) ? stored.filter((label) => typeof label === 'string') : [];
}

function remember(label: string): void {
  const recent = [label, ...labels().filter((other) => other !== label)].slice(0, 12);
  stores(() => localStorage.setItem(KEY, JSON.stringify(recent)));
}

function remembered(tabs: Tab[]): number | null {
  for (const label of labels()) {
    const index = tabs.findIndex((tab) => tab.label === label);
    if (index >= 0) return index;
  }
  return null;
}

/** One of several alternatives of a page (`<carrel-view data-carrel-title>`). The first one adds the buttons that choose among them. */
export class View extends HTMLElement {
  connectedCallback() {
    const views = [...document.querySelectorAll<View>('carrel-view')];
    const titles = [...new Set(views.map((view) => view.dataset['carrelTitle'] ?? ''))];
    if (views[0] !== this || titles.length < 2) return;
    const list = document.createElement('div');
    list.className = 'c-tab-list c-view-list';
    list.setAttribute('role', 'group');
    const show = (title: string) => {
      for (const view of views) {
        view.classList.add('c-view-ready');
        view.hidden = view.dataset['carrelTitle'] !== title;
      }
      for (const button of list.children) button.setAttribute('aria-pressed', String(button.textContent === title));
      for (const link of document.querySelectorAll<HTMLAnchorElement>('carrel-on-this-page a')) {
        const heading = document.getElementById(decode(link.hash.slice(1)));
        if (link.parentElement) link.parentElement.hidden = heading?.closest('carrel-view[hidden]') != null;
      }
    };
    for (const title of titles) {
      const button = document.createElement('button');
      button.type = 'button';
      const icon = views.find((view) => view.dataset['carrelTitle'] === title)?.querySelector('.c-view-title > :is(svg, img)');
      button.append(...(icon ? [icon.cloneNode(true)] : []), title);
      button.addEventListener('click', () => {
        remember(title);
        show(title);
      });
      list.append(button);
    }
    for (const view of views) view.addEventListener('carrel-reveal', () => show(view.dataset['carrelTitle'] ?? ''));
    this.before(list);
    show(labels().find((label) => titles.includes(label)) ?? titles[0]!);
  }
}
