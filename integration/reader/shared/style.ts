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

/**
 * Colors of a shadow tree of ours: those of the site (`--carrel-*`), else those of Starlight, which many of its themes set too, else
 * our own. The manual lists them for theme authors: src/manual/astro-search.mdx.
 */
export const colors = `
:host {
  --text: var(--carrel-text, var(--sl-color-text, light-dark(#3b414d, #b9bfca)));
  --strong: var(--carrel-heading, var(--sl-color-white, light-dark(#0f1217, #f2f4f7)));
  --muted: var(--carrel-muted, var(--sl-color-gray-3, light-dark(#5d6472, #8f97a5)));
  --line: var(--carrel-border, var(--sl-color-gray-5, light-dark(#e6e8ec, #2a2f39)));
  --ground: var(--carrel-background, var(--sl-color-bg, light-dark(#fff, #14171d)));
  --accent: var(--carrel-accent, var(--sl-color-text-accent, light-dark(#0f5fd7, #7cb0ff)));
}
`;

// Sites set their dark mode in many ways: an attribute, a class, a media query, `color-scheme`. All of them end in light text.

/** Makes an element light or dark, as the page is at the moment, by its `data-scheme`. */
function matchScheme(element: HTMLElement): void {
  const text = document.querySelector('[data-carrel-content], main, article') ?? document.body;
  element.dataset['scheme'] = isLight(getComputedStyle(text).color) ? 'dark' : 'light';
}

/** Makes an element light or dark, as the page is, now and whenever that changes. */
export function followScheme(element: HTMLElement): void {
  const match = () => matchScheme(element);
  const matchLater = async () => {
    match();
    // During a transition, the color is still the old one.
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await Promise.allSettled(transitions.map(({ finished }) => finished));
    match();
  };
  const matchSoon = () => requestAnimationFrame(() => void matchLater());
  match();
  const attributes = {
    attributeFilter: ['class', 'style', 'data-theme', 'data-mode', 'data-color-scheme', 'data-bs-theme', 'theme'],
  };
  const observer = new MutationObserver(matchSoon);
  observer.observe(document.documentElement, attributes);
  observer.observe(document.body, attributes);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', matchSoon);
}

/** Whether a computed color is closer to white than to black for the eye, which sees the middle at a luminance of 0.18. */
export function isLight(color: string): boolean {
  const [, space = '', values = ''] = /^(?:color\()?([\w-]+)[\s(]+([^)]*)/.exec(color) ?? [];
  const [first = 0, second = 0, third = 0] = (values.match(/-?[\d.]+(?:e-?\d+)?%?/g) ?? []).map((value) =>
    value.endsWith('%') ? parseFloat(value) / 100 : parseFloat(value),
  );
  if (space.startsWith('ok')) return first > 0.565;
  if (space.startsWith('l')) return first > 49;
  const most = space.startsWith('rgb') ? 255 : 1;
  const linear = (value: number) => Math.max(0, value / most) ** 2.2;
  return 0.2126 * linear(first) + 0.7152 * linear(second) + 0.0722 * linear(third) > 0.18;
}
