import { buttonAt } from './shared/button-at.ts';
import { loadScript } from './core/load-script.ts';

/** Sent on `document` to open the dialog, once its script is there. */
export const OPEN_SEARCH = 'carrel-search-open';

/** What opens search at a click. */
export const SEARCH_BUTTON = '[data-carrel-search]';

/**
 * Opens search by Ctrl+K, Cmd+K, `/` and every button that fits the selector, also one that comes to the page later.
 * The script is loaded on first use, or by what this gives. What else the page would do with such a key or with a button of its own does
 * not happen.
 */
export function installSearch(script: string, buttons: string = SEARCH_BUTTON): () => Promise<void> {
  let loading: Promise<void> | undefined;
  const load = () =>
    (loading ??= loadScript(script).catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
  const open = async (event: Event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    await load();
    document.dispatchEvent(new CustomEvent(OPEN_SEARCH));
  };
  // On the way down, so before any listener of the page.
  addEventListener('click', (event) => void (buttonAt(event, buttons) && open(event)), true);
  addEventListener('pointerover', (event) => void (buttonAt(event, buttons) && load().catch(() => {})), true);
  addEventListener(
    'keydown',
    (event) => {
      const combination = event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey;
      const slash = event.key === '/' && !event.metaKey && !event.ctrlKey && !event.altKey && !isTyping(event);
      if (combination || slash) void open(event);
    },
    true,
  );
  return load;
}

function isTyping(event: KeyboardEvent): boolean {
  const place = event.composedPath()[0];
  return place instanceof HTMLElement && (place.isContentEditable || place.matches('input, textarea, select, [role=textbox]'));
}
