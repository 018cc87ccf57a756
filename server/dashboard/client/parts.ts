// Small components that several sections use.
import { announce, element, type Child } from './element.ts';
import { Fault } from './client.ts';

/** A human-readable error: the message, then the code and request ID for support. */
export function faultMessage(error: unknown): HTMLElement {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Fault ? error.code : 'DashboardError';
  const requestId = error instanceof Fault ? error.requestId : undefined;
  const names = element('p', { class: 'names' }, 'Code ', element('code', {}, code));
  if (requestId) names.append(' · request ', element('code', {}, requestId));
  return element('div', { class: 'fault', role: 'alert' }, element('p', {}, message), names);
}

/** Runs a button's action. The button is disabled meanwhile, and an error appears in `place`. */
export async function attempt(button: HTMLButtonElement, place: Element, work: () => Promise<void>): Promise<void> {
  if (button.ariaDisabled === 'true') return;
  // `disabled` would remove the focus.
  button.ariaDisabled = 'true';
  place.replaceChildren();
  try {
    await work();
  } catch (error) {
    place.replaceChildren(faultMessage(error));
  } finally {
    button.ariaDisabled = null;
  }
}

export function chip(status: string): HTMLElement {
  return element('span', { class: `chip ${status}` }, status);
}

/** A section of a view with its title and an action next to it. */
export function section(id: string, title: string, action: HTMLElement | undefined, ...children: Child[]): HTMLElement {
  const head = element('div', { class: 'head' }, element('h2', { id: `${id}-title`, tabindex: -1 }, title), action);
  return element('section', { 'aria-labelledby': `${id}-title` }, head, ...children);
}

/** A field with its label above and a hint below. */
export function field(label: string, input: HTMLElement, hint?: string): HTMLElement {
  const id = input.id || `field-${label.toLowerCase().replaceAll(/\W+/g, '-')}`;
  input.id = id;
  if (hint) input.setAttribute('aria-describedby', `${id}-hint`);
  return element(
    'div',
    { class: 'field' },
    element('label', { for: id }, label),
    input,
    hint !== undefined && element('p', { class: 'hint', id: `${id}-hint` }, hint),
  );
}

/** A modal dialog with a title. Closing it removes it and its content from the page. */
export function dialog(title: string, ...children: Child[]): HTMLDialogElement {
  const made = element(
    'dialog',
    { 'aria-labelledby': 'dialog-title' },
    element('h2', { id: 'dialog-title' }, title),
    ...children,
  );
  made.addEventListener('close', () => made.remove());
  document.body.append(made);
  made.showModal();
  return made;
}

/** Asks for confirmation before an irreversible action, then runs `work`. */
export function confirm(title: string, text: string, yes: string, work: () => Promise<void>): void {
  const place = element('div');
  const go = element('button', { type: 'button', class: 'danger' }, yes);
  const close = element('button', { type: 'button', autofocus: true, onclick: () => asked.close() }, 'Go back');
  const from = document.activeElement?.closest('section');
  const run = async (): Promise<void> => {
    await work();
    asked.close();
    asked.remove();
    // The action may have removed the button that opened the dialog; the focus then moves to its section.
    if (document.activeElement === document.body) from?.querySelector('h2')?.focus();
  };
  go.addEventListener('click', () => void attempt(go, place, run));
  const asked = dialog(title, element('p', {}, text), place, element('div', { class: 'actions' }, go, close));
}

/** Copies the text of a field, or selects it if the browser denies access to the clipboard. */
export function copyButton(from: HTMLInputElement | HTMLTextAreaElement): HTMLButtonElement {
  const button = element('button', { type: 'button' }, 'Copy');
  const copy = async (): Promise<void> => {
    from.select();
    const copied = await navigator.clipboard?.writeText(from.value).then(
      () => true,
      () => false,
    );
    button.textContent = copied ? 'Copied' : 'Selected: press Ctrl+C';
    announce(button.textContent);
  };
  button.addEventListener('click', () => void copy());
  return button;
}
