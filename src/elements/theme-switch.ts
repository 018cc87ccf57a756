import { elementAt } from '../../integration/reader/shared/element-at.ts';
import { applyChoice, isChoice, readChoice, storeChoice } from './theme-choice.ts';

/** Buttons for system, light and dark; the pressed one is the reader's choice. */
export class ThemeSwitch extends HTMLElement {
  connectedCallback() {
    this.addEventListener('click', (event) => {
      const choice = elementAt<HTMLButtonElement>(event, 'button')?.value;
      if (!isChoice(choice)) return;
      storeChoice(choice);
      applyChoice(choice);
      this.show();
    });
    // Another window of the same site may change the choice.
    addEventListener('storage', () => {
      applyChoice(readChoice());
      this.show();
    });
    this.show();
  }

  private show() {
    for (const button of this.querySelectorAll('button'))
      button.setAttribute('aria-pressed', String(button.value === readChoice()));
  }
}
