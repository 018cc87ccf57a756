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
    // During a transition, the colour is still the old one.
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

/** Whether a computed colour is closer to white than to black for the eye, which sees the middle at a luminance of 0.18. */
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
