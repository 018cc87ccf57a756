export type Attributes = Record<string, string | number | boolean | undefined | ((event: Event) => void)>;
export type Child = Node | string | number | undefined | false;

/** Creates an element with attributes, listeners (`onclick: …`) and children; `p.hint` has a class. Strings become text nodes, never HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  selector: Name | `${Name}.${string}`,
  ...parts: (Attributes | Child)[]
): HTMLElementTagNameMap[Name] {
  const [name, ...classes] = selector.split('.') as [Name, ...string[]];
  const made = document.createElement(name);
  if (classes.length > 0) made.className = classes.join(' ');
  for (const part of parts) {
    if (typeof part !== 'object' || part instanceof Node) made.append(...present([part]));
    else setAttributes(made, part);
  }
  return made;
}

function setAttributes(on: HTMLElement, attributes: Attributes): void {
  for (const [attribute, value] of Object.entries(attributes)) {
    if (typeof value === 'function') on.addEventListener(attribute.slice(2), value);
    else if (value === true) on.setAttribute(attribute, '');
    else if (value !== undefined && value !== false) on.setAttribute(attribute, String(value));
  }
}

export function button(text: string, onclick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return element('button', { type: 'button', onclick, ...attributes }, text);
}

/** A paragraph in a quiet color. */
export function muted(...children: Child[]): HTMLElement {
  return element('p.muted', ...children);
}

/** A field for names and URLs, which the browser neither completes nor corrects. */
export function textInput(attributes: Attributes = {}): HTMLInputElement {
  return element('input', { autocomplete: 'off', spellcheck: 'false', ...attributes });
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
export function externalLink(url: string, text: string, attributes: Attributes = {}): HTMLElement {
  if (!/^https?:\/\//.test(url)) return element('span', text);
  return element('a', { href: url, target: '_blank', rel: 'noopener noreferrer', ...attributes }, text);
}

function present(children: Child[]): (Node | string)[] {
  return children
    .filter((child) => child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));
}
