/**
 * Adds a stylesheet to a shadow tree that looks the same in any site: `rem` is the browser's medium font size, whatever size the site
 * gives its root. The stylesheet is a constructed one, since a policy without 'unsafe-inline' refuses `<style>`.
 */
export function adoptStyle(root: ShadowRoot, style: string): void {
  const sheet = new CSSStyleSheet();
  const sheets = [...root.adoptedStyleSheets, sheet];
  sheet.replaceSync(hostStyle);
  root.adoptedStyleSheets = sheets;
  const medium = parseFloat(getComputedStyle(root.host).fontSize) || 16;
  // In media queries `rem` does not depend on the size of the root.
  const own = style.replace(/(?<!@media[^{]*)\b(\d*\.?\d+)rem\b/g, (_, count: string) => `${Number(count) * medium}px`);
  sheet.replaceSync(hostStyle + own);
}

// A rule of the site for all its elements would otherwise win against ours for this element, and be inherited by everything in it.
const hostStyle = `
:host {
  all: initial !important; display: contents !important; font-size: medium !important;
  font-family: inherit !important; color-scheme: inherit !important;
}
:host([data-scheme=light]) { color-scheme: light !important; }
:host([data-scheme=dark]) { color-scheme: dark !important; }
`;

/** Adds a stylesheet to the page itself. */
export function adoptPageStyle(style: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets.push(sheet);
}
