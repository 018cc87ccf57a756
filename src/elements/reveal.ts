import { runAlone } from '../../integration/reader/run-script.ts';
import { decode } from '../../integration/reader/shared/decode.ts';

/** Shows what the URL's hash names: an element, or lines of code. */
export function revealTarget(): void {
  const id = decode(location.hash.slice(1));
  const target = id ? document.getElementById(id) : null;
  if (target) reveal(target);
  if (/^code-\d/.test(id) || document.querySelector('.c-tree, .c-code-numbers')) void runAlone('blocks');
}

/** Opens accordions, and selects tabs and views around an element. */
export function reveal(target: Element): void {
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
