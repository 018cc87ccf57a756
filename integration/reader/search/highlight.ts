/** Query parameter of a result's address: the terms that were found, separated by spaces. */
export const HIGHLIGHT = 'highlight';

/** Sent on `document` to have words of the page marked, once the search script is there; `detail` is their terms. */
export const MARK_WORDS = 'carrel-mark-words';

/** Marks, on the page that a search result led to, the words that were searched for. The search script does it, which is in the browser's cache then. */
export async function markLandingWords(loadSearch: () => Promise<void>): Promise<void> {
  const address = new URL(location.href);
  const terms = address.searchParams.get(HIGHLIGHT)?.split(' ').filter(Boolean) ?? [];
  if (terms.length === 0) return;
  // On file:// another query counts as another document.
  if (address.protocol !== 'file:') {
    address.searchParams.delete(HIGHLIGHT);
    history.replaceState(history.state, '', address);
  }
  // Without marks the page reads as well.
  await loadSearch().then(
    () => document.dispatchEvent(new CustomEvent(MARK_WORDS, { detail: terms })),
    () => {},
  );
}
