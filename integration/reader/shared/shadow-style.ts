/**
 * Gives an element's shadow tree its style sheet, the same in any site: `rem` is what the reader's browser calls medium text,
 * whatever size the site gives its root. A constructed sheet: a policy without 'unsafe-inline' refuses `<style>`.
 */
export function adoptStyle(root: ShadowRoot, style: string): void {
  const sheet = new CSSStyleSheet();
  const sheets = [...root.adoptedStyleSheets, sheet];
  sheet.replaceSync(hostStyle);
  root.adoptedStyleSheets = sheets;
  const medium = parseFloat(getComputedStyle(root.host).fontSize) || 16;
  // Media queries know nothing of the root's size.
  const own = style.replace(/(?<!@media[^{]*)\b(\d*\.?\d+)rem\b/g, (_, count: string) => `${Number(count) * medium}px`);
  sheet.replaceSync(hostStyle + own);
}

// A rule of the site for all its elements would win against one of ours for this element, and go on to all that is in it.
const hostStyle = `
:host {
  all: initial !important; display: contents !important; font-size: medium !important;
  font-family: inherit !important; color-scheme: inherit !important;
}
:host([data-scheme=light]) { color-scheme: light !important; }
:host([data-scheme=dark]) { color-scheme: dark !important; }
`;
