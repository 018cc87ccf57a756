import { applyChoice, readChoice, storeChoice, type ThemeChoice } from './theme-choice.ts';

/** Buttons for system, light and dark; the pressed one is the reader's choice. */
export class ThemeSwitch extends HTMLElement {
  connectedCallback() {
    this.addEventListener('click', (event) => {
      const button = (event.target as Element).closest('button');
      if (!button) return;
      storeChoice(button.value as ThemeChoice);
      applyChoice(button.value as ThemeChoice);
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
