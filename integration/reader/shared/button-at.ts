/** The button that fits a selector and that an event is about, also in a shadow tree that is open; undefined where it is about none. */
export function buttonAt(event: Event, selector: string): HTMLElement | undefined {
  const place = event.composedPath()[0];
  return (place instanceof Element && place.closest<HTMLElement>(selector)) || undefined;
}
