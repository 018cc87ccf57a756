// Forms: a field has a name, which is its path in the API. What the server says about a path is shown at its field, and what is typed into a
// form with a key stays a draft until it is saved or discarded, whatever is shown meanwhile, and also when the session ends.
import { Fault } from './client.ts';
import { button, element, type Child } from './element.ts';
import { attempt, dialog, faultNames } from './parts.ts';
import { toast } from './toast.ts';

/** A field with its label above, and below it a hint and what is wrong with its value. */
export function field(label: string, input: HTMLElement, hint?: string, name?: string): HTMLElement {
  const id = input.id || `field-${label.toLowerCase().replaceAll(/\W+/g, '-')}`;
  input.id = id;
  if (name !== undefined) input.setAttribute('name', name);
  if (hint) input.setAttribute('aria-describedby', `${id}-hint`);
  return element(
    'div.field',
    element('label', { for: id }, label),
    input,
    hint !== undefined && element('p.hint', { id: `${id}-hint` }, hint),
  );
}

/** Shows fields only while a choice has one of these values. What is hidden is disabled, or what it requires would block the form without a word. */
export function showFor(choice: HTMLSelectElement, ...parts: [part: HTMLElement, ...values: string[]][]): void {
  const show = () => {
    for (const [part, ...values] of parts) {
      part.hidden = !values.includes(choice.value);
      for (const input of part.querySelectorAll<HTMLInputElement>('input, select, textarea')) input.disabled = part.hidden;
    }
  };
  choice.addEventListener('change', show);
  show();
}

interface FormOptions {
  /** Text of the button that sends the form. */
  go: string;
  submit: () => Promise<void>;
  fields: Child[];
  /** Buttons beside it. */
  others?: HTMLButtonElement[];
  /** Keeps a draft under this key. */
  draft?: string;
  /** Look of the button. @default 'primary' */
  look?: 'danger' | 'primary';
}

/** A form that runs `submit`. Its buttons and errors are below the fields. */
export function form({ go, submit, fields, others = [], draft, look = 'primary' }: FormOptions): HTMLFormElement {
  const output = element('div');
  const send = element('button', { class: look }, go);
  const made: HTMLFormElement = element('form', ...fields, output, element('div.actions', send, ...others));
  const kept = draft === undefined ? undefined : keepDraft(made, draft);
  made.addEventListener('submit', (event) => {
    event.preventDefault();
    void attempt(send, output, async () => {
      made.querySelectorAll('[aria-invalid]').forEach(unmark);
      try {
        await submit();
        kept?.saved();
      } catch (error) {
        const first = mark(made, error);
        if (!first) throw inWords(error);
        output.replaceChildren(faultNames(error));
        first.focus();
      }
    });
  });
  made.addEventListener('input', ({ target }) => unmark(target as Element));
  return made;
}

/** A form in a dialog, which closes before `onDone` gets the result of `work`. */
export function formDialog<Made>(
  title: string,
  fields: Child[],
  {
    work,
    onDone,
    ...options
  }: Pick<FormOptions, 'go' | 'look'> & { work: () => Promise<Made>; onDone: (made: Made) => Promise<void> },
): void {
  const submit = async (): Promise<void> => {
    const made = await work();
    asked.close();
    await onDone(made);
  };
  const cancel = button('Cancel', () => asked.close());
  const asked = dialog(title, form({ ...options, submit, fields, others: [cancel] }));
}

/** The fields that errors without paths are about: the first of them that a form shows. */
const fieldsOfCodes: Record<string, string[]> = {
  AddressPrivate: ['url', 'assistant.model.baseUrl', 'source.url'],
  AstroNeedsOperator: ['builder'],
  DocsNotFound: ['source.folder', 'source.path'],
  DomainTaken: ['domain'],
  FolderNeedsOperator: ['source.path'],
  HostUnknown: ['url', 'assistant.model.baseUrl', 'source.url'],
  HtmlNeedsOperator: ['builder'],
  LanguageUnknown: ['language'],
  OrganizationExists: ['organizationId'],
  PathUnknown: ['paths'],
  ProvidersNeedOperator: ['features.analytics.mode'],
  RepositoryIsPath: ['source.url'],
  SiteExists: ['domain'],
  SourceNotReadable: ['source.url', 'source.path'],
  SshNeedsOperator: ['source.url'],
  WebhookAddressInvalid: ['url'],
};

/** Marks the fields that an error is about, and returns the first; undefined if it is not, or not only, about fields of the form. */
function mark(made: HTMLFormElement, error: unknown): HTMLElement | undefined {
  if (!(error instanceof Fault)) return undefined;
  const named = [...made.querySelectorAll<HTMLElement>('[name]')].filter((input) => input.checkVisibility());
  const ofCode = fieldsOfCodes[error.code]?.find((path) => named.some((input) => nameOf(input) === path));
  const faults = error.fields ?? (ofCode === undefined ? [] : [{ path: ofCode, message: error.message }]);
  const found = faults.map(({ path, message }) => {
    const isIn = (input: HTMLElement) => path === nameOf(input) || path.startsWith(`${nameOf(input)}.`);
    const input = named.filter(isIn).sort((a, b) => nameOf(b).length - nameOf(a).length)[0];
    return { input, path, message };
  });
  if (found.length === 0 || found.some(({ input }) => !input)) return undefined;
  for (const { input, path, message } of found) {
    const label = labelOf(input!);
    const item = /^\.(\d+)/.exec(path.slice(nameOf(input!).length))?.[1];
    const subject = item === undefined ? label : `${label}, number ${Number(item) + 1},`;
    showFault(input!, error.fields ? `${subject} ${message}${message.endsWith('.') ? '' : '.'}` : message);
  }
  return named.find((input) => input.getAttribute('aria-invalid') === 'true');
}

