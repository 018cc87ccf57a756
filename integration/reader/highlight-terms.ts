import { runScript } from './run-script.ts';
import { HIGHLIGHT_PARAMETER, HIGHLIGHT_TERMS } from './shared/events.ts';

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
