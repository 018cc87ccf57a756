import { announce, element } from './element.ts';

const shownFor = 4000;

/** Says for a few seconds what has happened. Screen readers announce it. */
export function toast(text: string): void {
  announce(text);
  const list = document.querySelector<HTMLElement>('#toasts')!;
  const made = element('p.toast', { 'aria-hidden': 'true' }, text);
  list.append(made);
  // Shown again, it is above a dialog that was opened meanwhile.
  if (list.matches(':popover-open')) list.hidePopover();
  list.showPopover();
  setTimeout(() => {
    made.remove();
    if (list.childElementCount === 0) list.hidePopover();
  }, shownFor);
}
