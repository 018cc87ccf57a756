type Value = string | number | boolean | undefined | ((event: Event) => void);
export type Child = Node | string | number | undefined | false;

/** Creates an element with attributes, listeners (`onclick: …`) and children. Strings become text nodes, never HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, Value> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(attribute.slice(2), value);
    else if (value === true) made.setAttribute(attribute, '');
    else if (value !== undefined && value !== false) made.setAttribute(attribute, String(value));
  }
  made.append(...present(children));
  return made;
}

/** Replaces an element's children. The focus stays on the element with the same `data-focus`. */
export function replace(parent: Element, ...children: Child[]): void {
  const focused = parent.contains(document.activeElement) ? document.activeElement?.getAttribute('data-focus') : undefined;
  parent.replaceChildren(...present(children));
  if (focused) parent.querySelector<HTMLElement>(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
}

/** Announces a change to screen readers. */
export function announce(text: string): void {
  document.querySelector('#announcement')!.textContent = text;
}

/** A link that opens in a new tab. Only http(s) URLs become links. */
export function externalLink(address: string, text: string, attributes: Record<string, Value> = {}): HTMLElement {
  if (!/^https?:\/\//.test(address)) return element('span', {}, text);
  return element('a', { href: address, target: '_blank', rel: 'noopener noreferrer', ...attributes }, text);
}

function present(children: Child[]): (Node | string)[] {
  return children
    .filter((child) => child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));
}
