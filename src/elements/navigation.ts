import { decode } from '../../integration/reader/shared/decode.ts';
import { elementAt } from '../../integration/reader/shared/elements.ts';

/** Marks the link to the heading that the reader has reached. */
export class OnThisPage extends HTMLElement {
  connectedCallback() {
    const links = [...this.querySelectorAll<HTMLAnchorElement>('a[href*="#"]')];
    const targets = links.flatMap((link) => {
      const heading = document.getElementById(decode(link.hash.slice(1)));
      return heading ? [{ link, heading }] : [];
    });
    if (targets.length === 0) return;
    let current: HTMLAnchorElement | undefined;
    const update = () => {
      const line = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) + 8;
      const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
      const shown = targets.filter(({ link }) => !link.parentElement?.hidden);
      const passed = shown.filter(({ heading }) => heading.getBoundingClientRect().top <= line);
      const active = (atEnd && scrollY > 0 ? shown : passed).at(-1)?.link ?? shown[0]?.link;
      if (!active || active === current) return;
      current?.removeAttribute('aria-current');
      active.setAttribute('aria-current', 'true');
      current = active;
    };
    let waiting = false;
    const soon = () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        update();
      });
    };
    addEventListener('scroll', soon, { passive: true });
    addEventListener('resize', soon, { passive: true });
    // On narrow screens the list is a popover, which closes when a link is followed.
    this.addEventListener('click', (event) => {
      const popover = this.closest<HTMLElement>('[popover]');
      if (elementAt(event, 'a') && popover?.matches(':popover-open')) popover.hidePopover();
    });
    update();
  }
}
