import { element } from './shared/elements.ts';
import { DRAW_DIAGRAMS } from './shared/events.ts';
import { carrelFolder, load } from './shared/loader.ts';

/** File names in `_carrel`; the build fills them in. */
declare const SCRIPTS: Record<Alone | 'core' | 'search' | 'ask' | 'playground' | 'diagrams' | 'mermaid', string>;

/** Scripts that only hand over their exports. */
type Alone = 'sidebar' | 'menu' | 'blocks' | 'keys' | 'questions' | 'record' | 'providers' | 'consent';

/** What such a script hands over: a function that takes the modules it imports by name, and adds its exports to an object. */
type Script = (exports: object, require: (name: string) => object | undefined) => void;

const modules: Record<string, object> = { './loader.js': { carrelFolder, load } };

/** Runs the script of search or of Ask, after the core that both need. Both files load at the same time, and each runs once. */
export async function runScript(name: 'search' | 'ask'): Promise<void> {
  const [core, own] = await Promise.all([load<Script>(SCRIPTS.core), load<Script>(SCRIPTS[name])]);
  runOnce('./core.js', core);
  runOnce(name, own);
}

/** Runs the script of the playground, which needs no core. */
export async function runPlayground(): Promise<void> {
  runOnce('playground', await load<Script>(SCRIPTS.playground));
}

/** The exports of such a script, which runs on first use. */
export async function runAlone<Exports extends object>(name: Alone): Promise<Exports> {
  runOnce(name, await load<Script>(SCRIPTS[name]));
  return modules[name] as Exports;
}

/** Draws diagrams with the script of diagrams and Mermaid, which only pages with a diagram load. */
export async function runDiagrams(figures: HTMLElement[]): Promise<void> {
  const [own, mermaid] = await Promise.all([load<Script>(SCRIPTS.diagrams), load<Script>(SCRIPTS.mermaid)]);
  runOnce('mermaid', mermaid);
  runOnce('diagrams', own);
  document.dispatchEvent(new CustomEvent(DRAW_DIAGRAMS, { detail: { ...modules['mermaid'], figures } }));
}

function runOnce(name: string, script: Script): void {
  if (name in modules) return;
  const exports = {};
  script(exports, (wanted) => modules[wanted]);
  modules[name] = exports;
}

/** The field of the call of `sendTo` that came last: open while its script loads. */
let waiting: { name: 'search' | 'ask'; dialog: HTMLDialogElement } | undefined;

/**
 * Runs the script, then sends it the event that `eventOf` returns for the text that the reader has typed in the meantime, into a field that
 * is open while the script loads. A second call, or Escape, closes the field; then nothing is sent. Where the script cannot be loaded, a
 * dialog says so.
 */
export async function sendTo(name: 'search' | 'ask', eventOf: (typed: string) => Event, text = ''): Promise<void> {
  if (name in modules) return void document.dispatchEvent(eventOf(text));
  const closed = waiting?.dialog.open ? waiting.name : undefined;
  waiting?.dialog.close();
  if (closed === name) return;
  const label = name === 'search' ? 'Search' : 'Ask';
  const field = element('input', { 'aria-label': label, autocomplete: 'off' });
  // A phone enlarges the page for a field with a smaller font.
  field.style.font = '17px system-ui';
  field.value = text;
  const dialog = showDialog({ 'aria-label': label }, field);
  waiting = { name, dialog };
  // Where the script loads fast, the reader does not see this dialog before that of the script.
  for (const pseudoElement of [null, '::backdrop'])
    dialog.animate({ opacity: [0, 0] }, { duration: MILLISECONDS_UNSEEN, pseudoElement });
  let failure = '';
  try {
    await runScript(name);
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
  }
  if (!dialog.open) return;
  // Before the event, so that the focus returns to where it was, which the script's dialog remembers.
  dialog.close();
  if (failure === '') document.dispatchEvent(eventOf(field.value));
  else {
    const close = element('form', { method: 'dialog' }, element('button', {}, 'Close'));
    showDialog({}, element('p', {}, `${failure} Reload the page, or export the site again.`), close);
  }
}

const MILLISECONDS_UNSEEN = 400;

// In the browser's own looks, and in English: styles and translations are in the files that are missing.
function showDialog(attributes: Record<string, string>, ...children: Node[]): HTMLDialogElement {
  const dialog = element('dialog', { lang: 'en', ...attributes }, ...children);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
