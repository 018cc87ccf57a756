/** The element that holds the main content of the page, as far as the page says it. */
export function mainContent(): HTMLElement {
  return document.querySelector<HTMLElement>('[data-carrel-content]') ?? document.querySelector('main') ?? document.body;
}
