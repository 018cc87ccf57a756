// Small components that several sections use.
import { button, element, type Child, muted } from './element.ts';
import { Fault } from './client.ts';
import { icon } from './icons.ts';
import { mayWrite, type Session } from './session.ts';
import { toast } from './toast.ts';

/** A human-readable error: the message, then the code and request ID for support. */
export function faultMessage(error: unknown): HTMLElement {
  const message = error instanceof Error ? error.message : String(error);
  return element('div.fault', { role: 'alert' }, element('p', message), faultNames(error));
}

/** The code and the request ID of an error. */
export function faultNames(error: unknown): HTMLElement {
  const { code, requestId } = error instanceof Fault ? error : { code: 'DashboardError', requestId: undefined };
  return element('p.names', 'Code ', element('code', code), requestId && ' · request ', requestId && element('code', requestId));
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

export function chip(status: string, text = status): HTMLElement {
  return element('span', { class: `chip ${status}` }, element('span', text));
}

/** A small label beside a name or a state. */
export function badge(text: string, ...marks: Node[]): HTMLElement {
  return element('span.badge', ...marks, text);
}

/** A sentence about the state of what is below, with an action. */
export function notice(text: Child[], action: Child): HTMLElement {
  return element('div.notice', element('p', ...text), action);
}

/** A section of a view with its title and an action next to it. */
export function section(id: string, title: string, action: HTMLElement | undefined, ...children: Child[]): HTMLElement {
  const head = element('div.head', element('h2', { id: `${id}-title`, tabindex: -1 }, title), action);
  return element('section', { 'aria-labelledby': `${id}-title` }, head, ...children);
}

/** A modal dialog with a title. Closing it removes it and its content from the page, and returns the focus to what opened it. */
export function dialog(title: string, ...children: Child[]): HTMLDialogElement {
  const returnFocus = focusReturn();
  const made = element(
    'dialog',
    { 'aria-labelledby': 'dialog-title' },
    element('h2', { id: 'dialog-title' }, title),
    ...children,
  );
  made.addEventListener('close', () => {
    made.remove();
    returnFocus();
  });
  document.body.append(made);
  made.showModal();
  return made;
}

/** Focuses what has the focus now, or its replacement. Where an action has removed it, the title of its section gets the focus. */
function focusReturn(): () => void {
  const from = document.activeElement;
  const name = from?.getAttribute('data-focus');
  const title = from?.closest('section')?.querySelector('h2');
  return () => {
    if (document.activeElement !== document.body || document.querySelector('dialog[open]')) return;
    const replaced = name ? document.querySelector<HTMLElement>(`[data-focus="${CSS.escape(name)}"]`) : undefined;
    (replaced ?? title)?.focus();
  };
}

/** A table in a container that scrolls on narrow screens. A column without a name has no header. */
export function table(label: string, columns: string[], body: HTMLElement): HTMLElement {
  const head = columns.map((name) => (name === '' ? element('td') : element('th', { scope: 'col' }, name)));
  return element(
    'div.table',
    { tabindex: 0, role: 'region', 'aria-label': label },
    element('table', element('thead', element('tr', ...head)), body),
  );
}

/**
 * A row of a table: the first cell is its header, and a column without a name has its actions. The others have the name of their column, which
 * narrow screens show, unless they are cells already.
 */
export function tableRow(columns: string[], header: Child[] | Child, ...cells: (Child[] | Child)[]): HTMLElement {
  const made = cells.map((cell, index) => {
    if (cell instanceof HTMLTableCellElement) return cell;
    const column = columns[index + 1]!;
    return element('td', column === '' ? { class: 'row-actions' } : { 'data-label': column }, ...[cell].flat());
  });
  return element('tr', element('th', { scope: 'row' }, ...[header].flat()), ...made);
}

interface ConfirmOptions {
  no?: string;
  /** Look of the button that runs the action. @default 'danger' */
  look?: 'danger' | 'primary';
}

/** Asks for confirmation before an action that is irreversible or that readers see, then runs `work`. */
export function confirm(
  title: string,
  text: Child,
  yes: string,
  work: () => Promise<void>,
  { no = 'Cancel', look = 'danger' }: ConfirmOptions = {},
): void {
  const output = element('div');
  const go = button(yes, () => void attempt(go, output, run), { class: look });
  const run = async (): Promise<void> => {
    await work();
    asked.close();
  };
  const close = button(no, () => asked.close(), { autofocus: true });
  const asked = dialog(title, element('p', text), output, element('div.actions', go, close));
}

interface Removal {
  /** Text of the button. @default 'Remove' */
  button?: string;
  /** What it removes, for screen readers: the button alone does not say it. */
  label: string;
  focus?: string;
  title: string;
  text: string;
  yes: string;
  path: string;
  /** The site that it belongs to. */
  domain?: string;
  /** What is said when it is removed. */
  done: string;
}

/** A button that asks, removes what is at a path of the API, and loads again; nothing for a key that may not write. */
export function removal(session: Session, load: () => Promise<void>, of: Removal): HTMLButtonElement | false {
  const work = async (): Promise<void> => {
    await session.client.call('DELETE', of.path);
    toast(of.done);
    await load();
  };
  const ask = () => confirm(of.title, of.text, of.yes, work);
  return mayWrite(session, of.domain) && button(of.button ?? 'Remove', ask, { 'data-focus': of.focus, 'aria-label': of.label });
}

/** Copies the text of a field, or selects it if the browser denies access to the clipboard. */
function copyButton(from: HTMLInputElement | HTMLTextAreaElement): HTMLButtonElement {
  const copy = async (): Promise<void> => {
    from.select();
    toast((await isCopied(from.value)) ? 'Copied.' : 'Selected: press Ctrl+C.');
  };
  return button('Copy', () => void copy());
}

/** Shows a value to copy in a dialog, with an action beside "Done". Closing it removes the value from the page. */
export function showOnce(
  title: string,
  value: string,
  { label, text, action }: { label: string; text: Child; action?: HTMLElement },
): void {
  // A multi-line field shows the whole value even in a narrow window.
  const input = element(
    'textarea.secret',
    { readonly: true, 'aria-label': label, autofocus: true, rows: 2, spellcheck: 'false' },
    value,
  );
  const close = button('Done', () => shown.close(), { class: 'primary' });
  const shown = dialog(
    title,
    element('p', text),
    element('div.copy', input, copyButton(input)),
    element('div.actions', close, action),
  );
  input.select();
}

/** An icon that copies `text`, which is shown beside it. */
export function copyIcon(text: string, label: string): HTMLButtonElement {
  const copy = async () => toast((await isCopied(text)) ? 'Copied.' : 'The browser does not allow copying here.');
  const made = button('', () => void copy(), { class: 'icon-button', 'aria-label': label, title: label, 'data-focus': label });
  made.append(icon('copy'));
  return made;
}

function isCopied(text: string): Promise<boolean> {
  const writing = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'));
  return writing.then(
    () => true,
    () => false,
  );
}

/** A number of lines that stand for what is being loaded. */
export function skeleton(lines = 4): HTMLElement {
  return element('div.skeleton', { 'aria-hidden': 'true' }, ...Array.from({ length: lines }, () => element('div')));
}

/** What to do where there is nothing yet: a sentence, up to three steps, and the first of them as a button. */
export function emptyState(title: string, text: Child, steps: [title: string, text: string][] = [], action?: Child): HTMLElement {
  return element(
    'div.empty-state',
    element('p.empty-title', title),
    muted(text),
    steps.length > 0 &&
      element('ol', ...steps.map(([name, about]) => element('li', element('strong', name), element('span', about)))),
    action,
  );
}

/** Names and values in a list. */
export function facts(...rows: ([name: string, ...value: Child[]] | false)[]): HTMLElement {
  const shown = rows.filter((row) => row !== false);
  return element('dl.facts', ...shown.map(([name, ...value]) => element('div', element('dt', name), element('dd', ...value))));
}

/** A button that opens a list of actions. The browser closes it with Esc or a click elsewhere, and returns the focus. */
export function menu(label: string, actions: HTMLElement[]): HTMLElement {
  const list = element('ul.menu', { popover: 'auto' }, ...actions.map((action) => element('li', action)));
  const open = element('button.icon-button', { type: 'button', 'aria-label': label, 'data-focus': label }, icon('more'));
  open.popoverTargetElement = list;
  const place = () => {
    const { bottom, top, right } = open.getBoundingClientRect();
    const isAbove = bottom + list.offsetHeight > innerHeight;
    // The button can be outside the window after it has become smaller.
    const within = (place: number, most: number) => `${Math.max(8, Math.min(place, most - 8))}px`;
    list.style.top = within(isAbove ? top - list.offsetHeight - 4 : bottom + 4, innerHeight - list.offsetHeight);
    list.style.left = within(right - list.offsetWidth, innerWidth - list.offsetWidth);
  };
  let closed = new AbortController();
  list.addEventListener('toggle', () => {
    closed.abort();
    if (!list.matches(':popover-open')) return;
    closed = new AbortController();
    for (const name of ['resize', 'scroll']) addEventListener(name, place, { capture: true, signal: closed.signal });
    place();
    list.querySelector<HTMLElement>('a, button')?.focus();
  });
  // Before the action: a dialog that it opens then returns the focus to the menu's button.
  list.addEventListener('click', () => list.hidePopover(), { capture: true });
  list.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const items = [...list.querySelectorAll<HTMLElement>('a, button')];
    items.at((items.indexOf(document.activeElement as HTMLElement) + step) % items.length)?.focus();
  });
  return element('div', open, list);
}
