/** An element with attributes and children; an attribute whose value is undefined is not set. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string | undefined> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) created.setAttribute(name, value);
  created.append(...children);
  return created;
}

/** The element at an event that matches a selector, also in an open shadow tree; null where there is none. */
export function elementAt<Match extends Element = HTMLElement>(event: Event, selector: string): Match | null {
  const target = event.composedPath()[0];
  return target instanceof Element ? target.closest<Match>(selector) : null;
}

/**
 * Keeps keys that are typed in a shadow tree from the page's own shortcuts: to the page they seem pressed on the host element, which is
 * not a field. Combinations with Ctrl, Cmd or Alt still reach the page.
 */
export function keepKeys(root: ShadowRoot): void {
  const keep = (event: Event) => {
    if (event instanceof KeyboardEvent && !event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
  };
  for (const type of ['keydown', 'keypress', 'keyup']) root.addEventListener(type, keep);
}

/** The element that holds the main content of the page, as far as the page says it. */
export function mainContent(): HTMLElement {
  return document.querySelector<HTMLElement>('[data-carrel-content]') ?? document.querySelector('main') ?? document.body;
}

/** The text of a heading or link, without the sign of its anchor, icons and tags. */
export function textOf(shown: Element): string {
  const copy = document.createElement('div');
  copy.append(...[...shown.childNodes].map((node) => node.cloneNode(true)));
  for (const other of copy.querySelectorAll('.c-anchor, .c-tag, [aria-hidden=true]')) other.remove();
  return (copy.textContent ?? '').replace(/\s+/g, ' ').trim();
}
