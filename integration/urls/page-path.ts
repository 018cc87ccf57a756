/** The path of the page that a link leads to, as the manifest has it: `/guides/install/#npm` is `guides/install`. */
export function pagePathOf(link: string): string {
  return link.replace(/[?#].*$/s, '').replace(/^\/+|\/+$/g, '');
}
