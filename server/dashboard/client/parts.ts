// Small parts that several sections show.
import { announce, element, type Child } from './element.ts';
import { Fault } from './client.ts';

/** A refusal as people read it: what to do first, then what to name when asking for help. */
export function faultMessage(error: unknown): HTMLElement {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Fault ? error.code : 'DashboardError';
  const requestId = error instanceof Fault ? error.requestId : undefined;
  const names = element('p', { class: 'names' }, 'Code ', element('code', {}, code));
  if (requestId) names.append(' · request ', element('code', {}, requestId));
  return element('div', { class: 'fault', role: 'alert' }, element('p', {}, message), names);
}

/** Runs what a button asks for: it waits meanwhile, and a refusal shows in `place`. */
export async function attempt(button: HTMLButtonElement, place: Element, work: () => Promise<void>): Promise<void> {
  if (button.ariaDisabled === 'true') return;
  // Not `disabled`, which would take the focus away.
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

/** A part of a view with its title, and what can be done there beside it. */
export function section(id: string, title: string, action: HTMLElement | undefined, ...children: Child[]): HTMLElement {
  const head = element('div', { class: 'head' }, element('h2', { id: `${id}-title`, tabindex: -1 }, title), action);
  return element('section', { 'aria-labelledby': `${id}-title` }, head, ...children);
}

/** A field with its label, and what it is for under it. */
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

/** A modal dialog with a title. It is gone from the page when it is closed, with all that stood in it. */
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

/** Asks before something that cannot be undone; `work` runs on yes. */
export function confirm(title: string, text: string, yes: string, work: () => Promise<void>): void {
  const place = element('div');
  const go = element('button', { type: 'button', class: 'danger' }, yes);
  const close = element('button', { type: 'button', autofocus: true, onclick: () => asked.close() }, 'Go back');
  const from = document.activeElement?.closest('section');
  go.addEventListener('click', () =>
    attempt(go, place, async () => {
      await work();
      asked.close();
      asked.remove();
      // The button that asked may be gone with what it was for; then the focus stays near it.
      if (document.activeElement === document.body) from?.querySelector('h2')?.focus();
    }),
  );
  const asked = dialog(title, element('p', {}, text), place, element('div', { class: 'actions' }, go, close));
}

/** Copies a text out of its field, or selects it where the browser lets nobody write to the clipboard. */
export function copyButton(from: HTMLInputElement | HTMLTextAreaElement): HTMLButtonElement {
  const button = element('button', { type: 'button' }, 'Copy');
  button.addEventListener('click', async () => {
    from.select();
    const copied = await navigator.clipboard?.writeText(from.value).then(
      () => true,
      () => false,
    );
    button.textContent = copied ? 'Copied' : 'Selected: press Ctrl+C';
    announce(button.textContent);
  });
  return button;
}
