import { decode } from '../../integration/reader/shared/decode.ts';

/** Shows the element that the URL's hash names: opens accordions, and selects tabs and views around it. */
export function revealTarget(): void {
  const id = decode(location.hash.slice(1));
  const target = id ? document.getElementById(id) : null;
  if (!target) return;
  let hidden = false;
  for (let parent: Element | null = target; parent; parent = parent.parentElement) {
    if (parent instanceof HTMLDetailsElement && !parent.open) hidden = parent.open = true;
    if (parent.hasAttribute('hidden')) {
      parent.dispatchEvent(new Event('carrel-reveal'));
      hidden = true;
    }
  }
  if (hidden) target.scrollIntoView({ behavior: 'instant' });
}
