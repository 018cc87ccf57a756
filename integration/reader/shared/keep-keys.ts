/**
 * Keeps what is typed in a shadow tree from the page's own shortcuts: to the page it seems pressed on the host element, which is no field.
 * Combinations with Ctrl, Cmd or Alt go on to the page.
 */
export function keepKeys(root: ShadowRoot): void {
  const keep = (event: Event) => {
    const { ctrlKey, metaKey, altKey } = event as KeyboardEvent;
    if (!ctrlKey && !metaKey && !altKey) event.stopPropagation();
  };
  for (const type of ['keydown', 'keypress', 'keyup']) root.addEventListener(type, keep);
}
