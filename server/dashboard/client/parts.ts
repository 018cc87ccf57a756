// Small components that several sections use.
import { announce, button, element, type Child } from './element.ts';
import { Fault } from './client.ts';

/** A human-readable error: the message, then the code and request ID for support. */
export function faultMessage(error: unknown): HTMLElement {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Fault ? error.code : 'DashboardError';
  const requestId = error instanceof Fault ? error.requestId : undefined;
  const names = element('p', { class: 'names' }, 'Code ', element('code', code));
  if (requestId) names.append(' · request ', element('code', requestId));
  return element('div', { class: 'fault', role: 'alert' }, element('p', message), names);
}

/** Runs a button's action. The button is disabled meanwhile, and an error appears in `output`. */
export async function attempt(button: HTMLButtonElement, output: Element, work: () => Promise<void>): Promise<void> {
  if (button.ariaDisabled === 'true') return;
  // `disabled` would remove the focus.
  button.ariaDisabled = 'true';
  output.replaceChildren();
  try {
    await work();
  } catch (error) {
    output.replaceChildren(faultMessage(error));
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

/** A form that runs `submit`. Its buttons and errors are below the fields. */
export function form(go: string, submit: () => Promise<void>, fields: Child[], ...others: HTMLButtonElement[]): HTMLFormElement {
  const output = element('div');
  const send = element('button', { class: 'primary' }, go);
  const onsubmit = (event: Event): void => {
    event.preventDefault();
    void attempt(send, output, submit);
  };
  return element('form', { onsubmit }, ...fields, output, element('div', { class: 'actions' }, send, ...others));
}

/** A form in a dialog, which closes before `onDone` gets the result of `work`. */
export function formDialog<Made>(
  title: string,
  fields: Child[],
  { go, work, onDone }: { go: string; work: () => Promise<Made>; onDone: (made: Made) => Promise<void> },
): void {
  const submit = async (): Promise<void> => {
    const made = await work();
    asked.close();
    await onDone(made);
  };
  const asked = dialog(
    title,
    form(
      go,
      submit,
      fields,
      button('Go back', () => asked.close()),
    ),
  );
}

/** A table in a container that scrolls on narrow screens. A column without a name has no header. */
export function table(label: string, columns: string[], body: HTMLElement): HTMLElement {
  const head = columns.map((name) => (name === '' ? element('td') : element('th', { scope: 'col' }, name)));
  return element(
    'div',
    { class: 'table', tabindex: 0, role: 'region', 'aria-label': label },
    element('table', element('thead', element('tr', ...head)), body),
  );
}

/** Asks for confirmation before an irreversible action, then runs `work`. */
export function confirm(title: string, text: string, yes: string, work: () => Promise<void>): void {
  const output = element('div');
  const go = button(yes, () => void attempt(go, output, run), { class: 'danger' });
  const from = document.activeElement?.closest('section');
  const run = async (): Promise<void> => {
    await work();
    asked.close();
    asked.remove();
    // The action may have removed the button that opened the dialog; the focus then moves to its section.
    if (document.activeElement === document.body) from?.querySelector('h2')?.focus();
  };
  const close = button('Go back', () => asked.close(), { autofocus: true });
  const asked = dialog(title, element('p', text), output, element('div', { class: 'actions' }, go, close));
}

/** Copies the text of a field, or selects it if the browser denies access to the clipboard. */
export function copyButton(from: HTMLInputElement | HTMLTextAreaElement): HTMLButtonElement {
  const copy = async (): Promise<void> => {
    from.select();
    const copied = await navigator.clipboard?.writeText(from.value).then(
      () => true,
      () => false,
    );
    made.textContent = copied ? 'Copied' : 'Selected: press Ctrl+C';
    announce(made.textContent);
  };
  const made = button('Copy', () => void copy());
  return made;
}
