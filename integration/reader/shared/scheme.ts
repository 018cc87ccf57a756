// Sites say in many ways that they are dark: an attribute, a class, a media query, `color-scheme`. All of them end in light text.

/** Has an element look light or dark as the page does at the moment, by its `data-scheme`. */
export function matchScheme(element: HTMLElement): void {
  const text = document.querySelector('[data-carrel-content], main, article') ?? document.body;
  element.dataset['scheme'] = isLight(getComputedStyle(text).color) ? 'dark' : 'light';
}

/** Does so from now on, whenever the reader or the system chooses the other scheme. */
export function followScheme(element: HTMLElement): void {
  const match = () => matchScheme(element);
  const matchSoon = () =>
    requestAnimationFrame(async () => {
      match();
      // A colour that changes by a transition is still the old one.
      await Promise.allSettled(
        document.getAnimations().map((animation) => animation instanceof CSSTransition && animation.finished),
      );
      match();
    });
  match();
  const attributes = {
    attributeFilter: ['class', 'style', 'data-theme', 'data-mode', 'data-color-scheme', 'data-bs-theme', 'theme'],
  };
  const observer = new MutationObserver(matchSoon);
  observer.observe(document.documentElement, attributes);
  observer.observe(document.body, attributes);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', matchSoon);
}

/** Whether a computed colour is nearer to white than to black for the eye: dark text on white and light text on black meet at a luminance of 0.18. */
export function isLight(color: string): boolean {
  const [, space = '', values = ''] = /^(?:color\()?([\w-]+)[\s(]+([^)]*)/.exec(color) ?? [];
  const [first = 0, second = 0, third = 0] = (values.match(/-?[\d.]+(?:e-?\d+)?%?/g) ?? []).map((value) =>
    value.endsWith('%') ? parseFloat(value) / 100 : parseFloat(value),
  );
  if (/^ok/.test(space)) return first > 0.565;
  if (/^l/.test(space)) return first > 49;
  const most = /^rgb/.test(space) ? 255 : 1;
  const [red, green, blue] = [first, second, third].map((value) => Math.max(0, value / most) ** 2.2) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18;
}