/** An error about fields of other forms, or of none, with their labels in place of their paths. */
function inWords(error: unknown): unknown {
  if (!(error instanceof Fault) || !error.fields) return error;
  const sentences = error.fields.map(({ path, message }) => `“${wordsOf(path)}” ${message}.`);
  const { status, code, requestId, fields } = error;
  return new Fault(status, { error: sentences.join(' '), code, requestId, fields });
}

function wordsOf(path: string): string {
  const input = document.querySelector<HTMLElement>(`[name="${CSS.escape(path)}"]`);
  const words = path.replaceAll(/\.|(?=[A-Z])/g, ' ').toLowerCase();
  return input ? labelOf(input) : words.charAt(0).toUpperCase() + words.slice(1);
}

function nameOf(input: HTMLElement): string {
  return input.getAttribute('name')!;
}

function labelOf(input: HTMLElement): string {
  const label = input.querySelector('legend') ?? document.querySelector(`label[for="${CSS.escape(input.id)}"]`);
  return label?.textContent ?? nameOf(input);
}

function showFault(input: HTMLElement, text: string): void {
  const id = `${input.id || nameOf(input)}-fault`;
  input.setAttribute('aria-invalid', 'true');
  input.setAttribute('aria-describedby', [input.getAttribute('aria-describedby'), id].filter(Boolean).join(' '));
  if (input instanceof HTMLFieldSetElement) input.tabIndex = -1;
  const shown = element('p.field-fault', { id, role: 'alert' }, text);
  if (input instanceof HTMLFieldSetElement) input.append(shown);
  else input.after(shown);
}

function unmark(target: Element): void {
  const input = target.closest('[aria-invalid]');
  if (!input) return;
  input.removeAttribute('aria-invalid');
  const scope = input.closest('.field') ?? input;
  const faults = [...scope.querySelectorAll('.field-fault')];
  const others = input
    .getAttribute('aria-describedby')!
    .split(' ')
    .filter((id) => faults.every((fault) => fault.id !== id));
  if (others.length === 0) input.removeAttribute('aria-describedby');
  else input.setAttribute('aria-describedby', others.join(' '));
  for (const fault of faults) fault.remove();
}

type Values = Record<string, string>;

/** What was typed and is not saved, by the key of its form. It stays in the memory of this page. */
const drafts = new Map<string, Values>();

addEventListener('beforeunload', (event) => {
  if (drafts.size > 0) event.preventDefault();
});

/** Call before a form that was saved is replaced by a new one. */
export function forgetDraft(key: string): void {
  drafts.delete(key);
}

/** Says that drafts stay, when the view that they belong to is left. */
export function sayThatDraftsStay(signal: AbortSignal): void {
  signal.addEventListener('abort', () => {
    if (drafts.size > 0) toast('Your changes are not saved yet. They stay here until you close this page.');
  });
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Keeps what is typed into a form, and shows it in the next form with this key. Passwords are not kept. */
function keepDraft(made: HTMLFormElement, key: string): { saved(): void } {
  const controls = (): Control[] =>
    [...made.elements].filter(
      (one) => 'value' in one && one.getAttribute('name') && (one as Control).type !== 'password',
    ) as Control[];
  const isCheckbox = (control: Control): control is HTMLInputElement => control.type === 'checkbox';
  const values = (): Values =>
    Object.fromEntries(controls().map((one) => [one.name, isCheckbox(one) ? String(one.checked) : one.value]));
  const fill = (wanted: Values): void => {
    for (const control of controls()) {
      const value = wanted[control.name];
      if (value === undefined) continue;
      if (isCheckbox(control)) control.checked = value === 'true';
      else control.value = value;
      // What depends on it is shown or hidden.
      for (const type of ['input', 'change']) control.dispatchEvent(new Event(type, { bubbles: true }));
    }
  };
  let stored = values();
  const discard = button('Discard', () => {
    fill(stored);
    drafts.delete(key);
    notice.hidden = true;
    made.querySelector<HTMLElement>('button.primary')!.focus();
  });
  const notice = element('p.draft', { hidden: true }, 'Not saved yet. ', discard);
  made.querySelector('.actions')!.append(notice);
  const note = (): void => {
    const now = values();
    const isChanged = JSON.stringify(now) !== JSON.stringify(stored);
    if (isChanged) drafts.set(key, now);
    else drafts.delete(key);
    notice.hidden = !isChanged;
  };
  const before = drafts.get(key);
  if (before) {
    fill(before);
    note();
  }
  made.addEventListener('input', note);
  made.addEventListener('change', note);
  return {
    saved() {
      stored = values();
      note();
    },
  };
}

export function itemsOf(text: string, separator: string): string[] {
  return text.split(separator).flatMap((item) => item.trim() || []);
}
