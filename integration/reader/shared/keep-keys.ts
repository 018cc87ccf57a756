/**
 * Keeps keys that are typed in a shadow tree from the page's own shortcuts: to the page they seem pressed on the host element, which is
 * not a field. Combinations with Ctrl, Cmd or Alt still reach the page.
 */
export function keepKeys(root: ShadowRoot): void {
  const keep = (event: Event) => {
    if (event instanceof KeyboardEvent && !event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
  };
  for (const type of ['keydown', 'keypress', 'keyup']) root.addEventListener(type, keep);
}
