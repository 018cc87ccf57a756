import { loadScript } from './load-script.ts';

/** Sent on `document` to open the dialog, once its script is there. */
export const OPEN_SEARCH = 'carrel-search-open';

/** Opens search by Ctrl+K, Cmd+K, `/` and every `[data-carrel-search]` button. Its script is loaded on first use. */
export function installSearch(script: string): void {
  let loading: Promise<void> | undefined;
  const load = () =>
    (loading ??= loadScript(script).catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
  const open = async () => {
    await load();
    document.dispatchEvent(new CustomEvent(OPEN_SEARCH));
  };
  for (const button of document.querySelectorAll<HTMLElement>('[data-carrel-search]')) {
    button.addEventListener('click', open);
    button.addEventListener('pointerenter', () => void load().catch(() => {}), { once: true });
  }
  document.addEventListener('keydown', (event) => {
    const combination = event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey;
    const slash = event.key === '/' && !event.metaKey && !event.ctrlKey && !event.altKey && !isTyping(event);
    if (!combination && !slash) return;
    event.preventDefault();
    void open();
  });
}

function isTyping(event: KeyboardEvent): boolean {
  const place = event.composedPath()[0];
  return place instanceof HTMLElement && (place.isContentEditable || place.matches('input, textarea, select'));
}
