import { element } from './shared/elements.ts';
import { carrelFolder, load } from './shared/loader.ts';

/** File names in `_carrel`; the build fills them in. */
declare const SCRIPTS: { core: string; search: string; ask: string };

/** What such a script hands over: a function that takes the modules it imports by name, and adds its exports to an object. */
type Script = (exports: object, require: (name: string) => object | undefined) => void;

const modules: Record<string, object> = { './loader.js': { carrelFolder, load } };

/** Runs the script of search or of Ask, after the core that both need. Both files load at the same time, and each runs once. */
export async function runScript(name: 'search' | 'ask'): Promise<void> {
  const [core, own] = await Promise.all([load<Script>(SCRIPTS.core), load<Script>(SCRIPTS[name])]);
  runOnce('./core.js', core);
  runOnce(name, own);
}

function runOnce(name: string, script: Script): void {
  if (name in modules) return;
  const exports = {};
  script(exports, (wanted) => modules[wanted]);
  modules[name] = exports;
}

/** Runs the script, then sends it an event. Where it cannot be loaded, a dialog says so. */
export async function sendTo(name: 'search' | 'ask', event: Event): Promise<void> {
  try {
    await runScript(name);
  } catch (error) {
    return showFailure(error instanceof Error ? error.message : String(error));
  }
  document.dispatchEvent(event);
}

// In the browser's own looks, and in English: styles and translations are in the files that are missing.
function showFailure(message: string): void {
  const close = element('form', { method: 'dialog' }, element('button', {}, 'Close'));
  const dialog = element(
    'dialog',
    { lang: 'en' },
    element('p', {}, `${message} Reload the page, or export the site again.`),
    close,
  );
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
