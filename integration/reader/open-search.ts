import { isRecord } from '../text/json.ts';
import { runAlone, runScript, sendTo } from './run-script.ts';
import { elementAt } from './shared/elements.ts';
import { featureSettings } from './shared/feature-settings.ts';
import { HIGHLIGHT_PARAMETER, HIGHLIGHT_TERMS, OPEN_SEARCH, type OpenAsk } from './shared/events.ts';

/** What opens search at a click. */
export const SEARCH_BUTTON = '[data-carrel-search]';

/**
 * Opens search by Ctrl+K, Cmd+K, `/` and every button that matches the selector, also one that is added to the page later, and the sheet of
 * keys by `?`. The script is loaded on first use. With `ask`, the dialog has a button for Ask. The page's own handlers of such a key or button do not run. Where the
 * settings turn search off, it hides the buttons.
 */
export function installSearch(buttons: string = SEARCH_BUTTON, ask?: OpenAsk): void {
  if (searchIsOff()) {
    for (const button of document.querySelectorAll<HTMLElement>(buttons)) {
      button.hidden = true;
      // Stylesheets of existing sites show their buttons all the same.
      button.style.setProperty('display', 'none', 'important');
    }
    return;
  }
  const open = (event: Event & { key?: string }) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.key === '?') void runAlone<typeof import('./search/keys.ts')>('keys').then((script) => script.keys(ask));
    else void sendTo('search', (text) => new CustomEvent(OPEN_SEARCH, { detail: { ask, text } }));
  };
  // In the capture phase, so before any listener of the page.
  addEventListener('click', (event) => elementAt(event, buttons) && open(event), true);
  addEventListener('pointerover', (event) => void (elementAt(event, buttons) && runScript('search').catch(() => {})), true);
  addEventListener(
    'keydown',
    (event) => {
      const { key, altKey, shiftKey } = event;
      const isShortcut =
        event.metaKey || event.ctrlKey ? key.toLowerCase() === 'k' && !shiftKey : '/?'.includes(key) && !isTyping(event);
      if (isShortcut && !altKey) open(event);
    },
    true,
  );
}

export function searchIsOff(): boolean {
  const settings = featureSettings(globalThis.__carrel_config, 'search');
  return isRecord(settings) && settings['enabled'] === false;
}

function isTyping(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  // A field that has just been hidden, as that of a closed dialog, keeps the focus until the next frame.
  if (!(target instanceof HTMLElement) || target.getClientRects().length === 0) return false;
  return target.isContentEditable || target.matches('input, textarea, select, [role=textbox]');
}

/** Highlights the words that were searched for on the page of a search result. The script of search does it, which is cached then. */
export async function highlightTerms(): Promise<void> {
  const url = new URL(location.href);
  const terms = url.searchParams.get(HIGHLIGHT_PARAMETER)?.split(' ').filter(Boolean) ?? [];
  if (terms.length === 0) return;
  // On file:// a URL with another query is another document.
  if (url.protocol !== 'file:') {
    url.searchParams.delete(HIGHLIGHT_PARAMETER);
    history.replaceState(history.state, '', url);
  }
  // Without the script the page is as readable.
  await runScript('search').then(
    () => document.dispatchEvent(new CustomEvent(HIGHLIGHT_TERMS, { detail: terms })),
    () => {},
  );
}
