// The conversation that stays open beside the page while the reader goes from page to page, in the session's storage.
const name = 'carrel-ask-stays';

/** The id of that conversation; null where there is none, or where storage is blocked. */
export function openConversation(): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Remembers the conversation for the next page, or that there is none. */
export function rememberOpenConversation(id: string | undefined): void {
  try {
    if (id === undefined) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, id);
  } catch {
    // Where storage is blocked, the panel is closed on the next page.
  }
}
