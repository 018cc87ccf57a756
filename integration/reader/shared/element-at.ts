/** The element at an event that matches a selector, also in an open shadow tree; null where there is none. */
export function elementAt<Match extends Element = HTMLElement>(event: Event, selector: string): Match | null {
  const target = event.composedPath()[0];
  return target instanceof Element ? target.closest<Match>(selector) : null;
}
